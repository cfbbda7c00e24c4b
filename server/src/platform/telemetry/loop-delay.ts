import { monitorEventLoopDelay } from "node:perf_hooks";

/** How late the event loop of the current thread runs. */
export interface LoopDelay {
  /** Since the last time, at the percentile. */
  takeLateMs(): number;
  close(): void;
}

const NANOSECONDS_PER_MS = 1e6;
/** How often the thread looks at the clock. */
const RESOLUTION_MS = 10;

export function watchLoopDelay(percentile = 99): LoopDelay {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return {
    takeLateMs() {
      const lateMs = delays.percentile(percentile) / NANOSECONDS_PER_MS - RESOLUTION_MS;
      delays.reset();
      // Nothing was measured yet.
      return Number.isFinite(lateMs) ? Math.max(0, lateMs) : 0;
    },
    close: () => delays.disable(),
  };
}
