import { readFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readWav } from "@parley/audio/wav-reader";
import type { Flow } from "@parley/contract/flow";
import { treeCpuSeconds, treeMemoryMiB } from "../process-figures.ts";
import type { CalleePlan } from "./callee-script.ts";
import { Child } from "./child.ts";
import type { CalleesCommand, CalleesNotice, HostCommand, HostedCall, HostNotice } from "./process-messages.ts";
import { measureCall, type TurnFigure } from "./turn-figures.ts";

export interface RunPlan {
  readonly flow: Flow;
  readonly callees: readonly CalleePlan[];
  readonly clips: ReadonlyMap<string, Int16Array>;
  /** Recordings are kept here. */
  readonly folder: string;
}

export interface HeldCall {
  readonly echoes: boolean;
  readonly figures: readonly TurnFigure[];
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

/** Holds so many calls at once and measures each of them on its recording. */
export async function runCalls(plan: RunPlan): Promise<RunResult> {
  const first = { ...plan, callees: plan.callees.slice(0, 1).map(shortened), folder: join(plan.folder, "first") };
  // A recording is never written over another one.
  await rm(plan.folder, { recursive: true, force: true });
  await mkdir(first.folder, { recursive: true });
  const host = new Child<HostCommand, HostNotice>("./host-process.ts", [plan.folder]);
  const callees = new Child<CalleesCommand, CalleesNotice>("./callees-process.ts");
  host.listen((notice) => {
    if (notice.type === "failed") console.error(`a call failed: ${notice.reason}`);
    if (notice.type !== "over" || notice.reason === "callee_hangup") return;
    console.error(`the agent ended call ${notice.call} before its callee was done: ${notice.reason}`);
    callees.tell({ type: "end", call: notice.call });
  });
  try {
    await host.next("ready");
    // What is loaded for the first call is not part of what each costs.
    await holdAll(host, callees, await openAll(host, callees, first), first.callees);
    await settle(1_000);
    const idleMiB = treeMemoryMiB(host.pid);
    const ports = await openAll(host, callees, plan);
    // The greetings are made while it rings.
    await settle(1_500);
    const cpuBefore = treeCpuSeconds(host.pid);
    const beganMs = performance.now();
    const talking = holdAll(host, callees, ports, plan.callees);
    await settle(SPREAD_MS + 20_000);
    const talkingMiB = treeMemoryMiB(host.pid);
    const ended = await talking;
    const seconds = (performance.now() - beganMs) / 1_000;
    const count = plan.callees.length;
    return {
      calls: ended,
      coresPerCall: (treeCpuSeconds(host.pid) - cpuBefore) / seconds / count,
      memoryMiBPerCall: (talkingMiB - idleMiB) / count,
    };
  } finally {
    host.tell({ type: "stop" });
    callees.tell({ type: "stop" });
    await Promise.all([host.ended(), callees.ended()]);
  }
}

/** Only the first few words. */
function shortened(plan: CalleePlan): CalleePlan {
  return { ...plan, acts: plan.acts.slice(0, 2) };
}

async function openAll(
  host: Child<HostCommand, HostNotice>,
  callees: Child<CalleesCommand, CalleesNotice>,
  { flow, folder, clips, callees: plans }: RunPlan,
): Promise<readonly number[]> {
  const opened = callees.next("opened");
  callees.tell({ type: "open", plans, clips });
  const { ports: calleePorts } = await opened;
  const hosted = host.next("opened");
  host.tell({ type: "open", flow, folder, calleePorts });
  return (await hosted).ports;
}

function holdAll(
  host: Child<HostCommand, HostNotice>,
  callees: Child<CalleesCommand, CalleesNotice>,
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
      const [callee, agent] = readWav(readFileSync(outcome.wavPath)).channels;
      if (callee === undefined || agent === undefined) throw new Error(`${outcome.wavPath} is not stereo`);
      const echoes = (plans[call]?.echo ?? null) !== null;
      // On a line that echoes it is not plain whose sound is whose; there only replies that were cut off count.
      return { echoes, figures: echoes ? [] : measureCall({ callee, agent }, notes), hosted: outcome };
    }),
  );
}

/** What a process says of one call. A call that never ends is a failure and not a benchmark that hangs. */
function only<Notice extends { readonly type: string }, Type extends Notice["type"]>(
  child: Child<never, Notice>,
  call: number,
  type: Type,
): Promise<Extract<Notice, { type: Type }>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`call ${call} did not end in time`)), CALL_MAX_MS);
    child.listen((notice) => {
      if (notice.type !== type || !("call" in notice) || notice.call !== call) return;
      clearTimeout(timer);
      resolve(notice as Notice as Extract<Notice, { type: Type }>);
    });
  });
}

export function levelFolder(root: string, calls: number): string {
  return join(root, `${calls}-calls`);
}

function settle(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
