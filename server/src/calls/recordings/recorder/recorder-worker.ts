import { parentPort } from "node:worker_threads";
import type { LineRings } from "./line-recorder.ts";
import { DiskQueue, explainDisk, type OpenRecording, openRecording } from "./recording-file.ts";
import { noRecording, type RecordingOutcome } from "./recording-outcome.ts";

/** The recorder thread. It reads the rings of all recorded calls, so that nothing else waits for the disk. */

/** What the recorder thread is asked to do. Each recording has its own number. */
export type RecorderCommand =
  | {
      readonly type: "start";
      readonly recordingId: number;
      readonly path: string;
      readonly rings: LineRings;
      readonly fromPosition: number;
    }
  /** The line is over: the rest is written, and the file closed. */
  | { readonly type: "finish"; readonly recordingId: number }
  /** Finishes all recordings; then the thread exits. */
  | { readonly type: "stop" };

/** Sent once for each recording. */
export interface RecorderReply {
  readonly recordingId: number;
  readonly outcome: RecordingOutcome;
}

/** A ring holds four seconds: often enough to miss nothing, and rare enough to cost almost nothing. */
const TICK_MS = 250;

if (parentPort === null) throw new Error("this file is the inside of the recorder's thread");
const owner = parentPort;
const queue = new DiskQueue();
const running = new Map<number, Promise<OpenRecording | null>>();
const open = new Set<OpenRecording>();
let timer: NodeJS.Timeout | null = null;

function tell(recordingId: number, outcome: RecordingOutcome): void {
  owner.postMessage({ recordingId, outcome } satisfies RecorderReply);
}

async function start({ recordingId, path, rings, fromPosition }: Extract<RecorderCommand, { type: "start" }>) {
  try {
    const recording = await openRecording(path, rings, fromPosition, queue);
    open.add(recording);
    timer ??= setInterval(() => {
      for (const each of open) each.advance();
    }, TICK_MS);
    return recording;
  } catch (error) {
    running.delete(recordingId);
    tell(recordingId, noRecording(explainDisk(error)));
    return null;
  }
}

async function finish(recordingId: number): Promise<void> {
  const recording = await running.get(recordingId);
  if (!recording) return;
  running.delete(recordingId);
  const outcome = await recording.finish();
  open.delete(recording);
  if (open.size === 0 && timer !== null) {
    clearInterval(timer);
    timer = null;
  }
  tell(recordingId, outcome);
}

owner.on("message", (command: RecorderCommand) => {
  if (command.type === "start") running.set(command.recordingId, start(command));
  else if (command.type === "finish") void finish(command.recordingId);
  else void Promise.all([...running.keys()].map(finish)).then(() => owner.close());
});
