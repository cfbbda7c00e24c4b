import type { ScreenedWords, ScreeningVerdict } from "../ports/call-screening.ts";
import type { Evidence, Party } from "./evidence.ts";
import type { HeardTone } from "./heard-tone.ts";
import type { HeardText } from "./read-words.ts";
import type { ScreeningSettings } from "./screening-settings.ts";
import type { SpeechEdge } from "./speech-edges.ts";
import type { SpeechRuns } from "./speech-runs.ts";

/**
 * Screening is always in one of these phases:
 *
 * - judging: the window is open. Who answered may be decided, and decided otherwise.
 * - awaiting_beep: the window closed on a voicemail whose tone has not come. Only the tone is listened for.
 * - over: nothing that is heard changes anything any more.
 */
export type ScreeningPhase = "judging" | "awaiting_beep" | "over";

export interface ScreeningState {
  readonly settings: ScreeningSettings;
  readonly answeredMs: number;
  readonly phase: ScreeningPhase;
  /** Who it is taken for, null while that is open. */
  readonly party: Party | null;
  readonly speech: SpeechRuns;
  readonly texts: readonly HeardText[];
  /** From the words, which are read anew as they change; and from all else, which stays. */
  readonly spoken: readonly Evidence[];
  readonly heard: readonly Evidence[];
  /** The newest tone that may have invited to record, and whether it was reported. */
  readonly beep: { readonly endMs: number; readonly isReported: boolean } | null;
}

export type ScreeningEvent = ScreeningNews & {
  /** When it became known, as a position of the leg. What it is about may lie before. */
  readonly atMs: number;
};

export type ScreeningNews =
  | SpeechEdge
  | ({ readonly type: "words.heard" } & ScreenedWords)
  | { readonly type: "tone.heard"; readonly tone: HeardTone }
  | { readonly type: "key.pressed" }
  | { readonly type: "time.passed" };

export type ScreeningStep = readonly [ScreeningState, readonly ScreeningVerdict[]];
