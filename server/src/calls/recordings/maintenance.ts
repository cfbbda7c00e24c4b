import { systemClock } from "@parley/time/clock";
import { within } from "@parley/time/within";
import type { Log } from "../../platform/telemetry/log.ts";

/** Something that is looked after again and again. */
interface MaintenanceTask {
  readonly name: string;
  run(): Promise<unknown>;
}

export interface RecordingMaintenance {
  /** Resolves when nothing is under way any more, or after a bounded time: what is left is done after the next start. */
  stop(): Promise<void>;
}

interface RecordingMaintenanceOptions {
  readonly chores: readonly MaintenanceTask[];
  readonly log: Log;
  readonly pauseMs?: number;
}

/** So often is soon enough for whoever waits for a recording, and costs next to nothing when there is nothing to do. */
const PAUSE_MS = 5_000;
/** A disk or a store that does not answer must not keep the service from stopping. */
const STOP_WITHIN_MS = 5_000;

/**
 * Looks after the recordings of this machine, at once and then again and again. Unlike jobs, of which one process in the
 * whole installation takes each, this runs wherever there is a folder with recordings in it.
 */
export function startRecordingMaintenance({
  chores,
  log,
  pauseMs = PAUSE_MS,
}: RecordingMaintenanceOptions): RecordingMaintenance {
  let isStopped = false;
  let timer: NodeJS.Timeout | null = null;
  let round = turn();

  async function turn(): Promise<void> {
    for (const { name, run } of chores) {
      if (isStopped) return;
      await run().catch((error: unknown) => log.warn({ chore: name, error }, "recordings could not be looked after"));
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
