import type { Call, CallQuery } from "@parley/contract/calls";
import type { Mode } from "@parley/contract/shared-fields";
import type { Database } from "../database/database.ts";
import { type Cursors, toPage } from "../http/cursor.ts";
import { type CallRow, toCall } from "./call-record.ts";
import { type CallFilter, type CallPosition, readCalls } from "./call-store.ts";
import { searchCalls } from "./search-calls.ts";

/** What a list may be narrowed by: what the calls are, and what was heard in them. */
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
  const { limit, cursor, q, ...filter } = query;
  const tie = tieOf(accountId, mode, { ...filter, q });
  const [createdAt, id] = cursor ? cursors.read(cursor, tie) : [];
  const after = createdAt && id ? { createdAt, id } : null;
  if (q !== undefined) {
    const { rows, next } = await searchCalls(db, accountId, mode, q, filter, after, limit);
    return { data: rows.map(toCall), nextCursor: next && cursors.write([next.createdAt, next.id], tie) };
  }
  const page = toPage(await readCalls(db, accountId, mode, filter, after, limit + 1), limit, (last) =>
    cursors.write(positionOf(last), tie),
  );
  return { data: page.rows.map(toCall), nextCursor: page.nextCursor };
}

// A call may carry 25 kB of metadata; a slow client's export holds one batch.
const CSV_BATCH = 100;

/** Every call that matches, newest first, in batches, so that an export of any length needs little memory. */
export async function* allCalls(
  db: Database,
  accountId: string,
  mode: Mode,
  { q, ...filter }: ListFilter,
): AsyncGenerator<Call[]> {
  let after: CallPosition | null = null;
  for (;;) {
    const batch: CallBatch =
      q === undefined
        ? await readBatch(db, accountId, mode, filter, after)
        : await searchCalls(db, accountId, mode, q, filter, after, CSV_BATCH);
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
