import { makeId } from "@parley/contract/ids";
import { type Database, run } from "../../../platform/database/database.ts";

export interface TrunkLimits {
  readonly channelsMax?: number | null;
  readonly callsPerSecond?: number | null;
  readonly sessionTimerSeconds?: number | null;
}

/** Writes a trunk down, as far as attempts on it need one. Returns its id. */
export async function addTrunk(db: Database, limits: TrunkLimits = {}): Promise<string> {
  const id = makeId("trunk");
  await run(
    db,
    "insert into trunks (id, name, host, codecs, session_timer_seconds) values ($1, $1, 'sip.example', '{PCMA}', $2)",
    [id, limits.sessionTimerSeconds ?? null],
  );
  await run(db, "insert into trunk_channels (trunk_id, channels_max, calls_per_second) values ($1, $2, $3)", [
    id,
    limits.channelsMax ?? null,
    limits.callsPerSecond ?? null,
  ]);
  return id;
}

/** How many channels of a trunk are taken. */
export async function countChannels(db: Database, trunkId: string): Promise<number> {
  const [row] = await run<{ active_count: number }>(db, "select active_count from trunk_channels where trunk_id = $1", [
    trunkId,
  ]);
  if (!row) throw new Error(`there is no trunk ${trunkId}`);
  return row.active_count;
}

export interface AttemptRow {
  readonly ordinal: number;
  readonly dial_id: string;
  readonly carrier: string;
  readonly trunk_id: string | null;
  readonly record: object | null;
  readonly ended_at: Date | null;
  readonly cause: string | null;
  readonly code: number | null;
  readonly reason: string | null;
}

export function readAttempts(db: Database, callId: string): Promise<AttemptRow[]> {
  return run<AttemptRow>(db, "select * from call_attempts where call_id = $1 order by ordinal", [callId]);
}
