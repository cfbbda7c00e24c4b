import "../vad/vad-worker.ts";
import { BroadcastChannel } from "node:worker_threads";
import { BREAK_CHANNEL, type BreakCommand } from "./break-vad.ts";

/** The detector's thread, which a test can make die or hang. */
const channel = new BroadcastChannel(BREAK_CHANNEL).unref();
channel.onmessage = (message: unknown) => {
  const command = (message as { readonly data: BreakCommand }).data;
  if (command.type === "die") process.exit(1);
  Atomics.wait(command.gate, 0, 0);
};
