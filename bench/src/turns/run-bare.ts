import { treeCpuSeconds, treeOwnMemoryMiB } from "../process-figures.ts";
import { isQuick } from "../quick.ts";
import { percentile } from "../statistics.ts";
import type { BareCommand, BareNotice } from "./bare-messages.ts";
import { BARE_HOLD_MS, BARE_INTERRUPT_MS, type BareSounds, barePlan } from "./bare-scene.ts";
import { Child } from "./child.ts";
import { measureCall } from "./turn-figures.ts";

export interface BareProgram {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

export interface BareResult {
  readonly name: string;
  readonly calls: number;
  /** The time beyond the configured silence or speech. */
  readonly responseMs: readonly number[];
  readonly bargeInMs: readonly number[];
  /** Interruptions that did not stop the agent. */
  readonly missed: number;
  readonly coresPerCall: number;
  readonly memoryMiBPerCall: number;
}

export const OURS: BareProgram = { name: "parley, Silero", file: "./bare-process.ts", args: ["silero"] };
export const OURS_WITH_FAKE: BareProgram = { name: "parley, exact VAD", file: "./bare-process.ts", args: ["fake"] };

/** Conducts this many concurrent bare calls with our or a third-party program. */
export async function runBare(
  program: BareProgram,
  calls: number,
  rounds: number,
  sounds: BareSounds,
): Promise<BareResult> {
  const child = new Child<BareCommand, BareNotice>(program.file, program.args);
  try {
    await child.next("ready");
    const opened = child.next("opened");
    child.tell({
      type: "open",
      plans: Array.from({ length: calls }, (_, index) => barePlan(index, rounds, sounds)),
      ...sounds,
      holdMs: BARE_HOLD_MS,
      interruptMs: BARE_INTERRUPT_MS,
    });
    await opened;
    await settle(1_500);
    const idleMiB = treeOwnMemoryMiB(child.pid);
    const cpuBefore = treeCpuSeconds(child.pid);
    const beganMs = performance.now();
    const over = child.next("over");
    child.tell({ type: "begin" });
    await settle(isQuick ? 1_000 : 25_000);
    const memoryMiBPerCall = (treeOwnMemoryMiB(child.pid) - idleMiB) / calls;
    const { calls: held } = await over;
    const seconds = (performance.now() - beganMs) / 1_000;
    const coresPerCall = (treeCpuSeconds(child.pid) - cpuBefore) / seconds / calls;
    const figures = held.flatMap(({ notes, sound }) => measureCall(sound, notes));
    const over_ = figures.flatMap((figure) => (figure.outcome === "spoken_over" ? [figure.silenceMs] : []));
    return {
      name: program.name,
      calls,
      coresPerCall,
      memoryMiBPerCall,
      responseMs: figures.flatMap((figure) =>
        figure.outcome === "answered" ? [figure.responseMs - BARE_HOLD_MS] : [],
      ),
      bargeInMs: over_.flatMap((silenceMs) => (silenceMs === null ? [] : [silenceMs - BARE_INTERRUPT_MS])),
      missed: over_.filter((silenceMs) => silenceMs === null).length,
    };
  } finally {
    child.tell({ type: "stop" });
    await child.ended();
  }
}

export function printBare(results: readonly BareResult[]): void {
  console.log(`\n${"".padEnd(24)}calls   response p50   p95   barge-in p50   p95 ms  missed   cores/call   MiB/call`);
  for (const { name, calls, responseMs, bargeInMs, missed, coresPerCall, memoryMiBPerCall } of results) {
    console.log(
      name.padEnd(24) +
        String(calls).padStart(5) +
        percentile(responseMs, 50).toFixed(0).padStart(15) +
        percentile(responseMs, 95).toFixed(0).padStart(6) +
        percentile(bargeInMs, 50).toFixed(0).padStart(15) +
        percentile(bargeInMs, 95).toFixed(0).padStart(6) +
        String(missed).padStart(11) +
        coresPerCall.toFixed(4).padStart(13) +
        memoryMiBPerCall.toFixed(2).padStart(11),
    );
  }
}

function settle(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
