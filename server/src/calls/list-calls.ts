import type { Call, CallQuery } from "@parley/contract/calls";
import type { Mode } from "@parley/contract/shared-fields";
import type { Database } from "../platform/database/database.ts";
import { type Cursors, toPage } from "../platform/http/cursor.ts";
import { type CallRow, toCall } from "./call-record.ts";
import { type CallFilter, type CallPosition, readCalls } from "./call-store.ts";
import { type CallSearch, readWantedNumber, searchBoth, searchCalls, searchNumbers } from "./search-calls.ts";
import { openSearch } from "./transcripts/search/search-transcripts.ts";

/** The filters of a list: properties of the calls, and what was said in them. */
export type ListFilter = CallFilter & Pick<CallQuery, "q">;

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
    return { data: rows.map(toCall), nextCursor: next && cursors.write([next.createdAt, next.id], tie) };
  }
  const page = toPage(await readCalls(db, accountId, mode, filter, after, limit + 1), limit, (last) =>
    cursors.write(positionOf(last), tie),
  );
  return { data: page.rows.map(toCall), nextCursor: page.nextCursor };
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
