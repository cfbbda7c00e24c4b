import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { Child } from "../turns/child.ts";
import { CALLS_PER_CORE_MIN, cpuGoals, goalsOf, isHeld, memoryGoals } from "./engine-goals.ts";
import { type EngineProgram, startLiveKit, startOurs } from "./engine-programs.ts";
import { prepareEngineSounds } from "./engine-scene.ts";
import { type MemoryFigures, measureMemory } from "./measure-memory.ts";
import { printLevels, printMemory } from "./print-figures.ts";
import { type EngineLevel, runLevel, type Vendors } from "./run-level.ts";
import type { VendorsCommand, VendorsNotice } from "./vendor-messages.ts";

const LEVELS = isQuick ? [1] : [10, 30, 60, 90];
/** The numbers of calls at which the peer is measured too. */
const PEER_LEVELS = [10, 30];
/** Memory is measured with none, half and all of these calls. */
const MEMORY_CALLS = 30;

/**
 * Calls with the speech and the language model of vendors: what a call costs here, and what we add to the delays of the
 * vendors. `--calls N` for one number of calls at once, `--alone` without the peer.
 */
export async function benchEngines(): Promise<Goal[]> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { calls: { type: "string" }, alone: { type: "boolean" }, quick: { type: "boolean" } },
  });
  const levels = values.calls === undefined ? LEVELS : [Number(values.calls)];
  const sounds = await prepareEngineSounds();
  const folder = await mkdtemp(join(tmpdir(), "parley-engines-"));
  const vendors: Vendors = new Child<VendorsCommand, VendorsNotice>("../engines/vendors-process.ts");
  try {
    const listening = vendors.next("listening");
    vendors.tell({ type: "start", reply: sounds.reply });
    const { urls } = await listening;
    const open = {
      ours: () => startOurs(folder, urls, sounds),
      peer: () => startLiveKit(urls, sounds),
    };
    const isCompared = !isQuick && values.alone !== true;
    const ours = await measure(await open.ours(), vendors, levels);
    const peerLevels = isCompared ? (values.calls === undefined ? PEER_LEVELS : levels) : [];
    const peer: EngineLevel[] = [];
    // Each in a process of its own: what the calls before left behind would count for these.
    for (const calls of peerLevels) peer.push(...(await measure(await open.peer(), vendors, [calls])));
    printLevels([...ours, ...peer]);
    const memory = isQuick
      ? []
      : await compareMemory(isCompared ? [open.ours, open.peer] : [open.ours], Number(values.calls ?? MEMORY_CALLS));
    const shares = [cpuGoals(peerLevels, ours, peer), memoryGoals(memory)];
    for (const reason of shares.flatMap(({ incomparable }) => incomparable)) console.log(`engines.${reason}`);
    // At least as many as a single core is claimed to carry, unless fewer were tried.
    return [
      ...goalsOf(ours, Math.min(CALLS_PER_CORE_MIN, levels.at(-1) ?? 0)),
      ...shares.flatMap(({ goals }) => goals),
    ];
  } finally {
    vendors.tell({ type: "stop" });
    await vendors.ended();
    await rm(folder, { recursive: true, force: true });
  }
}

/** More and more calls, until they are not held as they should be. */
async function measure(program: EngineProgram, vendors: Vendors, levels: readonly number[]): Promise<EngineLevel[]> {
  const measured: EngineLevel[] = [];
  try {
    // What is loaded and compiled with the first calls is not part of the cost of a call.
    if (!isQuick) await runLevel(program, vendors, levels[0] ?? 0, 2);
    for (const calls of levels) {
      const level = await runLevel(program, vendors, calls, isQuick ? 1 : calls <= 10 ? 6 : 4);
      printLevels([level]);
      measured.push(level);
      if (!isHeld(level)) break;
    }
  } finally {
    await program.close();
  }
  return measured;
}

async function compareMemory(
  programs: readonly (() => Promise<EngineProgram>)[],
  callsMax: number,
): Promise<MemoryFigures[]> {
  const measured: MemoryFigures[] = [];
  for (const open of programs) {
    const program = await open();
    try {
      measured.push(await measureMemory(program, callsMax));
    } finally {
      await program.close();
    }
  }
  printMemory(measured);
  return measured;
}
