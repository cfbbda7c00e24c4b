import type { Goal } from "../goals.ts";
import { percentile } from "../statistics.ts";
import type { EngineLevel } from "./run-level.ts";

/** Of the turns of a level, so many may get no reply, or none that the recording shows. */
const MISSED_SHARE_MAX = 0.02;
const OVERHEAD_P95_MAX_MS = 50;
export const CALLS_PER_CORE_MIN = 60;

export function isHeld(level: EngineLevel): boolean {
  const all = level.turns.length + level.missed;
  return overheadP95(level) <= OVERHEAD_P95_MAX_MS && level.missed <= all * MISSED_SHARE_MAX;
}

/** The goals of what was measured; `callsHeldMin` is for the largest number of calls that was held well. */
export function goalsOf(levels: readonly EngineLevel[], callsHeldMin: number): Goal[] {
  const largest = levels.filter(isHeld).at(-1);
  return [
    ...levels.map((level): Goal => {
      return {
        name: `overhead_p95_at_${level.calls}`,
        value: overheadP95(level),
        max: OVERHEAD_P95_MAX_MS,
        unit: " ms",
      };
    }),
    { name: "calls_held", value: largest?.calls ?? 0, min: callsHeldMin },
    // Calls that were not held well cost nothing that could be compared.
    {
      name: "calls_per_core",
      value: largest === undefined ? Number.NaN : 1 / largest.coresPerCall,
      min: CALLS_PER_CORE_MIN,
    },
  ];
}

function overheadP95({ turns }: EngineLevel): number {
  return percentile(
    turns.map(({ overheadMs }) => overheadMs),
    95,
  );
}
