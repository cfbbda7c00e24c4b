import { durationMsOf } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { CallLeg, LegEvent } from "@parley/telephony/carrier";
import type { JournalEntry, TurnTiming } from "@parley/voice/ports/conversation-journal";
import type { LineEvent } from "@parley/voice/ports/line";
import { reasonOf } from "@parley/voice/ports/provider-error";
import type { ConversationEvent, LineRequest } from "../../../speech/conversations/conversation-messages.ts";
import type { ConversationPlan } from "../../../speech/conversations/conversation-plan.ts";
import type { LiveConversation } from "../../../speech/conversations/conversation-thread.ts";
import type { IncidentReport } from "../../incidents/incidents.ts";
import type { RunContext } from "../deps.ts";
import { LeaseLost } from "../lease/lease-store.ts";
import type { RunEvent } from "../machine.ts";
import { CallRecording } from "./recording.ts";
import { TranscriptWriter } from "./transcript.ts";

/** Plans the conversation before the call is placed, so that a callee is only rung if an agent can talk. Null where no agent talks. */
export async function planTalk(run: RunContext): Promise<ConversationPlan | null | "unavailable"> {
  const { talk } = run.deps;
  if (talk === null) return null;
  try {
    await talk.conversations.ready();
    return await run.writes.retry(() => talk.planTalk(run.call));
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    run.dispatch({ type: "incident", incident: { what: "conversation_failed", reason: reasonOf(error), agoMs: 0 } });
    return "unavailable";
  }
}

export interface TalkOptions {
  readonly leg: CallLeg;
  /** Null where no agent talks. */
  readonly plan: ConversationPlan | null;
  transfer(leg: CallLeg, request: Extract<LineRequest, { type: "transfer" }>["transfer"]): void;
  /** Receives the events of this talk, until the run moves on to another leg. */
  dispatch(event: RunEvent): void;
}

/** The round-trip time to the far end changes slowly. */
const ROUND_TRIP_EVERY_MS = 5_000;

/** The conversation on one leg: the agent, the transcript and the recording. */
export class Talk {
  readonly #run: RunContext;
  readonly #options: TalkOptions;
  readonly #transcript: TranscriptWriter;
  /** Null where the call is not to be recorded. */
  readonly #recording: CallRecording | null;
  #conversation: LiveConversation | null = null;
  #isAnswered = false;
  #cancelMeasuring: () => void = () => undefined;
  #hasNotedFailure = false;

  constructor(run: RunContext, options: TalkOptions) {
    const { talk } = run.deps;
    this.#run = run;
    this.#options = options;
    this.#transcript = new TranscriptWriter(run);
    this.#recording = talk && run.call.record ? new CallRecording(run, talk.recorder) : null;
  }

  /** Whether an agent is on the line, or will be. */
  get isConversing(): boolean {
    return this.#conversation !== null;
  }

  /**
   * Prepares the conversation while the phone rings: the first words are synthesized. It starts when it is notified of the
   * answer; anything it tries to do before that is refused here.
   */
  prepare(): void {
    const { talk } = this.#run.deps;
    const { plan, leg, dispatch } = this.#options;
    if (talk === null || plan === null) return;
    const { call } = this.#run;
    try {
      this.#conversation = talk.conversations.begin(plan, leg.media, {
        hear: (event) => this.#onConversationEvent(event),
        mayDial: (to) => talk.mayDial(call, to),
      });
    } catch (error) {
      this.#reportFailure(reasonOf(error));
      dispatch({ type: "conversation.over", reason: "engine_error" });
    }
  }

  /** Handles an event of the leg, before the run steps its state machine with it. */
  onLegEvent(event: LegEvent): void {
    if (event.type === "answered") this.#answer();
    const lineEvent = toLineEvent(event);
    if (lineEvent !== null) this.#conversation?.tell(lineEvent);
    if (event.type === "ended") this.#hangUp();
  }

  /** Has the agent say goodbye and hang up. False when there is no agent. */
  sayFarewell(): boolean {
    this.#conversation?.endPolitely();
    return this.isConversing;
  }

  /** The run is over, for whatever reason. */
  end(): void {
    this.#conversation?.tell({ type: "ended" });
    this.#conversation = null;
    this.#transcript.close();
    this.#hangUp();
    this.#recording?.settle();
  }

  #answer(): void {
    const { leg } = this.#options;
    this.#isAnswered = true;
    const position = new RingReader(leg.media.heard).writtenPosition;
    this.#transcript.answeredAt(durationMsOf(position));
    this.#recording?.start(leg.media, position);
    if (this.isConversing) this.#measureRoundTrip();
  }

  #hangUp(): void {
    this.#cancelMeasuring();
    this.#recording?.finish();
  }

  #measureRoundTrip(): void {
    const { leg } = this.#options;
    leg
      .statistics()
      .then(
        (statistics) => this.#conversation?.setRoundTripMs(statistics?.roundTripMs ?? null),
        this.#run.warn("round-trip time of a leg could not be read"),
      );
    this.#cancelMeasuring = this.#run.deps.clock.setTimer(ROUND_TRIP_EVERY_MS, () => this.#measureRoundTrip());
  }

  #onConversationEvent(event: ConversationEvent): void {
    const { dispatch } = this.#options;
    switch (event.type) {
      case "prepared":
        return;
      case "noted":
        // A failure while it rings is reported before the answer; nothing was said or done by then.
        if (event.entry.type === "incident") return this.#reportIncident(event.entry);
        if (event.entry.type === "turn_timing") this.#noteReply(event.entry.timing);
        if (this.#isAnswered) this.#transcript.note(event.entry);
        else if (event.entry.type !== "over") this.#refuse(event.entry.type);
        if (event.entry.type === "over") dispatch({ type: "conversation.over", reason: event.entry.reason });
        return;
      case "used":
        return this.#transcript.noteUse(event.use);
      case "asked":
        if (!this.#isAnswered && event.request.type !== "hang_up") return this.#refuse(event.request.type);
        return this.#carryOut(event.request);
      case "failed":
        if (!this.#hasNotedFailure) this.#reportFailure(event.reason);
        return dispatch({ type: "conversation.over", reason: "engine_error" });
      case "finished":
        this.#conversation = null;
        this.#transcript.flush();
        return dispatch({ type: "conversation.finished" });
    }
  }

  #noteReply(timing: TurnTiming): void {
    this.#run.deps.meters?.replied(timing);
    this.#run.trace.reply(timing);
  }

  #refuse(what: string): void {
    this.#run.warn("conversation acted before the answer")(new Error(`${what} was refused`));
  }

  #reportIncident(entry: Extract<JournalEntry, { type: "incident" }>): void {
    const { what, reason, atMs, turnId, totalMs, isUpdate } = entry;
    if (what === "conversation_failed") this.#hasNotedFailure = true;
    const nowMs = durationMsOf(new RingReader(this.#options.leg.media.heard).writtenPosition);
    const incident: IncidentReport = {
      what,
      reason,
      agoMs: Math.max(0, nowMs - atMs),
      ...(turnId === undefined ? {} : { turn: turnId }),
      ...(totalMs === undefined ? {} : { totalMs }),
      ...(isUpdate === undefined ? {} : { isUpdate }),
    };
    this.#options.dispatch({ type: "incident", incident });
  }

  #reportFailure(reason: string): void {
    this.#options.dispatch({ type: "incident", incident: { what: "conversation_failed", reason, agoMs: 0 } });
  }

  #carryOut(request: LineRequest): void {
    const { leg, transfer, dispatch } = this.#options;
    try {
      if (request.type === "send_dtmf") leg.sendDtmf(request.keys);
      else if (request.type === "transfer") transfer(leg, request.transfer);
      else dispatch({ type: "conversation.over", reason: "agent_hangup" });
    } catch (error) {
      this.#run.warn("request of a conversation to the line failed")(error);
    }
  }
}

/** An event of the leg as the conversation sees it; null for one that does not concern it. */
export function toLineEvent(event: LegEvent): LineEvent | null {
  switch (event.type) {
    case "answered":
    case "audio_missing":
    case "audio_returned":
    case "heard_again":
    case "ended":
      return { type: event.type };
    case "not_heard":
      return { type: "not_heard", wasHeard: event.wasHeard, forMs: event.forMs };
    case "dtmf":
      return { type: "dtmf", key: event.key };
    case "transfer_progressed":
      return { type: "transfer_progressed", state: event.state, reason: event.reason };
    case "ringing":
    case "early_media":
      return null;
  }
}
