import type { MayDial } from "@parley/voice/ports/dial-permission";
import type { LineEvent } from "@parley/voice/ports/line";
import type { Conversation, ConversationSetup, VoiceEngine } from "@parley/voice/ports/voice-engine";
import type { ConversationNews, LineMedia } from "./conversation-messages.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import { ThreadLine } from "./thread-line.ts";

/** What the engine needs to know about a call beside its line and its journal. */
export type CallSetup = Omit<ConversationSetup, "callId" | "line" | "journal">;

export interface ConversationMakers {
  readonly engine: VoiceEngine;
  /** Reads a plan: its brain, and how it wants to be conducted. Throws, in words, when its flow cannot be held. */
  readPlan(plan: ConversationPlan, mayDial: MayDial): CallSetup;
}

/** One conversation in its thread. What the line tells before it is prepared waits for it. */
export class HeldConversation {
  readonly #line: ThreadLine;
  readonly #say: (news: ConversationNews) => void;
  #conversation: Conversation | null = null;
  #waiting: ((conversation: Conversation) => void)[] = [];

  constructor(media: LineMedia, say: (news: ConversationNews) => void) {
    this.#say = say;
    this.#line = new ThreadLine(media, (request) => say({ type: "asked", request }));
  }

  /** Prepares and holds it. Resolves when nothing of it is left, and never rejects. */
  async hold({ engine, readPlan }: ConversationMakers, plan: ConversationPlan, mayDial: MayDial): Promise<void> {
    try {
      const conversation = await engine.prepare({
        ...readPlan(plan, mayDial),
        callId: plan.callId,
        line: this.#line,
        journal: { note: (entry) => this.#say({ type: "noted", entry }) },
      });
      this.#say({ type: "prepared" });
      this.#conversation = conversation;
      for (const work of this.#waiting.splice(0)) work(conversation);
      await conversation.finished;
    } catch (error) {
      this.#say({ type: "failed", reason: error instanceof Error ? error.message : String(error) });
    }
    this.#say({ type: "finished" });
  }

  setRoundTripMs(roundTripMs: number | null): void {
    this.#line.setRoundTripMs(roundTripMs);
  }

  tell(event: LineEvent): void {
    this.#when((conversation) => conversation.tell(event));
  }

  endPolitely(farewell: string | null): void {
    this.#when((conversation) => conversation.endPolitely(farewell));
  }

  #when(work: (conversation: Conversation) => void): void {
    if (this.#conversation === null) this.#waiting.push(work);
    else work(this.#conversation);
  }
}
