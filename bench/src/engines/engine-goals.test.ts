import { expect, test } from "vitest";
import { printGoals } from "../goals.ts";
import { cpuGoals, goalsOf, memoryGoals } from "./engine-goals.ts";
import type { EngineLevel } from "./run-level.ts";

function levelOf(calls: number, overheadMs: number, coresPerCall: number): EngineLevel {
  const turn = { overheadMs } as EngineLevel["turns"][number];
  return { name: "ours", calls, turns: Array.from({ length: 20 }, () => turn), missed: 0, coresPerCall, busyCores: 1 };
}

function goalNamed(name: string, levels: readonly EngineLevel[]) {
  const goal = goalsOf(levels, 30).find((each) => each.name === name);
  if (goal === undefined) throw new Error(`there is no goal ${name}`);
  return goal;
}

test("calls for a core are those of the largest number that was held well", () => {
  const levels = [levelOf(10, 20, 0.01), levelOf(30, 20, 0.0125), levelOf(60, 400, 0.001)];
  expect(goalNamed("calls_per_core", levels).value).toBe(80);
  expect(goalNamed("calls_held", levels)).toMatchObject({ value: 30, min: 30 });
});

test("where no number of calls was held well, there is no figure for a core, and its goal is missed", () => {
  const levels = [levelOf(10, 400, 0.001)];
  expect(goalNamed("calls_per_core", levels).value).toBeNaN();
  expect(printGoals("engines", [goalNamed("calls_per_core", levels)])).toBe(false);
  expect(printGoals("engines", [goalNamed("calls_held", levels)])).toBe(false);
});

test("fewer calls than they should be miss the goal", () => {
  expect(printGoals("engines", [goalNamed("calls_held", [levelOf(10, 20, 0.01)])])).toBe(false);
  expect(printGoals("engines", [goalNamed("calls_held", [levelOf(30, 20, 0.01)])])).toBe(true);
});

test("what calls cost is compared at every number of calls that the peer holds, and missed where we do not", () => {
  const ours = [levelOf(10, 20, 0.01)];
  const peer = [levelOf(10, 20, 0.04), levelOf(30, 20, 0.04)];
  const { goals, incomparable } = cpuGoals([10, 30], ours, peer);
  expect(goals).toMatchObject([
    { name: "cpu_to_livekit_at_10", value: 0.25 },
    { name: "cpu_to_livekit_at_30", value: Number.NaN },
  ]);
  expect(printGoals("engines", goals)).toBe(false);
  expect(incomparable).toEqual([]);
});

test("where the peer gave no figure there is no goal that we could miss, and the output says so", () => {
  const silent = { ...levelOf(10, 20, 0.04), turns: [], missed: 60 };
  const { goals, incomparable } = cpuGoals([10, 30], [levelOf(10, 20, 0.01)], [silent]);
  expect(goals).toEqual([]);
  expect(incomparable).toEqual([
    expect.stringContaining("cpu_to_livekit_at_10"),
    expect.stringContaining("cpu_to_livekit_at_30"),
  ]);
  const memory = memoryGoals([{ miBPerCall: 3 }, { miBPerCall: Number.NaN }]);
  expect(memory.goals).toMatchObject([{ name: "memory_per_call", value: 3 }]);
  expect(memory.incomparable).toEqual([expect.stringContaining("memory_to_livekit")]);
});

test("our own memory that was not measured is missed", () => {
  expect(printGoals("engines", memoryGoals([{ miBPerCall: Number.NaN }, { miBPerCall: 8 }]).goals)).toBe(false);
});
