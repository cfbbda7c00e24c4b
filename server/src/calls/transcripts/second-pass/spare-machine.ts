import { cpus } from "node:os";

/** What the processors did since the machine was started, in milliseconds over all of them. */
export interface ProcessorTimes {
  /** Work of ordinary priority. */
  readonly busyMs: number;
  readonly totalMs: number;
}

/** Above this share of ordinary work a call may have to wait for a processor. */
const BUSY_SHARE = 0.5;

/** Work of low priority, such as our own, does not count: it gives way. */
export function readProcessorTimes(): ProcessorTimes {
  let [busyMs, totalMs] = [0, 0];
  for (const { times } of cpus()) {
    busyMs += times.user + times.sys + times.irq;
    totalMs += times.user + times.sys + times.irq + times.nice + times.idle;
  }
  return { busyMs, totalMs };
}

/**
 * Says whether there is time for work that nobody waits for: always while no call is under way, and else while the
 * processors had little to do since the last time it was asked.
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
