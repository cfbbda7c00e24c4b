import { type Database, run, type Tx } from "../../../platform/database/database.ts";

/** A call that has ended and can be transcribed again. */
export interface RecordedCall {
  readonly id: string;
  readonly created_at: Date;
  readonly ended_at: Date;
}

/** The position in the list of such calls. */
export interface RecordedPosition {
  readonly endedAt: Date;
  readonly id: string;
}

/** Calls in English without a second pass, or whose pass has lost its process; those that ended first come first. */
export async function readUnrevised(db: Database, after: RecordedPosition, rowsMax: number): Promise<RecordedCall[]> {
  return run<RecordedCall>(
    db,
    `/* read_unrevised */ select c.id, c.created_at, c.ended_at from calls c
     join agent_versions v on v.agent_id = c.agent_id and v.version = c.agent_version
     left join transcript_passes p on p.call_id = c.id
     where c.recording->>'status' = 'ready' and (c.ended_at, c.id) > ($1, $2) and c.transcript_erased_at is null
       and (v.language = 'en' or v.language like 'en-%')
       and (p.call_id is null or (p.status = 'running' and p.lease_until < clock_timestamp()))
     order by c.ended_at, c.id limit $3`,
    [after.endedAt, after.id, rowsMax],
  );
}

/**
 * Claims a call for this long. Returns the number of the attempt, or null when another process has it or it is done.
 */
export async function claimPass(db: Database, callId: string, model: string, leaseMs: number): Promise<number | null> {
  const [row] = await run<{ attempts: number }>(
    db,
    `/* claim_pass */ insert into transcript_passes as p (call_id, model, status, lease_until)
     values ($1, $2, 'running', clock_timestamp() + $3 * interval '1 ms')
     on conflict on constraint transcript_passes_pkey do update set attempts = p.attempts + 1, model = excluded.model, lease_until = excluded.lease_until
     where p.status = 'running' and p.lease_until < clock_timestamp()
     returning p.attempts`,
    [callId, model, leaseMs],
  );
  return row?.attempts ?? null;
}

/**
 * False when another process has taken over. A time of zero releases the claim, so that another one may start
 * immediately.
 */
export async function renewPass(db: Database, callId: string, attempt: number, leaseMs: number): Promise<boolean> {
  // A millisecond less, because the column rounds to milliseconds: half of the released claims would last for another half.
  const rows = await run(
    db,
    `/* renew_pass */ update transcript_passes set lease_until = clock_timestamp() + ($3::float8 - 1) * interval '1 ms'
     where call_id = $1 and attempts = $2 and status = 'running' returning call_id`,
    [callId, attempt, leaseMs],
  );
  return rows.length > 0;
}

/** False when another process has taken over, or the transcript has been erased meanwhile. */
export async function closePass(
  tx: Tx,
  callId: string,
  attempt: number,
  outcome: { readonly status: "done" | "failed"; readonly reason: string | null },
): Promise<boolean> {
  await run(tx, "/* lock_revised_call */ select 1 from calls where id = $1 for update", [callId]);
  const rows = await run(
    tx,
    `/* close_pass */ update transcript_passes p set status = $3, reason = $4, finished_at = clock_timestamp()
     from calls c where p.call_id = $1 and p.attempts = $2 and p.status = 'running'
       and c.id = p.call_id and c.transcript_erased_at is null returning p.call_id`,
    [callId, attempt, outcome.status, outcome.reason],
  );
  return rows.length > 0;
}

export interface CalleeLine {
  readonly ordinal: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** When the callee spoke, in order. */
export async function readCalleeLines(db: Database, callId: string): Promise<CalleeLine[]> {
  return run<CalleeLine>(
    db,
    `/* read_callee_lines */ select ordinal, start_ms as "startMs", (item->>'endMs')::int as "endMs" from transcript_items
     where call_id = $1 and type = 'speech' and item->>'role' = 'callee' order by start_ms, ordinal`,
    [callId],
  );
}

export interface Revision {
  readonly ordinal: number;
  readonly text: string;
}

export async function writeRevisions(tx: Tx, callId: string, revisions: readonly Revision[]): Promise<void> {
  await run(
    tx,
    `/* write_revisions */ insert into transcript_revisions (call_id, ordinal, text)
     select $1, n.ordinal, n.text from jsonb_to_recordset($2::jsonb) as n (ordinal int, text text)
     on conflict on constraint transcript_revisions_pkey do update set text = excluded.text`,
    [callId, JSON.stringify(revisions)],
  );
}

export async function hasLiveCalls(db: Database): Promise<boolean> {
  const [row] = await run<{ live: boolean }>(
    db,
    "/* has_live_calls */ select exists (select 1 from call_runs where ended_at is null) as live",
  );
  return row?.live ?? false;
}
