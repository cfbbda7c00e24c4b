import type { MessagePort } from "node:worker_threads";
import type { ActivityWindow } from "@parley/voice/ports/voice-activity-detector";

/** What a listener in any thread says to the detector's thread, over a port of its own. */
export type VadRequest =
  | {
      readonly type: "watch";
      readonly watchId: number;
      readonly heard: SharedArrayBuffer;
      /** What was written before it is not judged. */
      readonly fromPosition: number;
    }
  | { readonly type: "unwatch"; readonly watchId: number };

/** What it hears back: everything that one tick found out about its lines. */
export interface VadReport {
  readonly windows: readonly { readonly watchId: number; readonly windows: readonly ActivityWindow[] }[];
}

/** What a listener is told by the owner of the thread: where the detector is to be reached from now on. */
export interface VadRoute {
  readonly port: MessagePort;
}

/** What the owner of the thread says to it. */
export type VadCommand =
  | { readonly type: "connect"; readonly port: MessagePort }
  /** A thread that does not reply hangs. */
  | { readonly type: "count_lines" }
  /** For a test of what follows: the thread ends as one does that failed. */
  | { readonly type: "fall_over" }
  /** The same for a thread that hangs, until the first number is no longer 0. */
  | { readonly type: "hang"; readonly gate: Int32Array<SharedArrayBuffer> }
  | { readonly type: "stop" };

export type VadNotice =
  | { readonly type: "ready" }
  | { readonly type: "lines"; readonly count: number }
  /** A run of the network failed. The lines concerned go on with the next window. */
  | { readonly type: "failed"; readonly reason: string };
