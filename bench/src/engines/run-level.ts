import { setTimeout as settle } from "node:timers/promises";
import { busySecondsBetween, machineClock } from "../media/machine-load.ts";
import { treeCpuSeconds, treeOwnMemoryMiB } from "../process-figures.ts";
import { percentile } from "../statistics.ts";
import type { Child } from "../turns/child.ts";
import type { CallNotes, EngineProgram } from "./engine-programs.ts";
import { engineCallee } from "./engine-scene.ts";
import type { VendorsCommand, VendorsNotice, VendorTurn } from "./vendor-messages.ts";

export interface EngineLevel {
  readonly name: string;
  readonly calls: number;
  readonly turns: readonly EngineTurn[];
  /** Turns that got no reply, or whose requests were not found. */
  readonly missed: number;
  readonly coresPerCall: number;
  readonly memoryMiBPerCall: number;
  /** Of the whole machine. */
  readonly busyCores: number;
}

export type Vendors = Child<VendorsCommand, VendorsNotice>;

/** Calls do not begin together. */
const SPREAD_MS = 4_000;
const BETWEEN_LOOKS_MS = 2_000;

/** Holds this many calls at once, and measures the program while all of them are held. */
export async function runLevel(
  program: EngineProgram,
  vendors: Vendors,
  calls: number,
  turnsPerCall: number,
): Promise<EngineLevel> {
  vendors.tell({ type: "reset" });
  const idleMiB = treeOwnMemoryMiB(program.pid);
  await program.open(Array.from({ length: calls }, (_, index) => engineCallee(index, turnsPerCall)));
  const holding = Array.from({ length: calls }, async (_, call) => {
    await settle((SPREAD_MS * call) / calls);
    return program.hold(call);
  });
  await settle(SPREAD_MS + 1_000);
  const before = { cpu: treeCpuSeconds(program.pid), atMs: performance.now(), machine: machineClock() };
  const memory = new AbortController();
  const looks = lookAtMemory(program.pid, memory.signal);
  await Promise.race(holding);
  const seconds = (performance.now() - before.atMs) / 1_000;
  const coresPerCall = (treeCpuSeconds(program.pid) - before.cpu) / seconds / calls;
  const busyCores = busySecondsBetween(before.machine, machineClock()) / seconds;
  memory.abort();
  const inUseMiB = percentile(await looks, 50);
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
    memoryMiBPerCall: (inUseMiB - idleMiB) / calls,
    busyCores,
  };
}

async function lookAtMemory(pid: number, signal: AbortSignal): Promise<number[]> {
  const seenMiB: number[] = [];
  while (!signal.aborted) {
    seenMiB.push(treeOwnMemoryMiB(pid));
    await settle(BETWEEN_LOOKS_MS, undefined, { signal }).catch(() => undefined);
  }
  return seenMiB;
}

export function printLevels(levels: readonly EngineLevel[]): void {
  console.log(
    `\n${"".padEnd(22)}calls  response p50    p95   vendors p50: recognition  model  synthesis   overhead p50    p95   on the wire p95 ms  missed   cores/call   MiB/call   machine busy`,
  );
  for (const { name, calls, turns, missed, coresPerCall, memoryMiBPerCall, busyCores } of levels) {
    const at = (value: (turn: EngineTurn) => number, percent: number) => percentile(turns.map(value), percent);
    console.log(
      name.padEnd(22) +
        String(calls).padStart(5) +
        at((turn) => turn.responseMs, 50)
          .toFixed(0)
          .padStart(14) +
        at((turn) => turn.responseMs, 95)
          .toFixed(0)
          .padStart(7) +
        at((turn) => turn.vendor.recognitionMs, 50)
          .toFixed(0)
          .padStart(26) +
        at((turn) => turn.vendor.modelMs, 50)
          .toFixed(0)
          .padStart(7) +
        at((turn) => turn.vendor.synthesisMs, 50)
          .toFixed(0)
          .padStart(11) +
        at((turn) => turn.overheadMs, 50)
          .toFixed(0)
          .padStart(15) +
        at((turn) => turn.overheadMs, 95)
          .toFixed(0)
          .padStart(7) +
        at((turn) => turn.overheadMs + turn.wireMs - turn.responseMs, 95)
          .toFixed(0)
          .padStart(18) +
        String(missed).padStart(11) +
        coresPerCall.toFixed(4).padStart(13) +
        memoryMiBPerCall.toFixed(2).padStart(11) +
        `${busyCores.toFixed(2)} cores`.padStart(15),
    );
  }
}

/** A turn as its callee heard it, with what its vendors took. */
interface EngineTurn {
  /** From the end of the callee's speech to the agent's voice, as packets at the callee's end. */
  readonly wireMs: number;
  /** The same on the recording, without the buffers of the network. */
  readonly responseMs: number;
  readonly vendor: VendorTurn;
  readonly overheadMs: number;
}

/** Further apart than this, they are not about the same turn. */
const APART_MAX_MS = 600;

/** Callees and vendors do not know of each other: the connection whose turns ended when the callee did is the callee's. */
function findTurns(calls: readonly CallNotes[], vendorTurns: readonly VendorTurn[]): EngineTurn[] {
  const streams = Map.groupBy(vendorTurns, ({ stream }) => stream);
  return calls.flatMap(({ notes, originMs, recordedMs }) => {
    const endsMs = notes.map(({ endMs }) => originMs + endMs);
    const distances = [...streams].map(([stream, turns]) => ({ stream, apartMs: distanceOf(endsMs, turns) }));
    const nearest = distances.toSorted((one, other) => one.apartMs - other.apartMs)[0];
    if (nearest === undefined) return [];
    const turns = streams.get(nearest.stream) ?? [];
    streams.delete(nearest.stream);
    return notes.flatMap(({ endMs, agentVoiceMs }, index) => {
      const vendor = turns.find(({ speechEndedMs }) => Math.abs(speechEndedMs - originMs - endMs) < APART_MAX_MS);
      if (vendor === undefined || agentVoiceMs === null) return [];
      const wireMs = agentVoiceMs - endMs;
      const responseMs = recordedMs === undefined ? wireMs : recordedMs[index];
      if (responseMs === null || responseMs === undefined) return [];
      const vendorsMs = vendor.recognitionMs + vendor.modelMs + vendor.synthesisMs;
      return [{ responseMs, wireMs, vendor, overheadMs: responseMs - vendorsMs }];
    });
  });
}

function distanceOf(endsMs: readonly number[], turns: readonly VendorTurn[]): number {
  return endsMs.reduce((sum, endMs) => {
    const apart = turns.map(({ speechEndedMs }) => Math.abs(speechEndedMs - endMs));
    return sum + Math.min(APART_MAX_MS, ...apart);
  }, 0);
}
