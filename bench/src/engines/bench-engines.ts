import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { percentile } from "../statistics.ts";
import { Child } from "../turns/child.ts";
import { type EngineProgram, startLiveKit, startOurs } from "./engine-programs.ts";
import { type EngineSounds, prepareEngineSounds } from "./engine-scene.ts";
import { type EngineLevel, printLevels, runLevel, type Vendors } from "./run-level.ts";
import type { VendorsCommand, VendorsNotice, VendorUrls } from "./vendor-messages.ts";

const LEVELS = isQuick ? [1] : [10, 30, 60, 90];
/** The numbers of calls at which the peer is measured too. */
const PEER_LEVELS = [10, 30];
const OVERHEAD_P95_MAX_MS = 50;
const CALLS_PER_CORE_MIN = 60;
const MIB_PER_CALL_MAX = 5;
const PEER_SHARE_MAX = 0.5;

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
    const ours = await measure(await startOurs(folder, urls, sounds), vendors, levels);
    const isCompared = !isQuick && values.alone !== true;
    const peer = isCompared ? await measurePeer(vendors, urls, sounds, ours) : [];
    printLevels([...ours, ...peer]);
    return [...goalsOf(ours), ...peer.flatMap((theirs) => peerGoals(theirs, ours))];
  } finally {
    vendors.tell({ type: "stop" });
    await vendors.ended();
    await rm(folder, { recursive: true, force: true });
  }
}

/** More and more calls, until the overhead is above its limit. */
async function measure(program: EngineProgram, vendors: Vendors, levels: readonly number[]): Promise<EngineLevel[]> {
  const measured: EngineLevel[] = [];
  try {
    // Loading and warming up is not part of the cost of a call.
    if (!isQuick) await runLevel(program, vendors, 2, 2);
    for (const calls of levels) {
      const level = await runLevel(program, vendors, calls, isQuick ? 1 : calls <= 10 ? 6 : 4);
      printLevels([level]);
      measured.push(level);
      if (overheadP95(level) > OVERHEAD_P95_MAX_MS) break;
    }
  } finally {
    await program.close();
  }
  return measured;
}

async function measurePeer(
  vendors: Vendors,
  urls: VendorUrls,
  sounds: EngineSounds,
  ours: readonly EngineLevel[],
): Promise<EngineLevel[]> {
  const levels = PEER_LEVELS.filter((calls) => ours.some((level) => level.calls === calls));
  const measured: EngineLevel[] = [];
  // Each in a process of its own: what the calls before left behind would count for these.
  for (const calls of levels) {
    const program = await startLiveKit(urls, sounds);
    try {
      await runLevel(program, vendors, 2, 2);
      measured.push(await runLevel(program, vendors, calls, 4));
    } finally {
      await program.close();
    }
  }
  return measured;
}

function goalsOf(levels: readonly EngineLevel[]): Goal[] {
  const within = levels.filter((level) => overheadP95(level) <= OVERHEAD_P95_MAX_MS);
  const largest = within.at(-1) ?? levels.at(-1);
  if (largest === undefined) return [];
  return [
    ...levels.map((level): Goal => {
      return {
        name: `overhead_p95_at_${level.calls}`,
        value: overheadP95(level),
        max: OVERHEAD_P95_MAX_MS,
        unit: " ms",
      };
    }),
    { name: "calls_held", value: within.at(-1)?.calls ?? 0, min: 1 },
    { name: "calls_per_core", value: 1 / largest.coresPerCall, min: CALLS_PER_CORE_MIN },
    { name: "memory_per_call", value: largest.memoryMiBPerCall, max: MIB_PER_CALL_MAX, unit: " MiB" },
  ];
}

function peerGoals(theirs: EngineLevel, ours: readonly EngineLevel[]): Goal[] {
  const own = ours.find(({ calls }) => calls === theirs.calls);
  if (own === undefined) return [];
  const ratio = (what: string, value: number, other: number): Goal => ({
    name: `${what}_to_livekit_at_${own.calls}`,
    value: Math.max(0, value) / other,
    max: PEER_SHARE_MAX,
    unit: "x",
  });
  return [
    ratio("cpu", own.coresPerCall, theirs.coresPerCall),
    ratio("memory", own.memoryMiBPerCall, theirs.memoryMiBPerCall),
  ];
}

function overheadP95({ turns }: EngineLevel): number {
  return percentile(
    turns.map(({ overheadMs }) => overheadMs),
    95,
  );
}
