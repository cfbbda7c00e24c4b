import { cpus } from "node:os";
import type { Clock } from "@parley/time/clock";
import type { Database } from "../../../platform/database/database.ts";
import type { Log } from "../../../platform/telemetry/log.ts";
import type { RecordingSource } from "./callee-audio.ts";
import { type Recognize, reviseCall } from "./revise-call.ts";
import { type RecordedPosition, readUnrevised } from "./second-pass-store.ts";

/** A recognizer that is loaded for this, and ended when there is nothing left to do. */
export interface StrongerModel {
  recognize: Recognize;
  end(): Promise<void>;
}

interface SecondPassOptions {
  readonly db: Database;
  readonly sources: readonly RecordingSource[];
  readonly model: string;
  readonly clock: Clock;
  readonly log: Log;
  openModel(): Promise<StrongerModel>;
  hasSpareTime(): Promise<boolean>;
}

export interface SecondPass {
  /** Resolves when no work is running. */
  stop(): Promise<void>;
}

const PAUSE_MS = 5_000;
const BUSY_PAUSE_MS = 2_000;
const BATCH = 50;
/** Calls that ended longer ago are not transcribed again, even if the setting is new. */
const LOOK_BACK_MS = 24 * 60 * 60_000;
/** How far later rounds look back: recordings are finished, and leases expire, after the call. */
const LOOK_AGAIN_MS = 60 * 60_000;

class Stopped extends Error {}

/** Transcribes calls that have ended again, one after the other, wherever their recordings are. */
export function startSecondPass(options: SecondPassOptions): SecondPass {
  const { db, clock, log } = options;
  let isStopped = false;
  let wake: (() => void) | null = null;
  let lookBackMs = LOOK_BACK_MS;
  const running = keepGoing();

  function pause(pauseMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.setTimer(pauseMs, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  }

  async function waitForSpareTime(): Promise<void> {
    while (!isStopped && !(await options.hasSpareTime())) await pause(BUSY_PAUSE_MS);
    if (isStopped) throw new Stopped("the service is being stopped");
  }

  async function keepGoing(): Promise<void> {
    while (!isStopped) {
      await round().catch((error: unknown) => {
        if (!(error instanceof Stopped)) log.warn({ error }, "second pass failed");
      });
      if (!isStopped) await pause(PAUSE_MS);
    }
  }

  async function round(): Promise<void> {
    let opening: Promise<StrongerModel> | null = null;
    const recognize: Recognize = async (samples) => {
      opening ??= options.openModel();
      return (await opening).recognize(samples);
    };
    try {
      let after: RecordedPosition = { endedAt: new Date(Date.now() - lookBackMs), id: "" };
      for (;;) {
        const calls = await readUnrevised(db, after, BATCH);
        for (const call of calls) {
          if (isStopped) return;
          const outcome = await reviseCall({ ...options, recognize, waitForSpareTime }, call);
          if (outcome !== "elsewhere") log.debug({ callId: call.id, outcome }, "second pass finished");
          after = { endedAt: call.ended_at, id: call.id };
        }
        if (calls.length < BATCH) break;
      }
      lookBackMs = LOOK_AGAIN_MS;
    } finally {
      const [opened] = await Promise.allSettled(opening === null ? [] : [opening as Promise<StrongerModel>]);
      if (opened?.status === "fulfilled") await opened.value.end();
    }
  }

  return {
    async stop() {
      isStopped = true;
      wake?.();
      await running;
    },
  };
}

/** The CPU time since boot, in milliseconds over all CPUs. */
interface ProcessorTimes {
  /** Work of normal priority. */
  readonly busyMs: number;
  readonly totalMs: number;
}

/** Above this share of normal work a call may have to wait for a CPU. */
const BUSY_SHARE = 0.5;

/** Work of low priority, such as our own, does not count: it yields. */
export function readProcessorTimes(): ProcessorTimes {
  let [busyMs, totalMs] = [0, 0];
  for (const { times } of cpus()) {
    busyMs += times.user + times.sys + times.irq;
    totalMs += times.user + times.sys + times.irq + times.nice + times.idle;
  }
  return { busyMs, totalMs };
}

/**
 * Whether there is CPU time for background work: always while no call is running, otherwise while the CPUs were
 * mostly idle since the last check.
 */
export function createSpareMachine(
  hasLiveCalls: () => Promise<boolean>,
  read: () => ProcessorTimes = readProcessorTimes,
): () => Promise<boolean> {
  let last = read();
  return async () => {
    const now = read();
    const [busyMs, totalMs] = [now.busyMs - last.busyMs, now.totalMs - last.totalMs];
    last = now;
    if (!(await hasLiveCalls())) return true;
    return totalMs > 0 && busyMs / totalMs < BUSY_SHARE;
  };
}
