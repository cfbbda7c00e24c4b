import type { ActivityWindow } from "@parley/voice/ports/voice-activity-detector";

/** What a listener in any thread says to the detector's thread, over a port of its own. */
export type VadRequest =
  | { readonly type: "watch"; readonly watchId: number; readonly heard: SharedArrayBuffer }
  | { readonly type: "unwatch"; readonly watchId: number };

/** What it hears back: everything that one tick found out about its lines. */
export interface VadReport {
  readonly windows: readonly { readonly watchId: number; readonly windows: readonly ActivityWindow[] }[];
}

/** What the owner of the thread says to it. */
export type VadCommand =
  | { readonly type: "connect"; readonly port: import("node:worker_threads").MessagePort }
  | { readonly type: "stop" };

export type VadNotice =
  | { readonly type: "ready" }
  /** A run of the network failed. The lines concerned go on with the next window. */
  | { readonly type: "failed"; readonly reason: string };
