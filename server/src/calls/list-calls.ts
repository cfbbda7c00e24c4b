import type { Call, CallCount, CallOrder, CallQuery } from "@parley/contract/calls";
import { invalidField } from "@parley/contract/errors";
import type { Mode } from "@parley/contract/shared-fields";
import type { Database } from "../platform/database/database.ts";
import { type Cursors, toPage } from "../platform/http/cursor.ts";
import { type CallRow, toCall } from "./call-record.ts";
import {
  type CallFilter,
  type CallPosition,
  countCalls as countRows,
  readCallPositions,
  readCalls,
  readCallsById,
  readSortKeys,
  type SortColumn,
} from "./call-store.ts";
import { openFreeSearch, readWantedNumber, searchBoth, searchNumbers } from "./search/call-search.ts";
import { type CallSearch, openSearch } from "./transcripts/search/search-transcripts.ts";
import { toCallsWithWaiting } from "./waiting.ts";

/** The filters of a list: properties of the calls, and what was said in them. */
type ListFilter = CallFilter & Pick<CallQuery, "q" | "search">;

export interface CallPage {
  readonly data: Call[];
  readonly nextCursor: string | null;
}

/** One page of the account's calls in one mode. */
export async function listCalls(
  db: Database,
  cursors: Cursors,
  accountId: string,
  mode: Mode,
  query: Omit<CallQuery, "sort"> & { readonly sort?: CallOrder },
): Promise<CallPage> {
  const { limit, cursor, sort = NEWEST_FIRST, ...wanted } = query;
  const tie = [...tieOf(accountId, mode, wanted), ...(sort === NEWEST_FIRST ? [] : [sort])];
  const [createdAt, id] = cursor ? cursors.read(cursor, tie) : [];
  const after = createdAt && id ? { createdAt, id } : null;
  const { filter, search } = await openList(db, accountId, mode, wanted);
  if (sort !== NEWEST_FIRST) {
    const sorted = await sortCalls(
      db,
      accountId,
      mode,
      filter,
      search,
      sort,
      createdAt && id ? { key: BigInt(createdAt), id } : null,
    );
    const page = sorted.slice(0, limit);
    const rows = new Map(
      (
        await readCallsById(
          db,
          page.map((wantedCall) => wantedCall.id),
        )
      ).map((row) => [row.id, row]),
    );
    const last = page.at(-1);
    return {
      data: await toCallsWithWaiting(
        db,
        page.flatMap((wantedCall) => rows.get(wantedCall.id) ?? []),
      ),
      nextCursor: last && sorted.length > limit ? cursors.write([String(last.key), last.id], tie) : null,
    };
  }
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
  { q, search, phoneNumber, ...filter }: ListFilter,
): Promise<{ readonly filter: CallFilter; readonly search: CallSearch | null }> {
  const number = phoneNumber === undefined ? null : readWantedNumber(phoneNumber);
  const searches = [
    ...(q === undefined ? [] : [await openSearch(db, accountId, mode, q)]),
    ...(search === undefined ? [] : [await openFreeSearch(db, accountId, mode, search)]),
    ...(number?.kind === "part" ? [searchNumbers(db, accountId, mode, number.pattern)] : []),
  ];
  return {
    filter: number?.kind === "whole" ? { ...filter, phoneNumber: number.number } : filter,
    search: searches.length === 0 ? null : searches.reduce(searchBoth),
  };
}

const NEWEST_FIRST: CallOrder = "-createdAt";
/** How many calls are sorted: no index has them in these orders. */
const SORTED_MAX = 20_000;

const SORT_COLUMNS: Readonly<Record<string, SortColumn>> = {
  createdAt: "created_at",
  durationSeconds: "duration_seconds",
  cost: "cost_micros",
};

interface SortKey {
  readonly key: bigint;
  readonly id: string;
}

/** All matching calls after a position, in order. Throws 422 when there are too many to sort. */
async function sortCalls(
  db: Database,
  accountId: string,
  mode: Mode,
  filter: CallFilter,
  search: CallSearch | null,
  sort: CallOrder,
  after: SortKey | null,
): Promise<SortKey[]> {
  const column = SORT_COLUMNS[sort.replace("-", "")] ?? "created_at";
  const found = search ? await search.few(SORTED_MAX) : null;
  const rows = search && !found ? null : await readSortKeys(db, accountId, mode, filter, column, SORTED_MAX + 1, found);
  if (!rows || rows.length > SORTED_MAX) {
    throw invalidField(
      "sort",
      "too_many_calls",
      `sort needs filters that leave at most ${SORTED_MAX} calls; choose a shorter period.`,
    );
  }
  const sign = sort.startsWith("-") ? -1 : 1;
  const inOrder = (a: SortKey, b: SortKey) => sign * (compare(a.key, b.key) || compare(a.id, b.id));
  return rows.filter((row) => after === null || inOrder(row, after) > 0).sort(inOrder);
}

function compare<Value extends bigint | string>(a: Value, b: Value): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const COUNTED_MAX = 10_000;

/** How many calls match. */
export async function countCalls(db: Database, accountId: string, mode: Mode, wanted: ListFilter): Promise<CallCount> {
  const { filter, search } = await openList(db, accountId, mode, wanted);
  const found = search ? await search.few(COUNTED_MAX) : null;
  if (!search || found) {
    const count = await countRows(db, accountId, mode, filter, COUNTED_MAX + 1, found);
    return { count: Math.min(count, COUNTED_MAX), isExact: count <= COUNTED_MAX };
  }
  const { page, next } = await searchPositions(db, accountId, mode, search, filter, null, COUNTED_MAX);
  return { count: page.length, isExact: next === null };
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

/** One page of the calls that match a search. */
async function searchCalls(
  db: Database,
  accountId: string,
  mode: Mode,
  search: CallSearch,
  filter: CallFilter,
  after: CallPosition | null,
  limit: number,
): Promise<FoundCalls> {
  const { page, next } = await searchPositions(db, accountId, mode, search, filter, after, limit);
  const rows = await readCallsById(
    db,
    page.map(({ id }) => id),
  );
  return { rows, next };
}

/**
 * The positions of calls that match a search, newest first. Common matches are found among the newest calls, rare ones by the index.
 * For anything in between the calls are checked step by step, with a bounded number of steps per request, however many
 * calls there are.
 */
async function searchPositions(
  db: Database,
  accountId: string,
  mode: Mode,
  search: CallSearch,
  filter: CallFilter,
  after: CallPosition | null,
  limit: number,
): Promise<{ readonly page: readonly CallPosition[]; readonly next: CallPosition | null }> {
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
  if (found.length > limit) return { page, next: page.at(-1) ?? null };
  return { page, next: isAtEnd ? null : position };
}
