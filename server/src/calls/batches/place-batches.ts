import { NewCall } from "@parley/contract/calls";
import { AppError, type ErrorCode } from "@parley/contract/errors";
import type { Timers } from "@parley/time/clock";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import { type Caller, type CreateCallDeps, createCall } from "../create-call.ts";
import {
  type DueRow,
  finishBatches,
  lockDueRow,
  moveBatch,
  readBatchRooms,
  setRowPlaced,
  setRowRefused,
} from "./batch-store.ts";

/** A run that finds more leaves the rest to the next one. */
const PLACED_AT_ONCE = 5_000;

/** What every following row would be refused for, too. The batch waits for a person. */
const PAUSING: Partial<Record<ErrorCode, string>> = {
  insufficient_credit: "The credit of the account does not cover the next call.",
  spend_limit_reached: "A spend cap was reached.",
  agent_not_found: "The agent was deleted.",
  agent_not_published: "The agent has no published version.",
  engine_unavailable: "The engine is not available.",
};

interface PlaceBatchesDeps extends CreateCallDeps {
  readonly db: Database;
}

interface PlacingResult {
  /** How many rows were placed or refused. */
  readonly settled: number;
  /** Whether rows are left that wait until earlier calls are dialed. */
  readonly isMoreLater: boolean;
}

/**
 * Places the calls of running batches, each row at most once however many processes do this and whenever they die: a row
 * is marked in the transaction that creates its call. A batch that is far enough ahead of dialing, and a full queue, leave
 * the rest for a later run.
 */
export async function placeBatches(
  deps: PlaceBatchesDeps,
  mustStop: () => boolean = () => false,
): Promise<PlacingResult> {
  const rooms = new Map((await readBatchRooms(deps.db)).map(({ batch_id: id, room }) => [id, room]));
  const full = [...rooms].flatMap(([id, room]) => (room === 0 ? [id] : []));
  let settled = 0;
  while (settled < PLACED_AT_ONCE && !mustStop()) {
    const due = await settleRow(deps, full);
    if (due === null) break;
    settled += 1;
    const room = (rooms.get(due.batch_id) ?? 1) - 1;
    rooms.set(due.batch_id, room);
    if (room === 0) full.push(due.batch_id);
  }
  await finishBatches(deps.db);
  return { settled, isMoreLater: full.length > 0 };
}

/** Places or refuses one row. Null when there is none. */
async function settleRow(deps: PlaceBatchesDeps, full: string[]): Promise<DueRow | null> {
  let due: DueRow | null = null;
  try {
    await inTransaction(deps.db, async (tx) => {
      due = await lockDueRow(tx, full);
      if (due !== null) await placeRow(deps, tx, due);
    });
  } catch (error) {
    const failed = due as DueRow | null;
    if (failed === null || !(error instanceof AppError)) throw error;
    await refuseRow(deps, failed, error, full);
  }
  return due;
}

async function placeRow(deps: PlaceBatchesDeps, tx: Tx, due: DueRow): Promise<void> {
  const caller = callerOf(due);
  if (caller === null) throw new AppError("invalid_state", "The key or member that created the batch is gone.");
  const request = NewCall.parse({ ...due.request, ...due.fields, phoneNumber: due.phone_number });
  const accepted = await createCall(deps, tx, caller, due.mode, request);
  await setRowPlaced(tx, due, accepted.call.id);
  await accepted.admit(tx);
}

function callerOf({
  account_id: accountId,
  api_key_id: keyId,
  member_id: memberId,
  is_key_revoked,
}: DueRow): Caller | null {
  if (keyId !== null) return is_key_revoked ? null : { kind: "key", accountId, keyId };
  return memberId === null ? null : { kind: "member", accountId, memberId };
}

async function refuseRow(deps: PlaceBatchesDeps, due: DueRow, error: AppError, full: string[]): Promise<void> {
  if (error.code === "queue_full") {
    full.push(due.batch_id);
    return;
  }
  const because = error.code === "invalid_state" ? error.message : PAUSING[error.code];
  await inTransaction(deps.db, async (tx) => {
    if (because !== undefined) await moveBatch(tx, due.batch_id, ["running"], "paused", because);
    else await setRowRefused(tx, due, { code: error.code, message: error.message });
  });
}

interface BatchPlacer {
  /** Begins a run, or another one after the current. */
  start(): void;
  /** Ends the current run after its row. */
  stop(): Promise<void>;
}

/** How long rows wait for earlier calls of their batch to be dialed. */
const NEXT_RUN_MS = 500;

/** Places batches in this process without delay, one run at a time, until no row is left. Other processes look once a minute. */
export function createBatchPlacer(
  deps: PlaceBatchesDeps,
  timers: Timers,
  onError: (error: unknown) => void,
): BatchPlacer {
  let running: Promise<void> | null = null;
  let isWanted = false;
  let isStopped = false;
  let cancelNextRun: (() => void) | null = null;

  async function runWhileWanted(): Promise<void> {
    while (isWanted && !isStopped) {
      isWanted = false;
      cancelNextRun?.();
      cancelNextRun = null;
      try {
        const { isMoreLater } = await placeBatches(deps, () => isStopped);
        if (isMoreLater && !isStopped) cancelNextRun = timers.setTimer(NEXT_RUN_MS, start);
      } catch (error) {
        onError(error);
      }
    }
    running = null;
  }

  function start(): void {
    isWanted = true;
    running ??= runWhileWanted();
  }

  return {
    start,
    async stop() {
      isStopped = true;
      cancelNextRun?.();
      await running;
    },
  };
}
