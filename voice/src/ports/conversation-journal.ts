import type { IncidentKind } from "@parley/contract/incidents";
import type { ReplyStage } from "@parley/contract/transcripts";
import type { Decision } from "./brain.ts";

/** Records what happens in a conversation, as it happens. Never awaited: a slow journal cannot delay a call. */
export interface ConversationJournal {
  note(entry: JournalEntry): void;
}

/** Times are positions of the leg in milliseconds: 0 is the first sample of its rings. */
export type JournalEntry =
  | {
      readonly type: "callee_said";
      readonly turnId: number;
      readonly text: string;
      readonly startMs: number;
      readonly endMs: number;
      readonly words: readonly { readonly text: string; readonly startMs: number; readonly endMs: number }[];
      /** The confidence of recognition, from 0 to 1, and the language that was spoken, if the recognizer says. */
      readonly confidence?: number;
      readonly language?: string;
    }
  | {
      readonly type: "agent_said";
      readonly turnId: number;
      /** What was to be said, and how much of it the callee heard. */
      readonly text: string;
      readonly heardText: string;
      readonly wasInterrupted: boolean;
      readonly startMs: number;
      readonly endMs: number;
      /** Its position in the order of events, when something that follows from it happened before its first audio. */
      readonly orderMs?: number;
      readonly words: readonly { readonly text: string; readonly startMs: number; readonly endMs: number }[];
    }
  /** The callee continued: these two turns are one, and what the agent had started to say was taken back. */
  | { readonly type: "turn_undone"; readonly turnId: number }
  /** `exit` is the field of the previous node that led here; left out at the first node and after a jump. */
  | { readonly type: "entered"; readonly nodeId: string; readonly exit?: string; readonly atMs: number }
  | { readonly type: "decided"; readonly turnId: number; readonly decision: Decision; readonly atMs: number }
  | { readonly type: "collected"; readonly name: string; readonly value: string | number | boolean | null }
  /** What was said so far came from a machine: only these collected values remain. */
  | {
      readonly type: "answers_withdrawn";
      readonly collected: Readonly<Record<string, string | number | boolean | null>>;
    }
  | {
      readonly type: "tool_call";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly atMs: number;
    }
  | {
      readonly type: "tool_result";
      readonly id: string;
      readonly name: string;
      readonly output: unknown;
      readonly ok: boolean;
      readonly atMs: number;
    }
  | { readonly type: "dtmf"; readonly key: string; readonly by: "callee" | "agent"; readonly atMs: number }
  | { readonly type: "note"; readonly text: string; readonly atMs: number }
  /** The callee speaks another language than the agent: an ISO 639-1 code. */
  | { readonly type: "language_noticed"; readonly language: string; readonly atMs: number }
  | { readonly type: "answered_by"; readonly kind: AnsweredBy; readonly atMs: number }
  | { readonly type: "turn_timing"; readonly timing: TurnTiming }
  | { readonly type: "suppress" }
  /** A failure of the service itself. */
  | {
      readonly type: "incident";
      readonly what: IncidentKind;
      /** Never empty. */
      readonly reason: string;
      readonly atMs: number;
      /** The turn in which it happened: of the reply, or while the callee had the floor, of the reply that followed. */
      readonly turnId?: number;
      /** How long it has lasted so far in this call, if known. */
      readonly totalMs?: number;
      /** It was recorded before, and more is known about it now. */
      readonly isUpdate?: boolean;
    }
  | { readonly type: "over"; readonly reason: ConversationEnd };

export type AnsweredBy = "human" | "voicemail" | "ivr" | "screening" | "fax" | "unknown";

export type ConversationEnd =
  | "agent_hangup"
  | "callee_hangup"
  | "transferred"
  | "voicemail_hangup"
  | "voicemail_left"
  | "silence"
  | "no_audio"
  | "fax"
  | "unreachable"
  | "engine_error";

/** Where the time of one reply went, from the end of the callee's speech to the agent's first audio. */
export interface TurnTiming {
  readonly turnId: number;
  /** Waiting for whether the callee was done. */
  readonly holdMs: number;
  /** Recognition that was not hidden behind the hold. */
  readonly recognitionMs: number;
  readonly decisionMs: number;
  readonly firstAudioMs: number;
  readonly totalMs: number;
  /** The same time in more detail: in order, in whole milliseconds, without stages that took none. */
  readonly stages: readonly ReplyStage[];
  readonly ducks: number;
  readonly interruptions: number;
  readonly undos: number;
}
