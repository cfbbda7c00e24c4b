import type { Call, CallQuery } from "@parley/contract/calls";
import type { Mode } from "@parley/contract/shared-fields";
import type { Database } from "../platform/database/database.ts";
import { type Cursors, toPage } from "../platform/http/cursor.ts";
import { type CallRow, toCall } from "./call-record.ts";
import {
  type CallFilter,
  type CallPosition,
  findByNumber,
  keepByNumber,
  readCallPositions,
  readCalls,
  readCallsById,
} from "./call-store.ts";
import { openSearch } from "./transcripts/search/search-transcripts.ts";
import { toCallsWithWaiting } from "./waiting.ts";

/** The filters of a list: properties of the calls, and what was said in them. */
type ListFilter = CallFilter & Pick<CallQuery, "q">;

export interface CallPage {
  readonly data: Call[];
  readonly nextCursor: string | null;
}

/** One page of the account's calls in one mode, newest first. */
export async function listCalls(
  db: Database,
  cursors: Cursors,
  accountId: string,
  mode: Mode,
  query: CallQuery,
): Promise<CallPage> {
  const { limit, cursor, ...wanted } = query;
  const tie = tieOf(accountId, mode, wanted);
  const [createdAt, id] = cursor ? cursors.read(cursor, tie) : [];
  const after = createdAt && id ? { createdAt, id } : null;
  const { filter, search } = await openList(db, accountId, mode, wanted);
  if (search) {
    const { rows, next } = await searchCalls(db, accountId, mode, search, filter, after, limit);
    return {
      data: await toCallsWithWaiting(db, rows),
      nextCursor: next && cursors.write([next.createdAt, next.id], tie),
    };
  }
  const page = toPage(await readCalls(db, accountId, mode, filter, after, limit + 1), limit, (last) =>
    cursors.write(positionOf(last), tie),
  );
  return { data: await toCallsWithWaiting(db, page.rows), nextCursor: page.nextCursor };
}

/** Separates the filters that an index answers from those that need a search. */
async function openList(
  db: Database,
  accountId: string,
  mode: Mode,
  { q, phoneNumber, ...filter }: ListFilter,
): Promise<{ readonly filter: CallFilter; readonly search: CallSearch | null }> {
  const number = phoneNumber === undefined ? null : readWantedNumber(phoneNumber);
  const byWords = q === undefined ? null : await openSearch(db, accountId, mode, q);
  if (number?.kind !== "part")
    return { filter: number ? { ...filter, phoneNumber: number.number } : filter, search: byWords };
  const byNumber = searchNumbers(db, accountId, mode, number.pattern);
  return { filter, search: byWords ? searchBoth(byWords, byNumber) : byNumber };
}

// A call may carry 25 kB of metadata; the export of a slow client holds one batch in memory.
const CSV_BATCH = 100;

/** Every matching call, newest first, in batches, so that an export of any length needs little memory. */
export async function* allCalls(
  db: Database,
  accountId: string,
  mode: Mode,
  wanted: ListFilter,
): AsyncGenerator<Call[]> {
  const { filter, search } = await openList(db, accountId, mode, wanted);
  let after: CallPosition | null = null;
  for (;;) {
    const batch: CallBatch = search
      ? await searchCalls(db, accountId, mode, search, filter, after, CSV_BATCH)
      : await readBatch(db, accountId, mode, filter, after);
    if (batch.rows.length > 0) yield batch.rows.map(toCall);
    if (batch.next === null) return;
    after = batch.next;
  }
}

interface CallBatch {
  readonly rows: CallRow[];
  readonly next: CallPosition | null;
}

async function readBatch(
  db: Database,
  accountId: string,
  mode: Mode,
  filter: CallFilter,
  after: CallPosition | null,
): Promise<CallBatch> {
  const rows = await readCalls(db, accountId, mode, filter, after, CSV_BATCH);
  const last = rows.at(-1);
  const isLast = !last || rows.length < CSV_BATCH;
  return { rows, next: isLast ? null : { createdAt: last.created_at.toISOString(), id: last.id } };
}

function positionOf(row: CallRow): [string, string] {
  return [row.created_at.toISOString(), row.id];
}

function tieOf(accountId: string, mode: Mode, filter: ListFilter): unknown[] {
  return [
    "calls",
    accountId,
    mode,
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .sort(),
  ];
}

/** A search for calls of one account and mode by a property that no index has in the order of the list. */
interface CallSearch {
  /** Those of the given calls that match. */
  among(callIds: readonly string[]): Promise<Set<string>>;
  /** All matches, in no particular order; null when there are more than `countMax`. */
  few(countMax: number): Promise<string[] | null>;
}

/** Matches both searches. */
function searchBoth(one: CallSearch, other: CallSearch): CallSearch {
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

/** How many calls are checked per query. */
const LOOK_THROUGH = 1_000;
/** How often one request does so before it returns a position to continue from, with a full page or not. */
const LOOKS_MAX = 20;
/** The maximum number of matches that are sorted. */
const FEW_MAX = 2_000;

/**
 * One page of the calls that match a search. Common matches are found among the newest calls, rare ones by the index.
 * For anything in between the calls are checked step by step, with a bounded number of steps per request, however many
 * calls there are.
 */
async function searchCalls(
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
function searchNumbers(db: Database, accountId: string, mode: Mode, pattern: string): CallSearch {
  return {
    among: (callIds) => keepByNumber(db, callIds, pattern),
    async few(countMax) {
      const found = await findByNumber(db, accountId, mode, pattern, countMax + 1);
      return found.length > countMax ? null : found;
    },
  };
}
