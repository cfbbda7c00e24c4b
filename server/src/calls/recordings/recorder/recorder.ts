import { Worker } from "node:worker_threads";
import type { LineRings } from "./line-recorder.ts";
import type { RecorderCommand, RecorderReply } from "./recorder-worker.ts";
import { noRecording, type RecordingOutcome } from "./recording-outcome.ts";
import { repairRecording } from "./repair-recording.ts";

/** A recording in progress. */
export interface Recording {
  /** Ends it. Harmless when it has ended. */
  finish(): void;
  /** Resolves when its file is closed or was never created. Never rejects. */
  readonly outcome: Promise<RecordingOutcome>;
}

export interface RecordingRequest {
  readonly path: string;
  readonly rings: LineRings;
  /** Where on the line it begins, in samples. */
  readonly fromPosition: number;
}

/** Records the calls of this process in its own thread, which is started for the first of them. */
export interface Recorder {
  record(request: RecordingRequest): Recording;
  /** Finishes all recordings in progress. Takes a bounded time. */
  close(): Promise<void>;
}

/** A disk that does not respond must not keep the service from stopping. */
const CLOSE_WITHIN_MS = 5_000;
const FAILED = "The recorder failed.";

export function openRecorder(onFault: (error: unknown) => void): Recorder {
  const underWay = new Map<number, { readonly path: string; readonly resolve: (outcome: RecordingOutcome) => void }>();
  let thread: Worker | null = null;
  let nextId = 1;

  function startThread(): Worker {
    const worker = new Worker(new URL("./recorder-worker.ts", import.meta.url), { name: "recorder" });
    worker.on("message", ({ recordingId, outcome }: RecorderReply) => settle(recordingId, outcome));
    worker.on("error", onFault);
    worker.on("exit", () => {
      if (thread === worker) thread = null;
      for (const [recordingId, { path }] of underWay)
        void salvage(path).then((outcome) => settle(recordingId, outcome));
    });
    // An idle recorder must not keep the process alive.
    worker.unref();
    return worker;
  }

  function settle(recordingId: number, outcome: RecordingOutcome): void {
    const waiting = underWay.get(recordingId);
    underWay.delete(recordingId);
    waiting?.resolve(outcome);
  }

  /** What the thread had written until it failed can be played. */
  async function salvage(path: string): Promise<RecordingOutcome> {
    try {
      const repaired = await repairRecording(path);
      return repaired === null ? noRecording(FAILED) : { ...repaired, gaps: [], trouble: FAILED };
    } catch (error) {
      onFault(error);
      return noRecording(FAILED);
    }
  }

  function tell(command: RecorderCommand): void {
    thread?.postMessage(command);
  }

  return {
    record({ path, rings, fromPosition }) {
      thread ??= startThread();
      const recordingId = nextId++;
      const { promise: outcome, resolve } = Promise.withResolvers<RecordingOutcome>();
      underWay.set(recordingId, { path, resolve });
      tell({ type: "start", recordingId, path, rings, fromPosition });
      return { outcome, finish: () => tell({ type: "finish", recordingId }) };
    },
    async close() {
      const worker = thread;
      if (worker === null) return;
      const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
      const timer = setTimeout(() => void worker.terminate(), CLOSE_WITHIN_MS);
      tell({ type: "stop" });
      await ended;
      clearTimeout(timer);
    },
  };
}
