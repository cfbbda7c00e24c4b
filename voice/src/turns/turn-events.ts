import type { Expectation, ReplyPart } from "../ports/brain.ts";
import type { ScreeningDecision } from "../ports/call-screening.ts";
import type { ExpectedAnswerScore, RecognizedWord } from "../ports/speech-recognizer.ts";
import type { EchoMark } from "./echo/echo-guard.ts";

/** Everything that happens to a conversation, as plain data: a recorded call can be replayed through the machine. */
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
  /** The service wants to end the call, after these words. */
  | { readonly type: "service.ends"; readonly farewell: string | null }
  /** The conversation cannot continue. */
  | { readonly type: "engine.failed"; readonly reason: string };

type LineTurnEvent =
  | { readonly type: "line.answered" }
  | { readonly type: "line.key_pressed"; readonly key: string }
  | { readonly type: "line.audio_missing" }
  | { readonly type: "line.audio_returned" }
  /** The far end reports that nothing we send has arrived for this long. `wasHeard`: something did before. */
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
  /** Whether the line echoes our voice, and how much of it is in this window. */
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
  /** The confidence of recognition; null if unknown. */
  readonly confidence: number | null;
  /** How long the recognizer worked on it, if known. */
  readonly workMs?: number;
  readonly language?: string;
  /** What a recognizer that follows the whole call knows so far: more words may be on their way. */
  readonly isProvisional?: true;
}

/** Everything said in the open utterance so far, as reported by a recognizer that follows the whole call. */
export interface FollowedWords {
  readonly text: string;
  /** Times are positions of the leg. */
  readonly words: readonly RecognizedWord[];
  readonly confidence: number | null;
  readonly language?: string;
  readonly startMs: number;
  /** The end of the last word, or of the audio that was processed. */
  readonly untilMs: number;
}

type FollowedEvent =
  | (FollowedWords & { readonly type: "recognition.turn_updated" })
  | (FollowedWords & { readonly type: "recognition.turn_probably_ended" })
  | { readonly type: "recognition.turn_resumed" }
  | (FollowedWords & { readonly type: "recognition.turn_ended" })
  /** The recognizer failed, and another one continues. */
  | { readonly type: "recognition.replaced"; readonly reason: string };

type HearingEvent =
  | WindowJudged
  | RecognitionHeard
  | FollowedEvent
  | {
      readonly type: "recognition.failed";
      readonly askId: number;
      readonly isRetryable: boolean;
      readonly reason: string;
    }
  /** Speech detection has fallen behind the line and reported nothing since then. */
  | { readonly type: "hearing.lost"; readonly sinceMs: number }
  | { readonly type: "hearing.returned" };

/** What a reply does besides speaking, after everything before it was heard. */
export type ReplyCue = Extract<ReplyPart, { type: "press" | "transfer" }>;

/** Events of the reply with this `turnId`. Those of any but the latest reply are ignored. */
type ReplyEvent =
  | { readonly type: "brain.expects"; readonly expectation: Expectation }
  | { readonly type: "reply.clause"; readonly turnId: number; readonly text: string }
  /** It continues without something to say. */
  | { readonly type: "reply.progressed"; readonly turnId: number }
  /** It continues when another component has answered. */
  | { readonly type: "reply.waits"; readonly turnId: number; readonly on: "judges" | "model" | "tool" }
  /** Its first audio is ready. */
  | { readonly type: "reply.ready"; readonly turnId: number }
  /** The call ends when it was heard. */
  | { readonly type: "reply.closes"; readonly turnId: number; readonly reason: ReplyEnd }
  | { readonly type: "reply.cue"; readonly turnId: number; readonly cue: ReplyCue }
  /** The brain failed to produce a reply, or the voice failed to speak it. */
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
  /** All of it was rendered and sent. */
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
