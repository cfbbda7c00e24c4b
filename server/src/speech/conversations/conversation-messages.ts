import type { PlayoutHandle } from "@parley/audio/playout-layout";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import type { DialPermission, LineEvent, LineTransfer } from "@parley/voice/ports/line";
import type { PartUse } from "../engines/part-meter.ts";
import type { ConversationPlan } from "./conversation-plan.ts";

/** The audio of a line, to which every thread can attach. */
export interface LineMedia {
  readonly heard: SharedArrayBuffer;
  readonly played: SharedArrayBuffer;
  readonly playout: PlayoutHandle;
}

/** The requests to a conversation thread. Each conversation has a number that is never reused. */
export type ConversationCommand =
  | {
      readonly type: "prepare";
      readonly conversationId: number;
      readonly plan: ConversationPlan;
      readonly media: LineMedia;
      /** The first to claim it speaks on the line; see line-floor.ts. */
      readonly floor: SharedArrayBuffer;
    }
  | { readonly type: "tell"; readonly conversationId: number; readonly event: LineEvent }
  | { readonly type: "round_trip"; readonly conversationId: number; readonly roundTripMs: number | null }
  | { readonly type: "end_politely"; readonly conversationId: number }
  | { readonly type: "dial_permission"; readonly questionId: number; readonly permission: DialPermission }
  | { readonly type: "ping" }
  /** Ends all conversations; then the thread exits on its own. */
  | { readonly type: "stop" };

/** The requests of a conversation to its line. */
export type LineRequest =
  | { readonly type: "send_dtmf"; readonly keys: string }
  | { readonly type: "transfer"; readonly transfer: LineTransfer }
  | { readonly type: "hang_up" };

/** The messages of the thread. */
export type ConversationMessage =
  | { readonly type: "ready" }
  /** `lateMs` is how late the thread ran since the last one. */
  | { readonly type: "pong"; readonly lateMs: number }
  /** A fault that belongs to no conversation, or to one that is over: for the log. */
  | { readonly type: "fault"; readonly callId: string | null; readonly what: string; readonly reason: string }
  | {
      readonly type: "may_dial";
      readonly conversationId: number;
      readonly questionId: number;
      readonly to: string;
    }
  | ({ readonly conversationId: number } & ConversationEvent);

/** The events of one conversation. */
export type ConversationEvent =
  | { readonly type: "prepared" }
  | { readonly type: "noted"; readonly entry: JournalEntry }
  | { readonly type: "asked"; readonly request: LineRequest }
  /** A part of its engine was used, before the answer too. */
  | { readonly type: "used"; readonly use: PartUse }
  /** It could not be prepared, or broke. `finished` follows. */
  | { readonly type: "failed"; readonly reason: string }
  /** It has ended. Sent last, once. */
  | { readonly type: "finished" };
