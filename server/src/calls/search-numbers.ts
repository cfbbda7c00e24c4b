import type { Mode } from "@parley/contract/shared-fields";
import type { Database } from "../platform/database/database.ts";
import { findByNumber, keepByNumber } from "./call-store.ts";
import type { CallSearch } from "./search-calls.ts";

/** A whole number, or a LIKE pattern that the wanted numbers match. */
export type WantedNumber =
  | { readonly kind: "whole"; readonly number: string }
  | { readonly kind: "part"; readonly pattern: string };

/** The shortest number without its country code and the zero before it. */
const NATIONAL_DIGITS_MIN = 8;

/** Understands a number as people write it, or part of one. The contract has refused what has too few digits. */
export function readWantedNumber(text: string): WantedNumber {
  const digits = text.replaceAll(/\D/g, "");
  if (text.trim().startsWith("+")) {
    const isWhole = digits.length >= 7 && !digits.startsWith("0");
    return isWhole ? { kind: "whole", number: `+${digits}` } : { kind: "part", pattern: `+${digits}%` };
  }
  // 0049 30 ... and 030 ...: the zeros stand for what is dialed before a number and are no part of it.
  const bare = digits.replace(/^00?/, "");
  return { kind: "part", pattern: `%${bare.length >= NATIONAL_DIGITS_MIN ? bare : digits}%` };
}

/** Looks for calls to numbers that match, in one account and mode. */
export function searchNumbers(db: Database, accountId: string, mode: Mode, pattern: string): CallSearch {
  return {
    among: (callIds) => keepByNumber(db, callIds, pattern),
    async few(countMax) {
      const found = await findByNumber(db, accountId, mode, pattern, countMax + 1);
      return found.length > countMax ? null : found;
    },
  };
}
