import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import type { MoonshineSize } from "./moonshine-weights.ts";
import type { UtteranceWork } from "./recognize-utterance.ts";

/** What a recognizing process is told. It does one piece of work after the other. */
export type RecognizerCommand =
  | { readonly type: "recognize"; readonly workId: number; readonly work: UtteranceWork }
  | { readonly type: "cancel"; readonly workId: number };

export type RecognizerReply =
  | { readonly type: "ready"; readonly size: MoonshineSize }
  /** Null when it was cancelled. */
  | { readonly type: "recognized"; readonly workId: number; readonly recognition: Recognition | null }
  | { readonly type: "failed"; readonly workId: number; readonly reason: string };
