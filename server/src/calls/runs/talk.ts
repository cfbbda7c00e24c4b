import { durationMsOf } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { CallLeg, LegEvent } from "@parley/telephony/carrier";
import type { Clock } from "@parley/time/clock";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import type { DialPermission, LineEvent } from "@parley/voice/ports/line";
import { reasonOf } from "@parley/voice/ports/provider-error";
import type { ConversationNews, LineRequest } from "../../speech/conversations/conversation-messages.ts";
import type { ConversationPlan } from "../../speech/conversations/conversation-plan.ts";
import type { Conversations } from "../../speech/conversations/conversation-pool.ts";
import type { LiveConversation } from "../../speech/conversations/conversation-thread.ts";
import type { CallRow } from "../call-record.ts";
import type { IncidentReport } from "../incidents/merge-incident.ts";
import type { RunCallDeps } from "./deps.ts";
import { LeaseLost } from "./lease-store.ts";
import type { RunEvent } from "./machine.ts";
import { RunRecording } from "./recording.ts";
import { RunTranscript } from "./transcript.ts";
import type { RunWrites } from "./writes.ts";

export interface TalkContext extends Pick<RunTalkParts, "transfer" | "tell" | "warn"> {
  readonly deps: Pick<RunCallDeps, "db" | "clock" | "monotonicMs" | "talk">;
  readonly call: CallRow;
  readonly writes: RunWrites;
}

/** What the call will be about, before it is placed: nobody is rung who could not be talked to. Null where nobody talks. */
export async function planTalk({
  deps: { talk },
  call,
  writes,
  tell,
}: Pick<TalkContext, "deps" | "call" | "writes" | "tell">): Promise<ConversationPlan | null | "unavailable"> {
  if (talk === null) return null;
  try {
    await talk.conversations.ready();
    return await writes.persist(() => talk.planTalk(call));
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const incident = { what: "conversation_failed", reason: reasonOf(error), agoMs: 0 } as const;
    tell({ type: "incident", incident });
    return "unavailable";
  }
}

/** The talk on a leg that was just placed. */
export function openTalk(
  { deps, call, writes, ...context }: TalkContext,
  leg: CallLeg,
  plan: ConversationPlan | null,
): RunTalk {
  const { db, clock, monotonicMs, talk } = deps;
  const shared = { db, call, clock, writes };
  return new RunTalk({
    ...context,
    leg,
    clock,
    plan,
    conversations: talk?.conversations ?? null,
    transcript: new RunTranscript(shared),
    recording: talk && call.record ? new RunRecording({ ...shared, monotonicMs, recorder: talk.recorder }) : null,
    mayDial: async (to) => (await talk?.mayDial(call, to)) ?? { isAllowed: false, reason: "nobody talks" },
  });
}

interface RunTalkParts {
  readonly leg: CallLeg;
  readonly clock: Clock;
  /** Null where nobody speaks. */
  readonly conversations: Pick<Conversations, "begin"> | null;
  readonly plan: ConversationPlan | null;
  readonly transcript: RunTranscript;
  /** Null where the call is not to be recorded. */
  readonly recording: RunRecording | null;
  mayDial(to: string): Promise<DialPermission>;
  /** Returns why it is refused, or null. */
  transfer(leg: CallLeg, request: Extract<LineRequest, { type: "transfer" }>["transfer"]): void;
  tell(event: RunEvent): void;
  warn(message: string): (error: unknown) => void;
}

/** How long sound takes to the far end and back changes slowly. */
const ROUND_TRIP_EVERY_MS = 5_000;
const FAREWELL = "I am sorry, I have to end this call now. Goodbye.";

/** What is said on a leg: the agent's side of it, what is written down of it, and its recording. */
export class RunTalk {
  readonly #parts: RunTalkParts;
  #conversation: LiveConversation | null = null;
  #isAnswered = false;
  #cancelLook: () => void = () => undefined;
  #hasNotedFailure = false;

  constructor(parts: RunTalkParts) {
    this.#parts = parts;
  }

  /** Whether an agent is on the line, or will be. */
  get isConversing(): boolean {
    return this.#conversation !== null;
  }

  /**
   * Has the conversation prepared while the phone rings: what will be said first is rendered. It begins when it is told
   * of the answer, and what it would do before that is refused here whatever it is.
   */
  prepare(): void {
    const { conversations, plan, leg, mayDial, tell } = this.#parts;
    if (conversations === null || plan === null) return;
    try {
      this.#conversation = conversations.begin(plan, leg.media, { hear: (news) => this.#follow(news), mayDial });
    } catch (error) {
      this.#breakOff(reasonOf(error));
      tell({ type: "conversation.over", reason: "engine_error" });
    }
  }

  /** What happens to the leg, before the run draws its conclusions from it. */
  hear(event: LegEvent): void {
    if (event.type === "answered") this.#answer();
    const told = toLineEvent(event);
    if (told !== null) this.#conversation?.tell(told);
    if (event.type === "ended") this.#hangUp();
  }

  /** Has the agent say goodbye and hang up. False when no agent is there to do so. */
  sayFarewell(): boolean {
    const { plan } = this.#parts;
    this.#conversation?.endPolitely(plan?.flow.settings?.phrases?.farewell ?? FAREWELL);
    return this.isConversing;
  }

  /** The run is over, however it came to that. */
  end(): void {
    this.#conversation?.tell({ type: "ended" });
    this.#conversation = null;
    this.#parts.transcript.close();
    this.#hangUp();
    this.#parts.recording?.settle();
  }

  #answer(): void {
    const { leg, transcript, recording } = this.#parts;
    this.#isAnswered = true;
    const position = new RingReader(leg.media.heard).writtenPosition;
    transcript.answeredAt(durationMsOf(position));
    recording?.start(leg.media, position);
    if (this.isConversing) this.#look();
  }

  #hangUp(): void {
    this.#cancelLook();
    this.#parts.recording?.finish();
  }

  #look(): void {
    const { leg, clock, warn } = this.#parts;
    leg
      .statistics()
      .then(
        (statistics) => this.#conversation?.setRoundTripMs(statistics?.roundTripMs ?? null),
        warn("how long sound takes to the callee is not known"),
      );
    this.#cancelLook = clock.setTimer(ROUND_TRIP_EVERY_MS, () => this.#look());
  }

  #follow(news: ConversationNews): void {
    const { tell, transcript } = this.#parts;
    switch (news.type) {
      case "prepared":
        return;
      case "noted":
        // What failed while it rang is known before the answer, and nothing of it was said or done.
        if (news.entry.type === "incident") return this.#noteIncident(news.entry);
        if (this.#isAnswered) transcript.note(news.entry);
        else if (news.entry.type !== "over") this.#refuse(news.entry.type);
        if (news.entry.type === "over") tell({ type: "conversation.over", reason: news.entry.reason });
        return;
      case "asked":
        if (!this.#isAnswered && news.request.type !== "hang_up") return this.#refuse(news.request.type);
        return this.#carryOut(news.request);
      case "failed":
        if (!this.#hasNotedFailure) this.#breakOff(news.reason);
        return tell({ type: "conversation.over", reason: "engine_error" });
      case "finished":
        this.#conversation = null;
        transcript.flush();
        return tell({ type: "conversation.finished" });
    }
  }

  #refuse(what: string): void {
    this.#parts.warn("a conversation acted before the answer")(new Error(`${what} was refused`));
  }

  #noteIncident({ what, reason, atMs, totalMs, isUpdate }: Extract<JournalEntry, { type: "incident" }>): void {
    if (what === "conversation_failed") this.#hasNotedFailure = true;
    const nowMs = durationMsOf(new RingReader(this.#parts.leg.media.heard).writtenPosition);
    const incident: IncidentReport = {
      ...{ what, reason, agoMs: Math.max(0, nowMs - atMs) },
      ...(totalMs === undefined ? {} : { totalMs }),
      ...(isUpdate === undefined ? {} : { isUpdate }),
    };
    this.#parts.tell({ type: "incident", incident });
  }

  #breakOff(reason: string): void {
    this.#parts.tell({ type: "incident", incident: { what: "conversation_failed", reason, agoMs: 0 } });
  }

  #carryOut(request: LineRequest): void {
    const { leg, transfer, tell, warn } = this.#parts;
    try {
      if (request.type === "send_dtmf") leg.sendDtmf(request.keys);
      else if (request.type === "transfer") transfer(leg, request.transfer);
      else tell({ type: "conversation.over", reason: "agent_hangup" });
    } catch (error) {
      warn("the line did not do what the conversation asked for")(error);
    }
  }
}

/** What a conversation is told of what happens to its leg; null for what does not concern it. */
export function toLineEvent(event: LegEvent): LineEvent | null {
  switch (event.type) {
    case "answered":
    case "audioMissing":
    case "audioReturned":
    case "heardAgain":
    case "ended":
      return { type: event.type };
    case "notHeard":
      return { type: "notHeard", wasHeard: event.wasHeard, forMs: event.forMs };
    case "dtmf":
      return { type: "dtmf", key: event.key };
    case "transferProgress":
      return { type: "transferProgress", state: event.state, reason: event.reason };
    case "ringing":
    case "earlyMedia":
      return null;
  }
}
