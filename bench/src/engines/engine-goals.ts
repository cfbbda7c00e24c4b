import type { Goal } from "../goals.ts";
import { percentile } from "../statistics.ts";
import type { MemoryFigures } from "./measure-memory.ts";
import type { EngineLevel } from "./run-level.ts";

/** Of the turns of a level, so many may get no reply, or none that the recording shows. */
const MISSED_SHARE_MAX = 0.02;
const OVERHEAD_P95_MAX_MS = 50;
const MIB_PER_CALL_MAX = 5;
const PEER_SHARE_MAX = 0.5;
export const CALLS_PER_CORE_MIN = 60;

export function isHeld(level: EngineLevel): boolean {
  return overheadP95(level) <= OVERHEAD_P95_MAX_MS && isAnswered(level);
}

/** Too many turns without a reply: what such calls cost cannot be compared. */
function isAnswered({ turns, missed }: EngineLevel): boolean {
  return turns.length > 0 && missed <= (turns.length + missed) * MISSED_SHARE_MAX;
}

/**
 * What our calls cost, as a share of the peer's, at each number of calls that was to be compared. A number of calls that we do not hold is missed;
 * one that the peer does not hold, or was not measured with, has no goal: `incomparable` says so.
 */
export function cpuGoals(
  numbers: readonly number[],
  ours: readonly EngineLevel[],
  peer: readonly EngineLevel[],
): { readonly goals: Goal[]; readonly incomparable: string[] } {
  const goals: Goal[] = [];
  const incomparable: string[] = [];
  for (const calls of numbers) {
    const own = ours.find((level) => level.calls === calls);
    const theirs = peer.find((level) => level.calls === calls);
    const name = `cpu_to_livekit_at_${calls}`;
    const max = PEER_SHARE_MAX;
    if (theirs === undefined || !isAnswered(theirs) || !(theirs.coresPerCall > 0))
      incomparable.push(`${name}: the peer did not hold ${calls} calls, so there is nothing to compare with`);
    else {
      const value = own !== undefined && isAnswered(own) ? own.coresPerCall / theirs.coresPerCall : Number.NaN;
      goals.push({ name, value, max, unit: "x" });
    }
  }
  return { goals, incomparable };
}

/** The same of memory. Ours that was not measured is missed. */
export function memoryGoals([ours, theirs]: readonly Pick<MemoryFigures, "miBPerCall">[]): {
  readonly goals: Goal[];
  readonly incomparable: string[];
} {
  if (ours === undefined) return { goals: [], incomparable: [] };
  const own: Goal = { name: "memory_per_call", value: ours.miBPerCall, max: MIB_PER_CALL_MAX, unit: " MiB" };
  if (theirs === undefined) return { goals: [own], incomparable: [] };
  const name = "memory_to_livekit";
  if (!(theirs.miBPerCall > 0))
    return {
      goals: [own],
      incomparable: [`${name}: the peer's memory did not grow with its calls, so it was not measured`],
    };
  return {
    goals: [own, { name, value: ours.miBPerCall / theirs.miBPerCall, max: PEER_SHARE_MAX, unit: "x" }],
    incomparable: [],
  };
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
