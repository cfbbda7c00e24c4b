import type { Expectation, ReplyPart } from "../ports/brain.ts";
import type { ScreeningDecision } from "../ports/call-screening.ts";
import type { ExpectedAnswerScore, RecognizedWord } from "../ports/speech-recognizer.ts";
import type { EchoMark } from "./echo/echo-guard.ts";

/** Whatever happens to a conversation, as plain data: what is kept of a call can be played through the machine again. */
export type TurnEvent = UntimedTurnEvent & {
  /** When it happened, as a position of the leg. */
  readonly atMs: number;
};

export type UntimedTurnEvent =
  | LineTurnEvent
  | HearingEvent
  | ReplyEvent
  | { readonly type: "timer.fired"; readonly timer: TimerName; readonly dueMs: number }
  | { readonly type: "screening.decided"; readonly decision: ScreeningDecision }
  /** The service wants the call to end, after these words. */
  | { readonly type: "service.ends"; readonly farewell: string | null }
  /** The conversation cannot be held any more. */
  | { readonly type: "engine.failed"; readonly reason: string };

type LineTurnEvent =
  | { readonly type: "line.answered" }
  | { readonly type: "line.key_pressed"; readonly key: string }
  | { readonly type: "line.audio_missing" }
  | { readonly type: "line.audio_returned" }
  /** The far end reports that nothing of what we send arrives, for so long by now. `wasHeard`: something did before. */
  | { readonly type: "line.not_heard"; readonly wasHeard: boolean; readonly forMs: number }
  | { readonly type: "line.heard_again" }
  | {
      readonly type: "line.transfer_progressed";
      readonly state: "trying" | "ringing" | "completed" | "failed";
      readonly reason: string;
    }
  | { readonly type: "line.ended" };

export interface WindowJudged {
  readonly type: "window.judged";
  readonly endMs: number;
  readonly durationMs: number;
  readonly probability: number;
  readonly levelDbfs: number;
  readonly tonality: number;
  /** Whether the line sends our voice back, and what this window has of it. */
  readonly lineEchoes: boolean | null;
  readonly echo: EchoMark | null;
}

interface RecognitionHeard {
  readonly type: "recognition.heard";
  readonly askId: number;
  readonly text: string;
  /** Times are positions of the leg. */
  readonly words: readonly RecognizedWord[];
  readonly best: ExpectedAnswerScore | null;
  /** How sure recognition is of the text; null when it does not say. */
  readonly confidence: number | null;
}

type HearingEvent =
  | WindowJudged
  | RecognitionHeard
  | {
      readonly type: "recognition.failed";
      readonly askId: number;
      readonly isRetryable: boolean;
      readonly reason: string;
    }
  /** Speech detection has fallen behind the line and judged nothing since then. */
  | { readonly type: "hearing.lost"; readonly sinceMs: number }
  | { readonly type: "hearing.returned" };

/** What a reply does besides speaking, when all that is to be said before it was heard. */
export type ReplyCue = Extract<ReplyPart, { type: "press" | "transfer" }>;

/** Events of the reply with this `turnId`. Those of any but the latest reply are ignored. */
type ReplyEvent =
  | { readonly type: "brain.expects"; readonly expectation: Expectation }
  | { readonly type: "reply.clause"; readonly turnId: number; readonly text: string }
  /** It goes on without something to say. */
  | { readonly type: "reply.progressed"; readonly turnId: number }
  /** Its first sound lies ready. */
  | { readonly type: "reply.ready"; readonly turnId: number }
  /** The call ends when it was heard. */
  | { readonly type: "reply.closes"; readonly turnId: number; readonly reason: ReplyEnd }
  | { readonly type: "reply.cue"; readonly turnId: number; readonly cue: ReplyCue }
  /** The brain could not say what to say, or the voice could not say it. */
  | {
      readonly type: "reply.failed";
      readonly turnId: number;
      readonly part: "brain" | "voice";
      readonly reason: string;
    }
  /** A language model took its turn, or failed to. */
  | { readonly type: "brain.model_asked"; readonly hasFailed: boolean }
  | { readonly type: "playout.started"; readonly turnId: number; readonly startMs: number }
  | {
      readonly type: "playout.clause_started";
      readonly turnId: number;
      readonly text: string;
      readonly mayBeInterrupted: boolean;
    }
  /** All of it was made and went out. */
  | { readonly type: "playout.finished"; readonly turnId: number };

export type ReplyEnd = Extract<ReplyPart, { type: "end" }>["reason"];

export type TimerName =
  | "hello"
  | "identify"
  | "greeting"
  | "permit"
  | "hold"
  | "recognition"
  | "utterance"
  | "silence"
  | "silence_limit"
  | "music"
  | "keys"
  | "watchdog"
  | "beep"
  | "transfer"
  | "hangup";
