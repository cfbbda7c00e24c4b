import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { FRAME_MS } from "@parley/audio/frame";
import { readWav } from "@parley/audio/wav-reader";
import type { Flow } from "@parley/contract/flow";
import { treeCpuSeconds } from "../process-figures.ts";
import type { ActNote, CalleePlan } from "./callee-script.ts";
import type { Child } from "./child.ts";
import type { HostedCall } from "./process-messages.ts";
import { memoryInUseMiB, settle, type TestedService } from "./tested-service.ts";
import { measureCall, type TurnFigure } from "./turn-figures.ts";

export interface RunPlan {
  readonly flow: Flow;
  readonly callees: readonly CalleePlan[];
  readonly clips: ReadonlyMap<string, Int16Array>;
  /** Recordings are stored here, each with the record of its call. */
  readonly folder: string;
}

interface HeldCall {
  readonly echoes: boolean;
  readonly figures: readonly TurnFigure[];
  /** Replies that were cut off without speech of the callee; on lines that echo, by our own voice. */
  readonly echoCuts: number;
  readonly hosted: HostedCall;
}

export interface RunResult {
  readonly calls: readonly HeldCall[];
  /** Of the process under test and its recognizers. */
  readonly coresPerCall: number;
  readonly memoryMiBPerCall: number;
}

/** Calls do not begin together. */
const SPREAD_MS = 3_000;
const CALL_MAX_MS = 240_000;
const IDLE_LOOKS = 3;
const TALKING_LOOKS = 5;
const BETWEEN_LOOKS_MS = 5_000;
/** The callee is as loud as the agent, and the agent's echo is below this. */
const ABOVE_ECHO_DBFS = -34;

/** Holds this many calls at once and measures each of them on its recording. */
export async function runCalls(service: TestedService, plan: RunPlan): Promise<RunResult> {
  const { host } = service;
  const idleMiB = await memoryInUseMiB(service, IDLE_LOOKS, 500);
  const ports = await openAll(service, plan);
  // The greetings are rendered while it rings.
  await settle(1_500);
  const cpuBefore = treeCpuSeconds(host.pid);
  const beganMs = performance.now();
  const talking = holdAll(service, ports, plan.callees);
  const inUse = settle(2 * SPREAD_MS).then(() => memoryInUseMiB(service, TALKING_LOOKS, BETWEEN_LOOKS_MS));
  const [ended, talkingMiB] = await Promise.all([talking, inUse]);
  const seconds = (performance.now() - beganMs) / 1_000;
  const count = plan.callees.length;
  return {
    calls: ended,
    coresPerCall: (treeCpuSeconds(host.pid) - cpuBefore) / seconds / count,
    memoryMiBPerCall: (talkingMiB - idleMiB) / count,
  };
}

/** One call that is not measured: loading and warming up is not part of the cost of a call. */
export async function warmUp(service: TestedService, plan: RunPlan): Promise<void> {
  await holdAll(service, await openAll(service, plan), plan.callees);
  await settle(1_000);
}

async function openAll(
  { host, callees }: TestedService,
  { flow, folder, clips, callees: plans }: RunPlan,
): Promise<readonly number[]> {
  // A recording is never overwritten.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const opened = callees.next("opened");
  callees.tell({ type: "open", plans, clips });
  const { ports: calleePorts } = await opened;
  const hosted = host.next("opened");
  host.tell({ type: "open", flow, folder, calleePorts });
  const { ports, natural } = await hosted;
  console.log(`${natural} of ${ports.length} agents have the natural voice`);
  return ports;
}

function holdAll(
  { host, callees }: TestedService,
  ports: readonly number[],
  plans: readonly CalleePlan[],
): Promise<readonly HeldCall[]> {
  return Promise.all(
    ports.map(async (agentPort, call) => {
      await settle((SPREAD_MS * call) / ports.length);
      const done = only(callees, call, "done");
      callees.tell({ type: "begin", call, agentPort });
      host.tell({ type: "answer", call });
      const { notes } = await done;
      const ended = only(host, call, "ended");
      host.tell({ type: "hang_up", call });
      const { outcome } = await ended;
      writeFileSync(outcome.wavPath.replace(/wav$/, "json"), JSON.stringify({ notes, ...outcome }, null, 1));
      const [callee, agent] = readWav(readFileSync(outcome.wavPath)).channels;
      if (callee === undefined || agent === undefined) throw new Error(`${outcome.wavPath} is not stereo`);
      const echoes = (plans[call]?.echo ?? null) !== null;
      const figures = measureCall({ callee, agent }, notes, echoes ? ABOVE_ECHO_DBFS : undefined);
      const cuts = echoes ? findEchoCuts(outcome, notes) : [];
      for (const { text, atMs } of cuts) {
        console.error(
          `call ${call}: ${(atMs / 1_000).toFixed(1)} s into its recording "${text}" was cut, and nobody spoke`,
        );
      }
      return { echoes, figures, echoCuts: cuts.length, hosted: outcome };
    }),
  );
}

/** The result of one call. A call that never ends is a failure and does not hang the benchmark. */
function only<Notice extends { readonly type: string }, Type extends Notice["type"]>(
  child: Child<never, Notice>,
  call: number,
  type: Type,
): Promise<Extract<Notice, { type: Type }>> {
  return new Promise((resolve, reject) => {
    const stop = child.listen((notice) => {
      if (notice.type !== type || !("call" in notice) || notice.call !== call) return;
      clearTimeout(timer);
      stop();
      resolve(notice as Notice as Extract<Notice, { type: Type }>);
    });
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`call ${call} did not end in time`));
    }, CALL_MAX_MS);
  });
}

export function levelFolder(root: string, calls: number): string {
  return join(root, `${calls}-calls`);
}

interface EchoCut {
  readonly text: string;
  /** On the recording. */
  readonly atMs: number;
}

/** The callee's speech is received this much later. */
const WAY_MS = 150;
/** Words are waited for this long after the last of them. */
const LATEST_MS = 3_000;
const SAME_MOMENT_MS = 200;

/**
 * Replies that were cut off without the callee as the cause: the callee neither spoke during the reply, nor caused the
 * cut by earlier speech, nor hung up.
 */
function findEchoCuts({ entries, recordedFromMs }: HostedCall, notes: readonly ActNote[]): EchoCut[] {
  const acts = notes.map(({ startFrame, frames }) => ({
    startMs: startFrame * FRAME_MS,
    endMs: (startFrame + frames) * FRAME_MS + WAY_MS,
  }));
  return entries.flatMap(({ entry, notedMs }, index): EchoCut[] => {
    if (entry.type !== "agent_said" || !entry.wasInterrupted) return [];
    const beganMs = entry.startMs - recordedFromMs;
    const atMs = notedMs - recordedFromMs;
    const later = entries.slice(index + 1);
    const isOver = later.some((next) => next.entry.type === "over" && next.notedMs - notedMs < SAME_MOMENT_MS);
    const saidMs = later.flatMap((next) => (next.entry.type === "callee_said" ? next.entry.startMs : []))[0];
    const isCallees = acts.some(({ startMs, endMs }) => {
      const wasUnderWay = endMs > beganMs && atMs > startMs && atMs <= endMs + LATEST_MS;
      const wasSaid =
        saidMs !== undefined && saidMs <= notedMs && isWithin(saidMs - recordedFromMs, startMs, endMs + WAY_MS);
      return wasUnderWay || wasSaid;
    });
    return isCallees || isOver ? [] : [{ text: entry.heardText, atMs }];
  });
}

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
