import { cpus } from "node:os";

/** The CPU time since boot, in milliseconds over all CPUs. */
export interface ProcessorTimes {
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
 * Tells whether there is CPU time for background work: always while no call is running, otherwise while the CPUs were
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
