import { type Database, run, type Tx } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import type { RetainedPartName } from "./retained-parts.ts";

interface PartColumns {
  readonly days: "recording_retention_days" | "transcript_retention_days";
  readonly erasedAt: "recording_erased_at" | "transcript_erased_at";
  /** SQL condition: the call ever had it. */
  readonly exists: string;
}

const COLUMNS: Readonly<Record<RetainedPartName, PartColumns>> = {
  recordings: { days: "recording_retention_days", erasedAt: "recording_erased_at", exists: "c.recording is not null" },
  transcripts: {
    days: "transcript_retention_days",
    erasedAt: "transcript_erased_at",
    exists: "c.answered_at is not null",
  },
};

export interface RetentionRule {
  readonly account_id: string;
  readonly days: number;
}

/** The accounts that keep a part for a limited number of days. */
export async function readRetentionRules(db: Database, part: RetainedPartName): Promise<RetentionRule[]> {
  const { days } = COLUMNS[part];
  return run<RetentionRule>(
    db,
    `/* read_retention_rules_${part} */ select id as account_id, ${days} as days from accounts
     where ${days} is not null order by id`,
  );
}

/** Calls that ended before then and still have the part, locked. Rows locked by others are skipped. */
export async function lockDueCalls(
  tx: Tx,
  part: RetainedPartName,
  accountId: string,
  endedBefore: Date,
  rowsMax: number,
): Promise<CallRow[]> {
  const { erasedAt, exists } = COLUMNS[part];
  return run<CallRow>(
    tx,
    `/* lock_due_calls_${part} */ select c.* from calls c
     where c.account_id = $1 and c.state = 'ended' and c.ended_at < $2 and c.${erasedAt} is null and ${exists}
     order by c.ended_at limit $3 for update skip locked`,
    [accountId, endedBefore, rowsMax],
  );
}

/** Marks a part as erased and increments the event sequence. */
export async function markErased(tx: Tx, part: RetainedPartName, callId: string): Promise<CallRow> {
  const { erasedAt } = COLUMNS[part];
  const [row] = await run<CallRow>(
    tx,
    `/* mark_erased_${part} */ update calls set ${erasedAt} = clock_timestamp(), version = version + 1,
       event_sequence = event_sequence + 1
     where id = $1 returning *`,
    [callId],
  );
  if (!row) throw new Error(`call ${callId} is gone`);
  return row;
}

/** Erases the input and the results of the call, marks all parts as erased, and increments the event sequence. */
export async function eraseCallFields(tx: Tx, callId: string): Promise<CallRow> {
  const [row] = await run<CallRow>(
    tx,
    `/* erase_call_fields */ update calls set variables = '{}', collected = null, analysis = null, voicemail = null, simulation = null,
       recording_erased_at = coalesce(recording_erased_at, clock_timestamp()),
       transcript_erased_at = coalesce(transcript_erased_at, clock_timestamp()),
       data_erased_at = clock_timestamp(), version = version + 1, event_sequence = event_sequence + 1
     where id = $1 and state = 'ended' returning *`,
    [callId],
  );
  if (!row) throw new Error(`call ${callId} has not ended`);
  return row;
}
