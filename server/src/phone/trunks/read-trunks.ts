import { AppError } from "@parley/contract/errors";
import { ANSWER_DAYS, type Trunk, type TrunkDetails } from "@parley/contract/trunks";
import type { Database } from "../../platform/database/database.ts";
import {
  type CountRow,
  type HealthRow,
  readHealthRows,
  sumAnswers,
  sumAnswersByCallerId,
  sumAnswersByDay,
} from "./findings-store.ts";
import { HEALTH_LASTS_SECONDS } from "./health-notes.ts";
import { type TrunkRow, toTrunk } from "./trunk-record.ts";
import { listTrunkRows, readTrunkRow } from "./trunk-store.ts";

const CALLER_IDS_SHOWN_MAX = 100;

/** Trunks with their known health, newest first. */
export async function listTrunks(db: Database, limit: number, afterId: string | null): Promise<Trunk[]> {
  return withFindings(db, await listTrunkRows(db, limit, afterId));
}

export async function readTrunk(db: Database, trunkId: string): Promise<TrunkDetails> {
  const row = await readTrunkRow(db, trunkId);
  const [trunk] = row ? await withFindings(db, [row]) : [];
  if (!trunk) throw unknownTrunk();
  const byCallerId = await sumAnswersByCallerId(db, trunkId, ANSWER_DAYS, CALLER_IDS_SHOWN_MAX);
  const byDay = await sumAnswersByDay(db, trunkId, ANSWER_DAYS);
  return {
    ...trunk,
    answersByCallerId: byCallerId.map((row) => ({ callerId: row.caller_id || null, ...toCounts(row) })),
    answersByDay: byDay.map((row) => ({ day: row.day, ...toCounts(row) })),
  };
}

export function unknownTrunk(): AppError {
  return new AppError("not_found", "There is no such trunk.");
}

async function withFindings(db: Database, rows: readonly TrunkRow[]): Promise<Trunk[]> {
  const ids = rows.map((row) => row.id);
  const answers = new Map((await sumAnswers(db, ids, ANSWER_DAYS)).map((row) => [row.trunk_id, row]));
  const health = Map.groupBy(await readHealthRows(db, ids, HEALTH_LASTS_SECONDS), (row) => row.trunk_id);
  return rows.map((row) =>
    toTrunk(row, {
      answers: toCounts(answers.get(row.id) ?? { attempts: 0, rang: 0, answered: 0 }),
      health: (health.get(row.id) ?? []).map(toHealth),
    }),
  );
}

function toCounts({ attempts, rang, answered }: CountRow): Trunk["answers"] {
  // Three digits are all that a few hundred calls can support.
  const answerRate = attempts === 0 ? null : Math.round((answered / attempts) * 1000) / 1000;
  return { attempts, rang, answered, answerRate };
}

function toHealth(row: HealthRow): Trunk["health"][number] {
  return {
    workerId: row.worker_id,
    isReachable: row.is_reachable,
    isRegistered: row.is_registered,
    circuit: row.circuit,
    trouble: row.trouble,
    reportedAt: row.reported_at.toISOString(),
  };
}
