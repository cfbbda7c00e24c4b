import type { EndReason } from "@parley/contract/calls";
import type { Carrier } from "@parley/telephony/carrier";
import type { Clock } from "@parley/time/clock";
import type { DialPermission } from "@parley/voice/ports/line";
import type { Database } from "../../platform/database/database.ts";
import type { Log } from "../../platform/telemetry/log.ts";
import type { ConversationPlan } from "../../speech/conversations/conversation-plan.ts";
import type { Conversations } from "../../speech/conversations/conversation-pool.ts";
import type { CallRow } from "../call-record.ts";
import type { CallRecorder } from "./recording.ts";

export type GateVerdict =
  /** The call as it now stands, with its credit held. */
  | { readonly verdict: "allowed"; readonly call: CallRow }
  | { readonly verdict: "refused"; readonly reason: EndReason }
  /** It is to go back to the queue, where it waits for the callee's calling hours. */
  | { readonly verdict: "deferred" };

/** What the runs of a worker share. */
export interface RunCallDeps {
  readonly db: Database;
  /** The network a call goes out on. It asks the journal before each request, also before the first. */
  chooseCarrier(call: CallRow): Carrier;
  readonly clock: Clock;
  /** A clock that never jumps, for durations. */
  readonly monotonicMs: () => number;
  readonly log: Log;
  /** Asked once more before anything is dialed. What it says stands on the call. Throws LeaseLost when the call is not ours. */
  askGate(call: CallRow): Promise<GateVerdict>;
  /** Null where nobody speaks: calls are placed and the line stays silent. */
  readonly talk: TalkDeps | null;
}

/** What is needed to talk to a callee. */
export interface TalkDeps {
  readonly conversations: Conversations;
  readonly recorder: CallRecorder;
  /** What the call is about. */
  planTalk(call: CallRow): Promise<ConversationPlan>;
  /** Whether a callee may be connected with this number. Never rejects. */
  mayDial(call: CallRow, to: string): Promise<DialPermission>;
}
