import type { Mode } from "@parley/contract/shared-fields";
import { PhoneNumberFilter } from "@parley/contract/shared-fields";
import type { Database } from "../../platform/database/database.ts";
import { type CallSearch, openWordSearches } from "../transcripts/search/search-transcripts.ts";
import { findById, findByNumber, keepByNumber } from "./search-store.ts";

/**
 * Searches for calls by anything a person may have at hand: an id, part of a number, words that were said or written
 * about the call. Throws 422 when the text contains nothing to search for.
 */
export async function openFreeSearch(db: Database, accountId: string, mode: Mode, text: string): Promise<CallSearch> {
  const typed = text.trim();
  if (/^call_\w*$/i.test(typed)) return searchIds(db, accountId, mode, typed.toLowerCase());
  const searches = [...(await openWordSearches(db, accountId, mode, typed))];
  if (PhoneNumberFilter.safeParse(typed).success) {
    const number = readWantedNumber(typed);
    // A number with a plus sign may not be complete yet.
    const pattern = number.kind === "whole" ? `${number.number}%` : number.pattern;
    searches.push(searchNumbers(db, accountId, mode, pattern));
  }
  return searches.reduce(searchEither);
}

/** Matches both searches. */
export function searchBoth(one: CallSearch, other: CallSearch): CallSearch {
  return {
    among: async (callIds) => other.among([...(await one.among(callIds))]),
    async few(countMax) {
      const ofOne = await one.few(countMax);
      if (ofOne) return [...(await other.among(ofOne))];
      const ofOther = await other.few(countMax);
      return ofOther && [...(await one.among(ofOther))];
    },
  };
}

/** Matches either of the searches. */
function searchEither(one: CallSearch, other: CallSearch): CallSearch {
  return {
    async among(callIds) {
      const [ofOne, ofOther] = await Promise.all([one.among(callIds), other.among(callIds)]);
      return ofOne.union(ofOther);
    },
    async few(countMax) {
      const [ofOne, ofOther] = await Promise.all([one.few(countMax), other.few(countMax)]);
      if (!ofOne || !ofOther) return null;
      const all = new Set([...ofOne, ...ofOther]);
      return all.size > countMax ? null : [...all];
    },
  };
}

/** Searches for calls whose id is this or begins like it. */
function searchIds(db: Database, accountId: string, mode: Mode, begin: string): CallSearch {
  return {
    among: async (callIds) => new Set(callIds.filter((id) => id.startsWith(begin))),
    async few() {
      const found = await findById(db, accountId, mode, begin);
      return found ? [found] : null;
    },
  };
}

/** A whole number, or a LIKE pattern for part of one. */
type WantedNumber =
  | { readonly kind: "whole"; readonly number: string }
  | { readonly kind: "part"; readonly pattern: string };

/** The shortest national number, without its trunk prefix. */
const NATIONAL_DIGITS_MIN = 8;

/** Parses a number as people write it, or part of one. The contract has refused those with too few digits. */
export function readWantedNumber(text: string): WantedNumber {
  const digits = text.replaceAll(/\D/g, "");
  if (text.trim().startsWith("+")) {
    const isWhole = digits.length >= 7 && !digits.startsWith("0");
    return isWhole ? { kind: "whole", number: `+${digits}` } : { kind: "part", pattern: `+${digits}%` };
  }
  // 0049 30 ... and 030 ...: the zeros are dialing prefixes and not part of the number.
  const bare = digits.replace(/^00?/, "");
  return { kind: "part", pattern: `%${bare.length >= NATIONAL_DIGITS_MIN ? bare : digits}%` };
}

/** Searches for calls to matching numbers, in one account and mode. */
export function searchNumbers(db: Database, accountId: string, mode: Mode, pattern: string): CallSearch {
  return {
    among: (callIds) => keepByNumber(db, callIds, pattern),
    async few(countMax) {
      const found = await findByNumber(db, accountId, mode, pattern, countMax + 1);
      return found.length > countMax ? null : found;
    },
  };
}
