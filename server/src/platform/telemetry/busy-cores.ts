import type { CpuInfo } from "node:os";

/**
 * Returns a function that gives the share of all cores that was busy since it was last called, by any program of the machine; null if
 * no time was counted. Time stolen by a hypervisor is not counted as either.
 */
export function watchBusyCores(readCores: () => readonly CpuInfo[]): () => number | null {
  let before = sum(readCores());
  return () => {
    const now = sum(readCores());
    const [busyMs, totalMs] = [now.busyMs - before.busyMs, now.totalMs - before.totalMs];
    before = now;
    return totalMs <= 0 ? null : busyMs / totalMs;
  };
}

function sum(cores: readonly CpuInfo[]): { busyMs: number; totalMs: number } {
  let [busyMs, totalMs] = [0, 0];
  for (const { times } of cores) {
    const busy = times.user + times.nice + times.sys + times.irq;
    busyMs += busy;
    totalMs += busy + times.idle;
  }
  return { busyMs, totalMs };
}
