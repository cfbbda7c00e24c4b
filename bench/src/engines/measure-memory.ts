import { setTimeout as settle } from "node:timers/promises";
import { treeOwnMemoryMiB } from "../process-figures.ts";
import type { EngineProgram } from "./engine-programs.ts";
import { ALL_HELD_MS, holdCalls } from "./run-level.ts";

/** What a program holds at some numbers of calls, after garbage collection. */
export interface MemoryFigures {
  readonly name: string;
  readonly held: readonly HeldMemory[];
  /** By how much it grows with each call: the slope over all numbers of calls. */
  readonly miBPerCall: number;
}

interface HeldMemory {
  readonly calls: number;
  readonly miB: number;
}

const LOOKS = 6;
const BETWEEN_LOOKS_MS = 1_500;
const TURNS_PER_CALL = 3;

/**
 * Holds none, half and all of these calls at once. Half of them are held once before, so that what is loaded and compiled
 * with the first calls, and kept after the last, counts for none. The program must be fresh: what more calls have left
 * behind would hide what these need.
 */
export async function measureMemory(program: EngineProgram, callsMax: number): Promise<MemoryFigures> {
  const half = Math.ceil(callsMax / 2);
  await heldMiB(program, half);
  const held: HeldMemory[] = [];
  for (const calls of [0, half, 2 * half]) held.push({ calls, miB: await heldMiB(program, calls) });
  const miBPerCall = slopeOf(held);
  // Calls need memory: a program that seems to give some back was not measured.
  return { name: program.name, held, miBPerCall: miBPerCall > 0 ? miBPerCall : Number.NaN };
}

async function heldMiB(program: EngineProgram, calls: number): Promise<number> {
  if (calls === 0) return lookAtMemory(program);
  const holding = await holdCalls(program, calls, TURNS_PER_CALL);
  await settle(ALL_HELD_MS);
  const miB = await lookAtMemory(program);
  await Promise.all(holding);
  return miB;
}

/** The least of several looks: what was freed in the meantime, or is only freed by another collection, is not in use. */
async function lookAtMemory(program: EngineProgram): Promise<number> {
  const seenMiB: number[] = [];
  for (let look = 0; look < LOOKS; look++) {
    await settle(BETWEEN_LOOKS_MS);
    await program.collect();
    seenMiB.push(treeOwnMemoryMiB(program.pid));
  }
  return Math.min(...seenMiB);
}

/** Of the straight line through these that is nearest to them. */
function slopeOf(held: readonly HeldMemory[]): number {
  const middle = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const calls = middle(held.map((each) => each.calls));
  const miB = middle(held.map((each) => each.miB));
  const along = held.reduce((sum, each) => sum + (each.calls - calls) * (each.miB - miB), 0);
  return along / held.reduce((sum, each) => sum + (each.calls - calls) ** 2, 0);
}
