import { type ChildProcess, fork } from "node:child_process";
import type { Timers } from "@parley/time/clock";
import type { Environment } from "../platform/config/read-settings.ts";
import type { Log } from "../platform/telemetry/log.ts";

export interface WorkerProcessesOptions {
  readonly count: number;
  /** The settings of each, by its number from 0. */
  environmentOf(number: number): Environment;
  readonly timers: Timers;
  readonly log: Pick<Log, "info" | "warn">;
  /** Starts the program of the service with other settings. */
  readonly start?: (environment: Environment) => WorkerProcess;
}

type WorkerProcess = Pick<ChildProcess, "pid" | "kill" | "once">;

export interface WorkerProcesses {
  /** Passes a signal on and resolves when all have ended. None is started again. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

const RESTART_FIRST_MS = 500;
const RESTART_MAX_MS = 30_000;
/** A process that lived this long ended for an unrelated cause. */
const LIVED_WELL_MS = 60_000;

/** Starts processes that conduct calls beside this one, and starts those again that end by themselves. */
export function startWorkerProcesses(options: WorkerProcessesOptions): WorkerProcesses {
  const { count, environmentOf, timers, log, start = forkService } = options;
  const running = new Set<WorkerProcess>();
  const pendingRestarts = new Set<() => void>();
  let isStopping = false;
  let allEnded = Promise.withResolvers<void>();

  function open(number: number, failures: number): void {
    const worker = start(environmentOf(number));
    let livedWell = false;
    const cancel = timers.setTimer(LIVED_WELL_MS, () => {
      livedWell = true;
    });
    running.add(worker);
    worker.once("exit", (code: number | null, signal: NodeJS.Signals | null) => {
      cancel();
      running.delete(worker);
      if (isStopping) {
        if (running.size === 0) allEnded.resolve();
        return;
      }
      const next = livedWell ? 0 : failures + 1;
      const delayMs = Math.min(RESTART_MAX_MS, RESTART_FIRST_MS * 2 ** next);
      log.warn({ pid: worker.pid, code, signal, delayMs }, "worker process ended; starting another");
      const cancelRestart = timers.setTimer(delayMs, () => {
        pendingRestarts.delete(cancelRestart);
        open(number, next);
      });
      pendingRestarts.add(cancelRestart);
    });
  }

  for (let each = 0; each < count; each++) open(each, 0);
  log.info({ count, pids: [...running].map(({ pid }) => pid) }, "worker processes started");
  return {
    async stop(signal) {
      isStopping = true;
      for (const cancel of pendingRestarts) cancel();
      pendingRestarts.clear();
      allEnded = Promise.withResolvers<void>();
      if (running.size === 0) return;
      for (const worker of running) worker.kill(signal);
      await allEnded.promise;
    },
  };
}

/**
 * Starts the program of this process once more. The channel between them ends with this one: a worker whose parent was killed
 * notices, and stops in order.
 */
function forkService(environment: Environment): WorkerProcess {
  const program = process.argv[1];
  if (program === undefined) throw new Error("the program of the service is not known");
  return fork(program, {
    env: { ...environment },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}
