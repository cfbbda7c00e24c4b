import { durationMsOf } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { IncidentKind } from "@parley/contract/incidents";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import type { Line, LineEvent, MayDial } from "@parley/voice/ports/line";
import { reasonOf } from "@parley/voice/ports/provider-error";
import type { Conversation, ConversationOptions, LanguageSpeech, VoiceEngine } from "@parley/voice/ports/voice-engine";
import type { CallParts, PartRecord } from "../engines/open-parts.ts";
import type { NotePartUse } from "../engines/part-meter.ts";
import type { ConversationEvent, LineMedia, LineRequest } from "./conversation-messages.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import { claimFloor } from "./line-floor.ts";
import { isSpeechCall, type SpeechCalls } from "./speech-calls.ts";

/** A call as its plan says it is to be held. */
export interface ReadCall {
  /** What the engine needs to know beside the line and the journal. */
  readonly setup: Omit<ConversationOptions, "callId" | "line" | "journal">;
  /** Ends the pending work of the brain. */
  release(): void;
}

/** Reports a failure of the service in this conversation. */
export type NoteIncident = (what: IncidentKind, reason: string) => void;

export interface ConversationMakers {
  readonly engine: VoiceEngine;
  /** Opens the parts of the engine that a plan names. Left out: those of the engine. */
  partsFor?(plan: ConversationPlan, record: PartRecord): Promise<CallParts>;
  /** Throws with a readable reason if the flow of a plan cannot be run. */
  readPlan(
    plan: ConversationPlan,
    mayDial: MayDial,
    noteIncident: NoteIncident,
    parts: CallParts | null,
    inOtherLanguages?: ReadonlyMap<string, LanguageSpeech>,
  ): ReadCall;
  /** Calls of engines that are one model. Left out: there are none. */
  readonly speechCalls?: Pick<SpeechCalls, "prepare" | "close">;
}

/** A language whose parts cannot be opened is left out, and is an incident: the call begins in another one. */
async function openOtherLanguages(
  partsFor: NonNullable<ConversationMakers["partsFor"]>,
  plan: ConversationPlan,
  { note, noteIncident }: PartRecord,
): Promise<ReadonlyMap<string, LanguageSpeech>> {
  const opened = await Promise.allSettled(
    (plan.inOtherLanguages ?? []).map(async ({ language, engine, voiceId }) => {
      const { recognizer, synthesizer } = await partsFor(
        { ...plan, language, engine, voiceId },
        { note, noteIncident: (what, reason) => noteIncident(what, `in ${language}: ${reason}`) },
      );
      return [language, { recognizer, synthesizer, voiceId }] as const;
    }),
  );
  return new Map(opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
}

/** One conversation in its thread. Events of the line are queued until it is prepared. */
export class HeldConversation {
  readonly #line: ThreadLine;
  readonly #say: (event: ConversationEvent) => void;
  readonly #floor: SharedArrayBuffer;
  readonly #answered = new AbortController();
  #conversation: Conversation | null = null;
  #waiting: ((conversation: Conversation) => void)[] = [];

  constructor(media: LineMedia, floor: SharedArrayBuffer, say: (event: ConversationEvent) => void) {
    this.#say = say;
    this.#floor = floor;
    this.#line = new ThreadLine(media, (request) => say({ type: "asked", request }));
  }

  /** Prepares and holds it. Resolves when nothing of it is left, and never rejects. */
  async hold(makers: ConversationMakers, plan: ConversationPlan, mayDial: MayDial): Promise<void> {
    let release: () => void = () => undefined;
    try {
      const conversation = await this.#prepare(makers, plan, mayDial, (held) => {
        release = held;
      });
      this.#say({ type: "prepared" });
      this.#conversation = conversation;
      for (const work of this.#waiting.splice(0)) work(conversation);
      await conversation.finished;
    } catch (error) {
      this.#say({ type: "failed", reason: reasonOf(error) });
    } finally {
      release();
    }
    this.#say({ type: "finished" });
  }

  /** `onHeld` gets what ends the pending work of the conversation, as soon as there is any. */
  async #prepare(
    { engine, partsFor, readPlan, speechCalls }: ConversationMakers,
    plan: ConversationPlan,
    mayDial: MayDial,
    onHeld: (release: () => void) => void,
  ): Promise<Conversation> {
    const note: NotePartUse = (use) => this.#say({ type: "used", use });
    const noteIncident: NoteIncident = (what, reason) => this.#noteIncident(what, reason);
    const journal = { note: (entry: JournalEntry) => this.#say({ type: "noted", entry }) };
    if (speechCalls && isSpeechCall(plan)) {
      const held = await speechCalls.prepare({ plan, line: this.#line, journal, mayDial, noteIncident, note });
      onHeld(held.release);
      return held.conversation;
    }
    const record = { note, noteIncident };
    const parts = partsFor ? await partsFor(plan, record) : null;
    const others = partsFor ? await openOtherLanguages(partsFor, plan, record) : undefined;
    const read = readPlan(plan, mayDial, noteIncident, parts, others);
    onHeld(() => read.release());
    return engine.prepare({
      ...read.setup,
      callId: plan.callId,
      line: this.#line,
      journal,
      hurry: this.#answered.signal,
    });
  }

  setRoundTripMs(roundTripMs: number | null): void {
    this.#line.setRoundTripMs(roundTripMs);
  }

  tell(event: LineEvent): void {
    if (event.type !== "answered") return this.#when((conversation) => conversation.notify(event));
    this.#answered.abort(new Error("the callee has answered"));
    // A conversation so late that the fallback had to speak for it has lost the line.
    this.#when((conversation) =>
      conversation.notify(claimFloor(this.#floor, "conversation") ? event : { type: "ended" }),
    );
  }

  endPolitely(): void {
    this.#when((conversation) => conversation.endPolitely());
  }

  #noteIncident(what: IncidentKind, reason: string): void {
    const atMs = durationMsOf(new RingReader(this.#line.heard).writtenPosition);
    const turn = this.#conversation === null ? {} : { turnId: this.#conversation.turnId };
    this.#say({ type: "noted", entry: { type: "incident", what, reason, atMs, ...turn } });
  }

  #when(work: (conversation: Conversation) => void): void {
    if (this.#conversation === null) this.#waiting.push(work);
    else work(this.#conversation);
  }
}

/** The line of a call as seen by its conversation in another thread: its requests are sent to the owner of the leg. */
export class ThreadLine implements Line {
  readonly heard: SharedArrayBuffer;
  readonly played: SharedArrayBuffer;
  readonly playout: LineMedia["playout"];
  readonly #ask: (request: LineRequest) => void;
  #roundTripMs: number | null = null;

  constructor({ heard, played, playout }: LineMedia, ask: (request: LineRequest) => void) {
    this.heard = heard;
    this.played = played;
    this.playout = playout;
    this.#ask = ask;
  }

  setRoundTripMs(roundTripMs: number | null): void {
    this.#roundTripMs = roundTripMs;
  }

  roundTripMs(): number | null {
    return this.#roundTripMs;
  }

  sendDtmf(keys: string): void {
    this.#ask({ type: "send_dtmf", keys });
  }

  transfer(transfer: Parameters<Line["transfer"]>[0]): void {
    this.#ask({ type: "transfer", transfer });
  }

  hangup(): void {
    this.#ask({ type: "hang_up" });
  }
}
