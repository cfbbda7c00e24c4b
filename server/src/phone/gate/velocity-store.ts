import { type Database, run, type Tx } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";
import type { VelocityKind } from "./decide.ts";

/** One window in which calls are counted. */
export interface VelocityWindow {
  readonly kind: VelocityKind;
  readonly subject: string;
  readonly start: Date;
}

/** How many calls each window has, in the order of the windows. */
export async function readCounts(
  db: Database,
  accountId: string,
  windows: readonly VelocityWindow[],
): Promise<number[]> {
  const rows = await run<{ calls: number | null }>(
    db,
    `/* read_gate_counts */ select c.calls
     from unnest($2::text[], $3::text[], $4::timestamptz[]) with ordinality as w (kind, subject, window_start, place)
     left join gate_counts c on c.account_id = $1 and c.kind = w.kind and c.subject = w.subject
       and c.window_start = w.window_start
     order by w.place`,
    [
      accountId,
      windows.map(({ kind }) => kind),
      windows.map(({ subject }) => subject),
      windows.map(({ start }) => start),
    ],
  );
  return rows.map(({ calls }) => calls ?? 0);
}

/** Counts a call in a window and returns the new count. The next one to count in it waits for this transaction. */
export async function countIn(tx: Tx, accountId: string, { kind, subject, start }: VelocityWindow): Promise<number> {
  const [row] = await run<{ calls: number }>(
    tx,
    `/* count_in_gate */ insert into gate_counts as c (account_id, kind, subject, window_start, calls)
     values ($1, $2, $3, $4, 1)
     on conflict (account_id, kind, subject, window_start) do update set calls = c.calls + 1
     returning calls`,
    [accountId, kind, subject, start],
  );
  if (!row) throw new Error("a call was not counted");
  return row.calls;
}

/** Deletes windows that are long over. Returns how many. */
export function deleteOldCounts(db: Database, before: Date): Promise<number> {
  return deleteInBatches(db, { table: "gate_counts", where: "window_start < $1", values: [before] });
}
