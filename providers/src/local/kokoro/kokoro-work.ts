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
  /** What it took, for whoever wants to know how quick the machine is. */
  readonly cpuMs: number;
}
