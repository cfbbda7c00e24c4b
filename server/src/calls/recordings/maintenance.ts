import { systemClock } from "@parley/time/clock";
import { within } from "@parley/time/within";
import type { Log } from "../../platform/telemetry/log.ts";

/** A task that is repeated. */
interface MaintenanceTask {
  readonly name: string;
  run(): Promise<unknown>;
}

export interface RecordingMaintenance {
  /** Resolves when no task is running, or after a bounded time: the rest is done after the next start. */
  stop(): Promise<void>;
}

interface RecordingMaintenanceOptions {
  readonly tasks: readonly MaintenanceTask[];
  readonly log: Log;
  readonly pauseMs?: number;
}

/** Soon enough for a client that waits for a recording, and cheap if there is nothing to do. */
const PAUSE_MS = 5_000;
/** A disk or an object store that does not respond must not keep the service from stopping. */
const STOP_WITHIN_MS = 5_000;

/**
 * Maintains the recordings of this machine, immediately and then repeatedly. Unlike a job, which runs in one process of
 * the installation, this runs wherever there is a folder of recordings.
 */
export function startRecordingMaintenance({
  tasks,
  log,
  pauseMs = PAUSE_MS,
}: RecordingMaintenanceOptions): RecordingMaintenance {
  let isStopped = false;
  let timer: NodeJS.Timeout | null = null;
  let round = turn();

  async function turn(): Promise<void> {
    for (const { name, run } of tasks) {
      if (isStopped) return;
      await run().catch((error: unknown) => log.warn({ job: name, error }, "recording maintenance failed"));
    }
    if (isStopped) return;
    timer = setTimeout(() => {
      round = turn();
    }, pauseMs);
  }

  return {
    async stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
      await within(systemClock, STOP_WITHIN_MS, round, () => undefined);
    },
  };
}
