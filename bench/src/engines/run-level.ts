import { setTimeout as settle } from "node:timers/promises";
import { busySecondsBetween, machineClock } from "../media/machine-load.ts";
import { treeCpuSeconds } from "../process-figures.ts";
import { isQuick } from "../quick.ts";
import type { Child } from "../turns/child.ts";
import type { CallNotes, EngineProgram } from "./engine-programs.ts";
import { engineCallee } from "./engine-scene.ts";
import { type EngineTurn, findTurns } from "./engine-turns.ts";
import type { VendorsCommand, VendorsNotice } from "./vendor-messages.ts";

export interface EngineLevel {
  readonly name: string;
  readonly calls: number;
  readonly turns: readonly EngineTurn[];
  /** Turns that got no reply, or whose requests were not found. */
  readonly missed: number;
  readonly coresPerCall: number;
  /** Of the whole machine. */
  readonly busyCores: number;
}

export type Vendors = Child<VendorsCommand, VendorsNotice>;

/** Calls do not begin together. */
const SPREAD_MS = isQuick ? 0 : 4_000;
/** Until then, the last of them has begun. */
export const ALL_HELD_MS = SPREAD_MS + 1_000;

/** Begins this many calls, one after the other. Resolves when all are open and the first one is answered. */
export async function holdCalls(
  program: EngineProgram,
  calls: number,
  turnsPerCall: number,
): Promise<readonly Promise<CallNotes>[]> {
  await program.open(Array.from({ length: calls }, (_, index) => engineCallee(index, turnsPerCall)));
  return Array.from({ length: calls }, async (_, call) => {
    await settle((SPREAD_MS * call) / calls);
    return program.hold(call);
  });
}

/** Holds this many calls at once, and measures the program while all of them are held. */
export async function runLevel(
  program: EngineProgram,
  vendors: Vendors,
  calls: number,
  turnsPerCall: number,
): Promise<EngineLevel> {
  vendors.tell({ type: "reset" });
  const holding = await holdCalls(program, calls, turnsPerCall);
  await settle(ALL_HELD_MS);
  const before = { cpu: treeCpuSeconds(program.pid), atMs: performance.now(), machine: machineClock() };
  await Promise.race(holding);
  const seconds = (performance.now() - before.atMs) / 1_000;
  const coresPerCall = (treeCpuSeconds(program.pid) - before.cpu) / seconds / calls;
  const busyCores = busySecondsBetween(before.machine, machineClock()) / seconds;
  // Recordings are read only then: the machine must not be busy with them while there are calls.
  const notes = await Promise.all(holding);
  const collected = vendors.next("turns");
  vendors.tell({ type: "collect" });
  const turns = findTurns(notes, (await collected).turns);
  return {
    name: program.name,
    calls,
    turns,
    missed: calls * turnsPerCall - turns.length,
    coresPerCall,
    busyCores,
  };
}
