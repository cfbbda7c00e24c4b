import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Goal } from "../goals.ts";
import { busySecondsBetween, machineClock } from "../media/machine-load.ts";
import { isQuick } from "../quick.ts";
import { percentile } from "../statistics.ts";
import { prepareBareSounds } from "./bare-scene.ts";
import { prepareClips } from "./callee-clips.ts";
import { comparePeer } from "./compare-peer.ts";
import { figuresOf, type LevelFigures } from "./level-figures.ts";
import { echoGoalsOf, goalsOf, printLevels } from "./print-levels.ts";
import { OURS, OURS_WITH_FAKE, printBare, runBare } from "./run-bare.ts";
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
