import { constants } from "node:os";
import { ProcessHost } from "@parley/threads/process-host";
import { systemClock } from "@parley/time/clock";
import type { KokoroVoiceId } from "./kokoro-voices.ts";

/** One clause to render. */
export interface KokoroWork {
  readonly text: string;
  readonly voiceId: KokoroVoiceId;
  readonly speed: number;
}

export interface KokoroClip {
  /** At the rate of a telephone, levelled and set in silence. */
  readonly samples: Int16Array;
  /** The processor time it took, to measure the speed of the machine. */
  readonly cpuMs: number;
}

export type KokoroProcess = ProcessHost<KokoroWork, KokoroClip>;

/** Calls in progress come first: rendering gets only the processor time that is left over. */
export const RENDERING_PRIORITY = constants.priority.PRIORITY_LOW;

/** On a busy machine little is left over. */
const START_MAX_MS = 300_000;

/**
 * Resolves when the network is loaded. Rejects with HostEnded when it cannot be loaded, or when the signal is aborted: on a
 * busy machine a process of this priority would notice that much too late by itself.
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
