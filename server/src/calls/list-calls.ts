import type { Call, CallQuery } from "@parley/contract/calls";
import { invalidField } from "@parley/contract/errors";
import type { Mode } from "@parley/contract/shared-fields";
import type { Database } from "../database/database.ts";
import { type Cursors, toPage } from "../http/cursor.ts";
import { type CallRow, toCall } from "./call-record.ts";
import { type CallFilter, readCalls } from "./call-store.ts";

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
  if (q !== undefined) throw invalidField("q", "not_supported_yet", "q is not supported by this release yet.");
  const tie = tieOf(accountId, mode, filter);
  const [createdAt, id] = cursor ? cursors.read(cursor, tie) : [];
  const after = createdAt && id ? { createdAt, id } : null;
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
  filter: CallFilter,
): AsyncGenerator<Call[]> {
  let after: { createdAt: string; id: string } | null = null;
  for (;;) {
    const rows: CallRow[] = await readCalls(db, accountId, mode, filter, after, CSV_BATCH);
    if (rows.length > 0) yield rows.map(toCall);
    const last = rows.at(-1);
    if (!last || rows.length < CSV_BATCH) return;
    after = { createdAt: last.created_at.toISOString(), id: last.id };
  }
}

function positionOf(row: CallRow): [string, string] {
  return [row.created_at.toISOString(), row.id];
}

function tieOf(accountId: string, mode: Mode, filter: CallFilter): unknown[] {
  return [
    "calls",
    accountId,
    mode,
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .sort(),
  ];
}
