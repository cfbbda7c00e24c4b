import type { CallEventType } from "@parley/contract/call-events";
import type { EndedBy, EndReason } from "@parley/contract/calls";
import type { LegEvent } from "@parley/telephony/carrier";
import type { ConversationEnd } from "@parley/voice/ports/conversation-journal";
import type { IncidentReport } from "../incidents/merge-incident.ts";

/**
 * One run of a call, from the claim to its end. The states, in plain words:
 *
 *   waiting   claimed; its send time has not come, or no trunk had a channel free. Nothing was sent: it may still go back
 *             to the queue.
 *   placing   the gate was asked and the carrier prepares. Nothing was sent, because nothing is written ahead yet.
 *   dialing   the first attempt is written ahead. From here on it is never dialed again by anybody else.
 *   ringing   the callee's phone rings.
 *   talking   the callee answered.
 *   closing   we asked the network to end it and wait, for a bounded time, until it says so.
 *   settling  the line is gone. What was said last is still being noted, and waited for shortly.
 *   over      the end is known; what is left is to commit it.
 *
 * `stepRun` is pure: effects are data, and what they lead to comes back as events.
 */
export type RunState =
  /** `tries` counts how often no trunk had a channel free. */
  | { readonly phase: "waiting"; readonly tries: number }
  | { readonly phase: "placing"; readonly tries: number }
  | { readonly phase: "dialing" }
  | { readonly phase: "ringing" }
  /** `farewell` is why the call will have ended once the agent has said goodbye on our behalf; null while it goes on. */
  | { readonly phase: "talking"; readonly isTransferred: boolean; readonly farewell: Verdict | null }
  | { readonly phase: "closing"; readonly answered: boolean; readonly verdict: Verdict }
  | { readonly phase: "settling"; readonly verdict: Verdict; readonly leg: LegEnd }
  | { readonly phase: "over" };

/** Why a call ended, and by whom. */
export interface Verdict {
  readonly reason: EndReason;
  readonly by: EndedBy;
  readonly isOrderly: boolean;
}

export type LegEnd = Extract<LegEvent, { type: "ended" }>;

export type RunEvent =
  | { readonly type: "send_time.reached" }
  | { readonly type: "gate.refused"; readonly reason: EndReason }
  /** It is too early to call: the callee's calling hours have not begun. */
  | { readonly type: "gate.deferred" }
  /** Nobody could conduct the call, so it was not placed. */
  | { readonly type: "engine.unavailable" }
  /** The first attempt is committed. */
  | { readonly type: "dial.written" }
  /** A hang-up was asked for, so that an attempt was not written. */
  | { readonly type: "write_ahead.refused" }
  /** Nothing was written, because every trunk that could carry the call was full. */
  | { readonly type: "trunks.full" }
  | { readonly type: "dial.sent" }
  /** The carrier could not be asked at all: nothing was sent. */
  | { readonly type: "dial.failed" }
  | LegEvent
  /** The conversation is over as far as the agent is concerned. It asks for nothing more. */
  | { readonly type: "conversation.over"; readonly reason: ConversationEnd }
  /** There is none, or all that it had to note was noted. */
  | { readonly type: "conversation.finished" }
  /** Something of ours failed in the conversation. */
  | { readonly type: "incident"; readonly incident: IncidentReport }
  | { readonly type: "ring_time.over" }
  | { readonly type: "talk_time.nearly_over" }
  | { readonly type: "talk_time.over" }
  | { readonly type: "farewell_time.over" }
  | { readonly type: "close_time.over" }
  | { readonly type: "settle_time.over" }
  | { readonly type: "hangup.requested" }
  | { readonly type: "credit.nearly_ended"; readonly reason: "insufficient_credit" | "spend_limit" }
  | { readonly type: "credit.ended"; readonly reason: "insufficient_credit" | "spend_limit" }
  | { readonly type: "worker.stopping" }
  | { readonly type: "lease.lost" };

export type RunEffect =
  | { readonly type: "dial" }
  | { readonly type: "requeue" }
  | { readonly type: "commit_ringing" }
  | { readonly type: "commit_talking" }
  /** The callee talks with somebody else over a second leg, which costs from here on. */
  | { readonly type: "commit_bridged" }
  /** Something for the timeline that changes no state of the call. */
  | { readonly type: "commit_note"; readonly event: CallEventType; readonly data: Readonly<Record<string, unknown>> }
  | { readonly type: "commit_incident"; readonly incident: IncidentReport }
  | { readonly type: "hang_up" }
  /** Has the agent say goodbye. Where no agent speaks, the time for it is over at once, or the call simply goes on. */
  | { readonly type: "say_farewell"; readonly otherwise: "hang_up" | "go_on" }
  /** Waits for the last notes of the conversation, where there is one. */
  | { readonly type: "settle" }
  | { readonly type: "start_timer"; readonly timer: "ring" | "talk" | "farewell" | "close" | "settle" }
  | { readonly type: "wait_for_trunk"; readonly tries: number }
  | { readonly type: "commit_end"; readonly verdict: Verdict; readonly answered: boolean; readonly leg: LegEnd | null }
  | { readonly type: "abandon" };
