import type { LegMedia } from "@parley/telephony/carrier";
import type { Database } from "../../../platform/database/database.ts";
import { CommitOutcomeUnknown, isDatabaseAway } from "../../../platform/database/failures.ts";
import type { Listener } from "../../../platform/database/listen.ts";
import { NotReady } from "../../../platform/telemetry/readiness.ts";
import type { ClaimedCall, RunDeps } from "../deps.ts";
import { freeForgottenChannels } from "../dialing/attempts.ts";
import {
  abandonLeases,
  claimWaitingCalls,
  findUnknownClaims,
  recordHeartbeat,
  registerWorker,
  renewLeases,
} from "../lease/lease-store.ts";
import { CallRun } from "../run.ts";
import { describeLimit, type Headroom } from "./headroom/forecast.ts";
import type { HeadroomMeter } from "./headroom/headroom-meter.ts";
import { markDraining, reportHeadroom } from "./headroom/headroom-store.ts";
import { type RecoveryDeps, recoverLostCalls } from "./lost-calls.ts";
import type { WorkerPresence } from "./worker-presence.ts";

interface CallWorkerOptions extends RunDeps, Pick<RecoveryDeps, "findCarrier"> {
  readonly id: string;
  /** Connections reserved for leases and the recovery: a queue for the other connections must not cost a call. */
  readonly leaseDb: Database;
  readonly listener: Listener;
  readonly slotsMax: number;
  /** The URL at which other processes of the installation reach this one; null where they cannot. */
  readonly internalUrl: string | null;
  /** Detects dead workers on this machine; null where that is impossible, so that their leases must expire. */
  readonly presence: WorkerPresence | null;
  onLiveCalls(count: number): void;
  /** Called after each attempt to claim calls. */
  onClaim?(isSuccess: boolean): void;
  /** Measures whether one more call can be held well; null to take as many as there are slots. */
  readonly headroom: HeadroomMeter | null;
}

export interface CallWorker {
  /** The audio of a call this worker conducts; null for any other, and before anything was dialed. */
  lineOf(callId: string): LegMedia | null;
  /** Claims no more calls. Resolves when every call has ended. */
  drain(): Promise<void>;
  /** Ends the calls that are still live, politely. */
  hangUpAll(): void;
  /** Throws when calls could not be claimed for a while, because that fails or hangs. */
  checkReady(): void;
}

const POLL_MS = 1000;
const RENEW_MS = 3000;
const RENEW_AGAIN_MS = 500;
const RECOVERY_MS = 2000;
const HEARTBEAT_MS = 1000;
const MEASURE_MS = 1000;
/** The row of a worker is written every so many measurements, and whenever its limit changes. */
const REPORT_EVERY = 3;
/** A worker at its limit changes its mind every few seconds. */
const LOG_EVERY_MS = 60_000;
/** A fail-over of the database takes less; a worker that cannot claim for longer is of no use. */
const CLAIMS_FAIL_MS = 10_000;
// After the database was away, expired leases are not recovered for this long: the owners of live calls need time to renew.
const RECOVERY_QUIET_SECONDS = 15;

/** Claims calls and conducts them until it is drained. */
export function startCallWorker(options: CallWorkerOptions): CallWorker {
  const { id, db, leaseDb, listener, log } = options;
  const runs = new Map<string, CallRun>();
  let isDraining = false;
  let isRegistered = false;
  /** When the statement under way began; null while nothing is being claimed. */
  let claimStartedMs: number | null = null;
  let claimAgain = false;
  /** The reply to a claim was lost, so calls may be ours that we do not know of. */
  let mayHaveUnknownClaims = false;
  let troubleAtMs = Number.NEGATIVE_INFINITY;

  const report = (message: string) => (error: unknown) => log.warn({ error }, message);
  /** The same for work with its own connections: when it cannot connect, the database is unavailable. */
  const reportTrouble = (message: string) => (error: unknown) => {
    if (isDatabaseAway(error)) troubleAtMs = options.monotonicMs();
    report(message)(error);
  };

  /** Claims until no lane has work or every slot is taken. One claim at a time per worker. */
  async function claimAll(): Promise<void> {
    if (!isRegistered) {
      await registerWorker(db, id, options.slotsMax, options.internalUrl);
      // Before it has a call: a gap in the heartbeat while no worker ran must not delay the recovery.
      await recordHeartbeat(leaseDb);
      isRegistered = true;
      // The callees of a predecessor that was killed are still on the line, or their phones ring.
      void recover().catch(reportTrouble("lost calls could not be recovered"));
    }
    if (mayHaveUnknownClaims) {
      const forgotten = await findUnknownClaims(db, id, [...runs.keys()]);
      mayHaveUnknownClaims = false;
      for (const call of forgotten) start(new CallRun(options, { call, sendInMs: 0, listAndCredit: null }));
    }
    do {
      claimAgain = false;
      for (let room = findRoom(); !isDraining && room > 0; room = findRoom()) {
        claimStartedMs = options.monotonicMs();
        const { claimed, hasMore } = await claim(db, id, room);
        claimsFailSinceMs = null;
        for (const each of claimed) start(new CallRun(options, each));
        if (!hasMore) break;
      }
    } while (claimAgain && !isDraining);
  }

  function readHeadroom(): Headroom {
    const { slotsMax, headroom } = options;
    if (headroom !== null) return headroom.read(runs.size);
    const callsMore = slotsMax - runs.size;
    return { callsMore, callsMax: slotsMax, limit: callsMore > 0 ? null : { because: "slots" } };
  }

  function findRoom(): number {
    return readHeadroom().callsMore;
  }

  let measurements = 0;
  let reported = "";
  let loggedMs = Number.NEGATIVE_INFINITY;

  async function measure(): Promise<void> {
    const talking = [...runs.values()].flatMap(({ isTalking, line }) => (isTalking && line ? [line] : []));
    await options.headroom?.measure({ held: runs.size, talking });
    const { callsMax, limit } = readHeadroom();
    const because = limit === null ? "" : limit.because === "late" ? limit.stage : limit.because;
    measurements += 1;
    if (!isRegistered || (because === reported && measurements % REPORT_EVERY !== 0)) return;
    if (limit !== null && limit.because !== "settling" && options.monotonicMs() >= loggedMs + LOG_EVERY_MS) {
      loggedMs = options.monotonicMs();
      log.info({ calls: runs.size, callsMax, limit: describeLimit(limit) }, "starting no more calls for now");
    }
    reported = because;
    await reportHeadroom(leaseDb, id, { held: runs.size, callsMax, limit });
  }

  function start(run: CallRun): void {
    // A call recovered while this worker was suspended may be assigned to it again before it noticed the loss.
    runs.get(run.callId)?.dispatch({ type: "lease.lost" });
    runs.set(run.callId, run);
    options.headroom?.noteStarted();
    options.onLiveCalls(runs.size);
    if (isDraining) run.dispatch({ type: "worker.stopping" });
    void run.finished.then(() => {
      if (runs.get(run.callId) === run) runs.delete(run.callId);
      options.onLiveCalls(runs.size);
      if (!isDraining) wake();
    });
  }

  async function renew(): Promise<void> {
    if (runs.size === 0) return;
    let callIds: readonly string[] = [];
    const leases = await renewLeases(leaseDb, id, () => {
      callIds = [...runs.keys()];
      return { callIds, talkingIds: callIds.filter((callId) => runs.get(callId)?.isTalking) };
    });
    const renewed = new Map(leases.map((lease) => [lease.call_id, lease]));
    for (const callId of callIds) {
      const lease = renewed.get(callId);
      if (!lease) runs.get(callId)?.dispatch({ type: "lease.lost" });
      else if (lease.hangup_requested) runs.get(callId)?.dispatch({ type: "hangup.requested" });
    }
  }

  async function recover(): Promise<void> {
    if (!isRegistered) return;
    await options.presence
      ?.reportDead(async (workerIds) => {
        const runs = await abandonLeases(leaseDb, workerIds);
        log.warn({ workerIds, runs }, "ending calls of dead workers on this machine");
      })
      .catch(reportTrouble("dead workers could not be looked for"));
    const isQuiet = options.monotonicMs() - troubleAtMs >= RECOVERY_QUIET_SECONDS * 1000;
    const { findCarrier } = options;
    const quietSeconds = isQuiet ? RECOVERY_QUIET_SECONDS : null;
    await recoverLostCalls({ db: leaseDb, workerId: id, findCarrier, log, quietSeconds });
    if (!isQuiet) return;
    await freeForgottenChannels(leaseDb);
  }

  let claimsFailSinceMs: number | null = null;
  async function tryToClaim(): Promise<void> {
    if (claimStartedMs !== null) {
      claimAgain = true;
      return;
    }
    claimStartedMs = options.monotonicMs();
    try {
      await claimAll();
      claimsFailSinceMs = null;
      options.onClaim?.(true);
    } catch (error) {
      claimsFailSinceMs ??= claimStartedMs;
      if (error instanceof CommitOutcomeUnknown) mayHaveUnknownClaims = true;
      options.onClaim?.(false);
      report("calls could not be claimed")(error);
    } finally {
      claimStartedMs = null;
    }
  }

  const wake = () => void tryToClaim();
  const poll = every(POLL_MS, tryToClaim);
  const renewal = repeat(RENEW_MS, () =>
    renew().then(
      () => RENEW_MS,
      (error: unknown) => {
        reportTrouble("leases could not be renewed")(error);
        return RENEW_AGAIN_MS;
      },
    ),
  );
  // Apart from the recovery, which waits for carriers to confirm.
  const heartbeat = every(HEARTBEAT_MS, () => {
    const startedMs = options.monotonicMs();
    return recordHeartbeat(leaseDb).then(
      () => options.headroom?.noteDatabaseMs(options.monotonicMs() - startedMs),
      reportTrouble("heartbeat failed"),
    );
  });
  const measuring = every(MEASURE_MS, () => measure().catch(report("headroom could not be measured")));
  const stopRecovering = every(RECOVERY_MS, () => recover().catch(reportTrouble("lost calls could not be recovered")));
  const unlisten = [
    listener.on("parley_queued", wake),
    listener.on("parley_hangups", (callId) => runs.get(callId)?.dispatch({ type: "hangup.requested" })),
    listener.onReconnect(wake),
  ];
  wake();

  return {
    lineOf: (callId) => runs.get(callId)?.line ?? null,
    checkReady() {
      const sinceMs = claimsFailSinceMs ?? claimStartedMs;
      if (sinceMs !== null && options.monotonicMs() - sinceMs >= CLAIMS_FAIL_MS)
        throw new NotReady("calls cannot be claimed");
    },
    async drain() {
      isDraining = true;
      for (const stop of [...unlisten.slice(0, 1), ...unlisten.slice(2)]) stop();
      poll();
      stopRecovering();
      if (isRegistered) await markDraining(leaseDb, id).catch(report("worker could not be marked as draining"));
      for (const run of runs.values()) if (!run.isLive) run.dispatch({ type: "worker.stopping" });
      while (runs.size > 0 || claimStartedMs !== null) {
        await Promise.all([...runs.values()].map((run) => run.finished));
        if (claimStartedMs !== null) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      renewal();
      heartbeat();
      measuring();
      for (const stop of unlisten) stop();
    },
    hangUpAll() {
      for (const run of runs.values()) run.dispatch({ type: "worker.stopping" });
    },
  };
}

/** Repeats work with a pause after each completion. Returns the function that stops it. */
function every(pauseMs: number, work: () => Promise<unknown>): () => void {
  return repeat(pauseMs, () => work().then(() => pauseMs));
}

/** Repeats work that returns the pause until the next time. Returns the function that stops it. */
function repeat(pauseMs: number, work: () => Promise<number>): () => void {
  let isStopped = false;
  let timer = setTimeout(turn, pauseMs);
  function turn(): void {
    void work().then((nextMs) => {
      if (!isStopped) timer = setTimeout(turn, nextMs);
    });
  }
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Claims waiting calls of one lane for a worker, at most `slots`. An empty result means that no lane has work now. */
export async function claimCalls(db: Database, workerId: string, slots: number): Promise<ClaimedCall[]> {
  return (await claim(db, workerId, slots)).claimed;
}

/** The same, and whether another claim may find more. */
async function claim(
  db: Database,
  workerId: string,
  slots: number,
): Promise<{ readonly claimed: ClaimedCall[]; readonly hasMore: boolean }> {
  const rows = await claimWaitingCalls(db, workerId, slots);
  const claimed = rows.map(({ send_in_ms: sendInMs, available_micros, is_suppressed, has_more: _, ...call }) => ({
    call,
    sendInMs,
    listAndCredit: { isSuppressed: is_suppressed, availableMicros: available_micros },
  }));
  return { claimed, hasMore: rows[0]?.has_more ?? false };
}
