import type { Mode } from "@parley/contract/shared-fields";
import type { Database } from "../platform/database/database.ts";
import type { CallRow } from "./call-record.ts";
import {
  type CallFilter,
  type CallPosition,
  findByNumber,
  keepByNumber,
  readCallPositions,
  readCallsById,
} from "./call-store.ts";

/** A search for calls of one account and mode by a property that no index has in the order of the list. */
export interface CallSearch {
  /** Those of the given calls that match. */
  among(callIds: readonly string[]): Promise<Set<string>>;
  /** All matches, in no particular order; null when there are more than `countMax`. */
  few(countMax: number): Promise<string[] | null>;
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

interface FoundCalls {
  /** Newest first. */
  readonly rows: CallRow[];
  /** The position to continue from; null when there are no more. */
  readonly next: CallPosition | null;
}

/** How many calls are checked at once. */
const LOOK_THROUGH = 1_000;
/** How often one request does so before it returns a position to continue from, with a full page or not. */
const LOOKS_MAX = 20;
/** How many matches can be sorted at once. */
const FEW_MAX = 2_000;

/**
 * One page of the calls that match a search. Common matches are found among the newest calls, rare ones by the index.
 * For anything in between the calls are checked step by step, with a bounded number of steps per request, however many
 * calls there are.
 */
export async function searchCalls(
  db: Database,
  accountId: string,
  mode: Mode,
  search: CallSearch,
  filter: CallFilter,
  after: CallPosition | null,
  limit: number,
): Promise<FoundCalls> {
  const found: CallPosition[] = [];
  let position = after;
  let isAtEnd = false;
  for (let look = 0; look < LOOKS_MAX && found.length <= limit && !isAtEnd; look++) {
    const few = look === 1 ? await search.few(FEW_MAX) : null;
    if (few) {
      found.push(...(await readCallPositions(db, accountId, mode, filter, position, limit + 1, few)));
      isAtEnd = true;
      break;
    }
    const next = await readCallPositions(db, accountId, mode, filter, position, LOOK_THROUGH);
    const matching = await search.among(next.map(({ id }) => id));
    found.push(...next.filter(({ id }) => matching.has(id)));
    position = next.at(-1) ?? position;
    isAtEnd = next.length < LOOK_THROUGH;
  }
  const page = found.slice(0, limit);
  const rows = await readCallsById(
    db,
    page.map(({ id }) => id),
  );
  if (found.length > limit) return { rows, next: page.at(-1) ?? null };
  return { rows, next: isAtEnd ? null : position };
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
