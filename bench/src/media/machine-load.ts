import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

const TICKS_PER_SECOND = 100;

/**
 * CPU seconds that the machine has used between two moments, so that a reader sees how noisy a run was. It is derived
 * from the idle time, which the kernel measures; the busy time is only sampled, and periodic programs evade the
 * samples.
 */
export function machineClock(): { elapsedSeconds: number; idleSeconds: number } {
  const fields = (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "").split(/\s+/);
  const [idle, waiting] = [Number(fields[4]), Number(fields[5])];
  return { elapsedSeconds: performance.now() / 1000, idleSeconds: (idle + waiting) / TICKS_PER_SECOND };
}

export function busySecondsBetween(
  before: ReturnType<typeof machineClock>,
  after: ReturnType<typeof machineClock>,
): number {
  const cores = availableParallelism();
  return (after.elapsedSeconds - before.elapsedSeconds) * cores - (after.idleSeconds - before.idleSeconds);
}
