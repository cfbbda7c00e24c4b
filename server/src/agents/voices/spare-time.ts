import { monitorEventLoopDelay } from "node:perf_hooks";

export interface SpareTime {
  /** Whether something may be worked on that nobody waits for. */
  hasSpareTime(): boolean;
  close(): void;
}

/** A thread that wakes up so late is short of processor time, and so are those that talk to callees. */
const LATE_MS = 30;
const NANOSECONDS_PER_MS = 1e6;
/** How often the thread looks at the clock. */
const RESOLUTION_MS = 10;

/** Watches how late this thread runs. While it is late and calls are live, there is no time to spare. */
export function watchSpareTime(liveCalls: () => number): SpareTime {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return {
    hasSpareTime() {
      const lateMs = delays.percentile(95) / NANOSECONDS_PER_MS - RESOLUTION_MS;
      delays.reset();
      return liveCalls() === 0 || !(lateMs > LATE_MS);
    },
    close: () => delays.disable(),
  };
}
