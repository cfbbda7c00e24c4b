import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const SAMPLE_EVERY_MS = 250;
/** A thread that wants nothing but to wake up gets its turn within this time, however busy our own tests are. */
const PAUSE_MS = 1_000;
/** A host that takes more of the processor for this long leaves a conversation without ears. */
const TAKEN_SHARE = 0.15;
const WINDOW_MS = 5_000;
const CALM_MS = 20_000;
const WAIT_MAX_MS = 4 * 60_000;

/** What the machine had done by a moment, since it was started. */
interface Sample {
  readonly atMs: number;
  /** Of its processors, in the kernel's ticks: all time, and the time that the host gave to others. */
  readonly ticks: number;
  readonly takenTicks: number;
}

export interface MachineWatch {
  /** What was wrong with the machine between two times, in plain words, or null if it was ours. */
  troubleBetween(startMs: number, endMs: number): string | null;
  /** Waits until the machine has been ours for a while, but not forever. */
  untilCalm(): Promise<void>;
  stop(): void;
}

/**
 * Watches whether the machine is given to the tests: virtual machines share processors with others, and stand still now
 * and then.
 */
export function watchMachine(): MachineWatch {
  const samples: Sample[] = [];
  const sample = () => samples.push({ atMs: Date.now(), ...readTicks() });
  sample();
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  return {
    troubleBetween: (startMs, endMs) => findTrouble(samples, startMs, endMs),
    async untilCalm() {
      const endMs = Date.now() + WAIT_MAX_MS;
      const calmFromMs = Date.now();
      for (;;) {
        const nowMs = Date.now();
        const isCalm = nowMs >= calmFromMs + CALM_MS && findTrouble(samples, nowMs - CALM_MS, nowMs) === null;
        if (isCalm || nowMs >= endMs) return;
        await sleep(1_000);
      }
    },
    stop: () => clearInterval(timer),
  };
}

/** Systems that do not count this time have none of it. */
function readTicks(): { ticks: number; takenTicks: number } {
  try {
    return parseTicks(readFileSync("/proc/stat", "utf8"));
  } catch {
    return { ticks: 0, takenTicks: 0 };
  }
}

/** The line "cpu user nice system idle iowait irq softirq steal ..." of proc(5). */
export function parseTicks(stat: string): { ticks: number; takenTicks: number } {
  const ticks = stat.slice(0, stat.indexOf("\n")).split(/\s+/).slice(1, 9).map(Number);
  return { ticks: ticks.reduce((sum, each) => sum + each, 0), takenTicks: ticks[7] ?? 0 };
}

export function findTrouble(samples: readonly Sample[], startMs: number, endMs: number): string | null {
  const own = samples.filter(({ atMs }) => atMs >= startMs - WINDOW_MS && atMs <= endMs + WINDOW_MS);
  const pauseMs = Math.max(0, ...own.slice(1).map(({ atMs }, index) => atMs - (own[index]?.atMs ?? atMs)));
  if (pauseMs >= PAUSE_MS) return `the machine stood still for ${(pauseMs / 1000).toFixed(1)} s`;
  const share = Math.max(0, ...own.map((end) => shareTaken(own, end)));
  if (share >= TAKEN_SHARE) return `its host took ${Math.round(100 * share)} % of the processor`;
  return null;
}

/** In the window that ends here. 0 where it is not whole. */
function shareTaken(samples: readonly Sample[], end: Sample): number {
  const start = samples.findLast(({ atMs }) => atMs <= end.atMs - WINDOW_MS);
  if (start === undefined || end.ticks === start.ticks) return 0;
  return (end.takenTicks - start.takenTicks) / (end.ticks - start.ticks);
}
