import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Goal } from "../goals.ts";
import { installPeer } from "../install-peer.ts";
import { busySecondsBetween, machineClock } from "../media/machine-load.ts";
import { isQuick } from "../quick.ts";
import { percentile } from "../statistics.ts";
import { prepareBareSounds } from "./bare-scene.ts";
import { prepareClips } from "./callee-clips.ts";
import { figuresOf, halfAndMost, type LevelFigures, TIMING_PARTS } from "./level-figures.ts";
import { type BareProgram, type BareResult, OURS, OURS_WITH_FAKE, printBare, runBare } from "./run-bare.ts";
import { levelFolder, runCalls, warmUp } from "./run-calls.ts";
import { startTestedService } from "./tested-service.ts";
import { calleePlan, HUMAN_CLIPS, SPOKEN_TEXTS, sceneSizeOf, turnFlow, warmUpPlan } from "./turn-scene.ts";

const LEVELS = isQuick ? [] : [1, 5, 10, 20];
/** One of this many callees is on a line that echoes. */
const ECHO_EVERY = 5;
const BARE_CALLS = isQuick ? 1 : 10;
const BARE_ROUNDS = isQuick ? 1 : 3;
const PARTS = ["calls", "echo", "overhead"] as const;

/**
 * How soon an agent answers and falls silent: `--calls N` for one number of calls at once, `--keep FOLDER` keeps the
 * recordings, `--voice light` has the agents speak with the light voice instead of the natural one, `--only
 * calls|echo|overhead` for a part by itself (`echo` has every line echo), `--peer livekit` sets what turn-taking itself
 * costs beside LiveKit Agents, and measures nothing else. The quick form is the call before the first measured one,
 * with the light voice, and a single call of `overhead`.
 */
export async function benchTurns(): Promise<Goal[]> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { calls: text, keep: text, only: text, peer: text, voice: text, quick: { type: "boolean" } },
  });
  if (values.peer !== undefined) return comparePeer(values.peer);
  const only = PARTS.find((part) => part === values.only);
  if (values.only !== undefined && only === undefined) throw new Error(`Parts: ${PARTS.join(", ")}`);
  if (only === "overhead") return benchOverhead();
  const voice = isQuick || values.voice === "light" ? "light" : "natural";
  const levels = values.calls === undefined ? LEVELS : [Number(values.calls)];
  const root = values.keep ?? (await mkdtemp(join(tmpdir(), "parley-turns-")));
  try {
    const figures = await runLevels(levels, root, voice, only === "echo" ? 1 : ECHO_EVERY);
    if (only === "echo") return figures.flatMap(echoGoalsOf);
    const isAll = values.calls === undefined && only === undefined;
    return [...goalsOf(figures), ...(isAll ? await benchOverhead() : [])];
  } finally {
    if (values.keep === undefined) await rm(root, { recursive: true, force: true });
  }
}

async function runLevels(
  levels: readonly number[],
  root: string,
  voice: "natural" | "light",
  echoEvery: number,
): Promise<LevelFigures[]> {
  const { clips, hasHumans } = await prepareClips(SPOKEN_TEXTS, HUMAN_CLIPS);
  if (!hasHumans) console.log("Without asterisk-core-sounds-en-wav all callees speak with made voices.");
  const service = await startTestedService(root, voice);
  try {
    const flow = turnFlow(sceneSizeOf(1));
    await warmUp(service, { flow, callees: [warmUpPlan(hasHumans)], clips, folder: join(root, "warm-up") });
    const figures: LevelFigures[] = [];
    for (const calls of levels) {
      const size = sceneSizeOf(calls);
      const callees = Array.from({ length: calls }, (_, index) =>
        calleePlan(index, size, { hasHumans, echoes: index % echoEvery === echoEvery - 1 }),
      );
      const before = machineClock();
      const result = await runCalls(service, {
        flow: turnFlow(size),
        callees,
        clips,
        folder: levelFolder(root, calls),
      });
      const after = machineClock();
      const cores = busySecondsBetween(before, after) / (after.elapsedSeconds - before.elapsedSeconds);
      console.log(
        `${calls} calls: the machine was busy with ${cores.toFixed(2)} cores, callees and all others included`,
      );
      const level = figuresOf(result);
      figures.push(level);
      printLevels([level]);
    }
    if (levels.length > 1) printLevels(figures);
    return figures;
  } finally {
    await service.close();
  }
}

async function benchOverhead(): Promise<Goal[]> {
  const sounds = await prepareBareSounds();
  const exact = await runBare(OURS_WITH_FAKE, BARE_CALLS, BARE_ROUNDS, sounds);
  const silero = await runBare(OURS, BARE_CALLS, BARE_ROUNDS, sounds);
  printBare([exact, silero]);
  const ms = (name: string, values: readonly number[], max: number): Goal => ({
    name,
    value: percentile(values, 95),
    max,
    unit: " ms",
  });
  return [
    ms("own_overhead_p95_with_exact_vad", exact.responseMs, 30),
    ms("own_overhead_p95_with_silero", silero.responseMs, 60),
  ];
}

const PEER_LEVELS = [1, 10, 25];
const ROUNDS = 5;
const PEERS: Readonly<Record<string, BareProgram>> = {
  livekit: { name: "LiveKit Agents 1.9.0", file: "../../peers/livekit/peer.mjs", args: [] },
};

/** The same calls, conducted by us and by a third-party program in turn. The goal is half of its cost. */
async function comparePeer(name: string): Promise<Goal[]> {
  const peer = PEERS[name];
  if (peer === undefined) throw new Error(`Peers: ${Object.keys(PEERS).join(", ")}`);
  installPeer(name);
  const sounds = await prepareBareSounds();
  const pairs: { readonly ours: BareResult; readonly theirs: BareResult }[] = [];
  for (const calls of PEER_LEVELS) {
    const ours = await runBare(OURS, calls, ROUNDS, sounds);
    const theirs = await runBare(peer, calls, ROUNDS, sounds);
    pairs.push({ ours, theirs });
    printBare([ours, theirs]);
  }
  return pairs.flatMap(({ ours, theirs }) => {
    const ratio = (what: string, value: number, other: number): Goal => ({
      name: `${what}_to_${name}_at_${ours.calls}`,
      value: Math.max(0, value) / other,
      max: 0.5,
      unit: "x",
    });
    return [
      ratio("cpu", ours.coresPerCall, theirs.coresPerCall),
      ratio("memory", ours.memoryMiBPerCall, theirs.memoryMiBPerCall),
      ratio("response_overhead_p50", percentile(ours.responseMs, 50), percentile(theirs.responseMs, 50)),
      ratio("barge_in_overhead_p95", percentile(ours.bargeInMs, 95), percentile(theirs.bargeInMs, 95)),
    ];
  });
}

/** A column for each number of calls. Pairs are p50/p95 in milliseconds. */
function printLevels(levels: readonly LevelFigures[]): void {
  const row = (name: string, value: (level: LevelFigures) => string) =>
    console.log(name.padEnd(44) + levels.map((level) => value(level).padStart(14)).join(""));
  console.log("");
  row("calls at once", ({ calls }) => String(calls));
  row("expected answer, rendered reply", ({ expected }) => halfAndMost(expected.recordedMs));
  row("  the same on the wire", ({ expected }) => halfAndMost(expected.wireMs));
  row("free text, live voice", ({ free }) => halfAndMost(free.recordedMs));
  row("  the same on the wire", ({ free }) => halfAndMost(free.wireMs));
  row("turns, of them cut in on", ({ turns, cutIns }) => `${turns}, ${cutIns}`);
  row("voice lowered", ({ duckMs }) => halfAndMost(duckMs));
  row("silent after an interruption", ({ silenceMs }) => halfAndMost(silenceMs));
  row("silent after a stop word", ({ stopWordMs }) => halfAndMost(stopWordMs));
  row("interruptions, of them missed", ({ over }) => `${over.interruptions}, ${over.missed}`);
  row("back-channels, of them cut for", ({ over }) => `${over.backChannels}, ${over.backChannelCuts}`);
  row("calls with echo, replies cut by it", ({ echoCalls, echoCuts }) => `${echoCalls}, ${echoCuts}`);
  row("  interruptions there, of them missed", ({ overEcho: over }) => `${over.interruptions}, ${over.missed}`);
  row(
    "  back-channels there, of them cut for",
    ({ overEcho: over }) => `${over.backChannels}, ${over.backChannelCuts}`,
  );
  for (const part of TIMING_PARTS) row(`  ${part} as written down`, ({ parts }) => halfAndMost(parts[part]));
  row("cores per call", ({ coresPerCall }) => coresPerCall.toFixed(3));
  row("MiB in use per call beyond the models", ({ memoryMiBPerCall }) => memoryMiBPerCall.toFixed(1));
  row("sound missing on recordings, ms", ({ lostMs }) => lostMs.toFixed(0));
}

/** What holds on lines that send the agent's voice back. */
function echoGoalsOf({ calls, echoCalls, echoCuts, overEcho }: LevelFigures): Goal[] {
  if (echoCalls === 0) return [];
  return [
    { name: `echo_cuts_at_${calls}`, value: echoCuts, max: 0 },
    share(`interruptions_missed_over_echo_at_${calls}`, overEcho.missed, overEcho.interruptions, 5),
    share(`back_channel_cuts_over_echo_at_${calls}`, overEcho.backChannelCuts, overEcho.backChannels, 2),
  ];
}

function goalsOf(levels: readonly LevelFigures[]): Goal[] {
  const ms = (name: string, values: readonly number[], percent: number, max: number): Goal => ({
    name,
    value: percentile(values, percent),
    max,
    unit: " ms",
  });
  return levels.flatMap((level) => {
    const at = `at_${level.calls}`;
    return [
      ms(`expected_p95_${at}`, level.expected.recordedMs, 95, 400),
      ms(`free_p95_${at}`, level.free.recordedMs, 95, 850),
      share(`cut_in_${at}`, level.cutIns, level.turns, 3),
      ms(`duck_p95_${at}`, level.duckMs, 95, 250),
      ms(`silence_p95_${at}`, level.silenceMs, 95, 550),
      ms(`stop_word_p95_${at}`, level.stopWordMs, 95, 800),
      share(`interruptions_missed_${at}`, level.over.missed, level.over.interruptions, 5),
      share(`back_channel_cuts_${at}`, level.over.backChannelCuts, level.over.backChannels, 2),
      ...echoGoalsOf(level),
      ms(`speech_after_decision_p95_${at}`, level.speechAfterDecisionMs, 95, 60),
      { name: `cores_per_call_${at}`, value: level.coresPerCall, max: 0.1 },
      { name: `memory_per_call_${at}`, value: level.memoryMiBPerCall, max: 5, unit: " MiB" },
    ];
  });
}

function share(name: string, part: number, whole: number, max: number): Goal {
  return { name, value: whole === 0 ? 0 : (100 * part) / whole, max, unit: " %" };
}
