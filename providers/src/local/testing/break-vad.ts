import { BroadcastChannel } from "node:worker_threads";

export const BREAK_CHANNEL = "break-vad";

/** A thread hangs until the first number of the gate is no longer 0. */
export type BreakCommand =
  | { readonly type: "die" }
  | { readonly type: "hang"; readonly gate: Int32Array<SharedArrayBuffer> };

/** For `startVadThread`: a detector's thread that follows `breakVad`. */
export const BREAKABLE_VAD = new URL("./breakable-vad-worker.ts", import.meta.url);

/** Breaks every detector's thread of this process that runs BREAKABLE_VAD. */
export function breakVad(command: BreakCommand): void {
  const channel = new BroadcastChannel(BREAK_CHANNEL);
  channel.postMessage(command);
  channel.close();
}
