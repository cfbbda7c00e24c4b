import type { EndReason } from "@parley/contract/calls";
import type { Carrier } from "@parley/telephony/carrier";
import type { Clock } from "@parley/time/clock";
import type { NamedTimers } from "@parley/time/named-timers";
import type { TurnTiming } from "@parley/voice/ports/conversation-journal";
import type { DialPermission } from "@parley/voice/ports/line";
import type { ListAndCredit } from "../../phone/gate/suppression-store.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Log } from "../../platform/telemetry/log.ts";
import type { Tracing } from "../../platform/telemetry/tracing.ts";
import type { ConversationPlan } from "../../speech/conversations/conversation-plan.ts";
import type { Conversations } from "../../speech/conversations/conversation-pool.ts";
import type { CallRow } from "../call-record.ts";
import type { Recorder } from "../recordings/recorder/recorder.ts";
import type { CallTrace } from "./call-trace.ts";
import type { RunEvent, RunState } from "./machine.ts";
import type { WriteQueue } from "./writes.ts";

/** What the runs of a worker share. */
export interface RunDeps {
  readonly db: Database;
  /** The carrier for a call. It consults the journal before each request, the first included. */
  chooseCarrier(call: CallRow): Pick<Carrier, "name" | "place">;
  readonly clock: Clock;
  /** A monotonic clock, for durations. */
  readonly monotonicMs: () => number;
  readonly log: Log;
  /**
   * The last check before anything is dialed; its decision is stored on the call. Throws LeaseLost when the call is not ours.
   * `known` is what was read with the claim, just now.
   */
  askGate(call: CallRow, known: ListAndCredit | null): Promise<GateOutcome>;
  /** Null where no agent speaks: calls are placed and the line stays silent. */
  readonly talk: TalkDeps | null;
  /** Default: nothing is traced. */
  readonly tracing?: Tracing;
  /** Counts what happens, for metrics. */
  readonly meters?: RunMeters;
}

interface RunMeters {
  callEnded(end: {
    readonly mode: string;
    readonly status: string;
    readonly reason: string;
    readonly talkedMs: number | null;
  }): void;
  replied(timing: Pick<TurnTiming, "totalMs" | "stages">): void;
  incident(what: string): void;
}

/** A call that a worker has claimed. */
export interface ClaimedCall {
  readonly call: CallRow;
  /** The rate limit of a lane is kept by assigning send times: this call is sent after so many milliseconds. */
  readonly sendInMs: number;
  /** What the gate decides on, as it was at the claim; null when it was not read then. */
  readonly listAndCredit: ListAndCredit | null;
}

export type GateOutcome =
  /** The updated call, with its credit held. */
  | { readonly decision: "allowed"; readonly call: CallRow }
  | { readonly decision: "refused"; readonly reason: EndReason }
  /** Back to the queue, to wait for the callee's calling hours. */
  | { readonly decision: "deferred" };

/** What is needed to talk to a callee. */
export interface TalkDeps {
  readonly conversations: Conversations;
  readonly recorder: CallRecorder;
  /** The agent's flow and the facts of the call. */
  planTalk(call: CallRow): Promise<ConversationPlan>;
  /** Whether a callee may be connected with this number. Never rejects. */
  mayDial(call: CallRow, to: string): Promise<DialPermission>;
}

export interface CallRecorder extends Pick<Recorder, "record"> {
  /** Where recordings are written. */
  readonly folder: string;
}

/** What the parts of one run share. It lives as long as the run. */
export interface RunContext {
  readonly deps: RunDeps;
  /** The call as last committed. */
  call: CallRow;
  readonly timers: NamedTimers;
  readonly writes: WriteQueue;
  readonly trace: CallTrace;
  isPhase(...phases: RunState["phase"][]): boolean;
  /** How long the callee has been on the line. */
  talkedMs(): number;
  /** Steps the state machine and carries out its effects. */
  dispatch(event: RunEvent): void;
  /** Returns a handler that logs an error under this message. */
  warn(message: string): (error: unknown) => void;
}
