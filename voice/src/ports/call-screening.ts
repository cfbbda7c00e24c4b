import type { AnsweredBy } from "./conversation-journal.ts";

/**
 * The port to a detector that distinguishes a person from a machine. It runs beside the conversation and never delays it.
 */
export interface CallScreening {
  /** Begins when the callee has answered. The listener is never called from inside `watch`. */
  watch(heard: SharedArrayBuffer, listener: (decision: ScreeningDecision) => void): ScreeningWatch;
}

export interface ScreeningWatch {
  /** One window of speech detection, as the conversation hears it: without our own echo. */
  hearWindow(window: ScreenedWindow): void;
  /** What was recognized, including what is not a turn of a conversation. */
  hearWords(words: ScreenedWords): void;
  /** The callee pressed a key. */
  hearKey(atMs: number): void;
  /** Nothing is reported afterwards. */
  stop(): void;
}

export interface ScreenedWindow {
  readonly endMs: number;
  readonly durationMs: number;
  readonly isSpeech: boolean;
}

export interface ScreenedWords {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export type ScreeningDecision =
  /** May be revised: the last decision counts. The reason is a human-readable explanation. */
  | { readonly type: "answered_by"; readonly kind: AnsweredBy; readonly reason: string }
  /** The network says that the number cannot be reached. It comes after its `answered_by`, which is `unknown`. */
  | { readonly type: "unreachable"; readonly reason: string }
  /** The tone after which a voicemail records. */
  | { readonly type: "beep"; readonly atMs: number };
