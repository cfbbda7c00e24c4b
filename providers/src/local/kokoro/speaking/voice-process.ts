import { ProcessHost } from "@parley/threads/process-host";
import { systemClock } from "@parley/time/clock";
import type { WordTime } from "@parley/voice/ports/speech-synthesizer";
import type { KokoroVoiceId } from "../kokoro-voices.ts";

/** One clause to be spoken. */
export interface Clause {
  readonly text: string;
  readonly voiceId: KokoroVoiceId;
}

/**
 * Speaking takes several steps, so that another call can go first between two of them: `begin` finds the melody of the
 * whole clause, and each `continue` renders the next piece of audio.
 */
export type VoiceWork =
  | { readonly type: "begin"; readonly speechId: number; readonly clause: Clause }
  | { readonly type: "continue"; readonly speechId: number }
  | { readonly type: "drop"; readonly speechId: number };

export interface VoiceStep {
  /** The next audio at the rate of a telephone, levelled. Empty after `begin`. */
  readonly samples: Int16Array;
  readonly isOver: boolean;
  /** With the first audio: the times of the words between white space; null if unknown. */
  readonly wordTimes: readonly WordTime[] | null;
}

export type VoiceProcess = ProcessHost<VoiceWork, VoiceStep>;

/** On a busy machine the networks take long to load. */
const START_MAX_MS = 120_000;
/** A suspended process leaves a callee in silence. */
const STALLED_MS = 2_000;

/** Resolves when the networks are loaded. Rejects with HostEnded when they cannot be, or when the signal is aborted. */
export async function openVoiceProcess(signal?: AbortSignal): Promise<VoiceProcess> {
  const opened: VoiceProcess = new ProcessHost(new URL("./voice-child.ts", import.meta.url), {
    name: "the speaking process",
    timers: systemClock,
    startMaxMs: START_MAX_MS,
    stalledMs: STALLED_MS,
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
