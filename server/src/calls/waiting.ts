import type { Call, WaitingReason } from "@parley/contract/calls";
import type { Database } from "../platform/database/database.ts";
import type { Capacity } from "../platform/telemetry/metrics.ts";
import { type CallRow, toCall } from "./call-record.ts";
import {
  countWaiting,
  type LaneLimits,
  listLiveWorkers,
  readLaneLimits,
} from "./runs/worker/headroom/headroom-store.ts";

const EXPLANATIONS: Readonly<Record<WaitingReason, string>> = {
  concurrency_limit: "The account has reached its limit of concurrent calls. This one is dialed when another ends.",
  rate_limit: "The account has reached its limit of new calls per second. This one is dialed in its turn.",
  capacity: "All machines are busy with other calls. This one is dialed as soon as one has capacity.",
  no_worker: "No process that conducts calls is running. The call is dialed when there is one.",
  next: "The call is about to be dialed.",
};

/** The first reason that would still hold if the others were gone. */
function waitingReason(limits: LaneLimits): WaitingReason {
  if (limits.has_no_worker) return "no_worker";
  if (limits.has_no_slot) return "concurrency_limit";
  if (limits.has_no_room) return "capacity";
  return limits.is_paced ? "rate_limit" : "next";
}

const explain = (reason: WaitingReason) => ({ reason, explanation: EXPLANATIONS[reason] });
/** A process has the call, and makes its voice and its recognition ready first. After a start these have to be loaded. */
const PREPARED = {
  reason: "next",
  explanation: "The agent is being prepared for the call, which is then dialed.",
} as const;

/** Calls of one account and mode, those in the queue with the reason why they wait. */
export async function toCallsWithWaiting(db: Database, rows: readonly CallRow[]): Promise<Call[]> {
  const calls = rows.map(toCall);
  const queued = rows.find((row, index) => row.state === "queued" && calls[index]?.phase === "queued");
  const limits = queued ? await readLaneLimits(db, queued.account_id, queued.mode) : null;
  const waiting = limits && explain(waitingReason(limits));
  return calls.map((call, index) =>
    call.phase === "queued" ? { ...call, waiting: rows[index]?.state === "claimed" ? PREPARED : waiting } : call,
  );
}

/** What the workers hold, and why calls wait, for the metrics. */
export async function readCapacity(db: Database): Promise<Capacity> {
  const [workers, lanes] = await Promise.all([listLiveWorkers(db), countWaiting(db)]);
  return {
    workers: workers.map(({ id, calls_held: calls, calls_max: callsMax, limited_by: limit }) => ({
      id,
      calls,
      callsMax: callsMax ?? 0,
      limit: limit && (limit.because === "late" ? `late_${limit.stage}` : limit.because),
    })),
    waiting: lanes.map((lane) => ({ reason: waitingReason(lane), calls: lane.calls })),
  };
}
