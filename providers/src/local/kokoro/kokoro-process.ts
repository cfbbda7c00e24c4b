import { constants } from "node:os";
import { ProcessHost } from "@parley/threads/process-host";
import { systemClock } from "@parley/time/clock";
import type { KokoroClip, KokoroWork } from "./kokoro-work.ts";

export type KokoroProcess = ProcessHost<KokoroWork, KokoroClip>;

/** Calls under way come first: such a process gets what nobody else wants. */
export const RENDERING_PRIORITY = constants.priority.PRIORITY_LOW;

/** On a busy machine, what nobody else wants is little. */
const START_MAX_MS = 300_000;

/**
 * Resolves when the network is loaded. Rejects with HostEnded when it cannot be, or is not wanted any more: on a busy
 * machine a process of this priority would hear of that long after everybody else has gone.
 */
export async function openKokoroProcess(priority: number, signal?: AbortSignal): Promise<KokoroProcess> {
  const program = new URL("./kokoro-child.ts", import.meta.url);
  const opened: KokoroProcess = new ProcessHost(program, {
    name: "the rendering process",
    timers: systemClock,
    priority,
    startMaxMs: START_MAX_MS,
  });
  const giveUp = () => void opened.end();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    await opened.ready;
    return opened;
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
}
