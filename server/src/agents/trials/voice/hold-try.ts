import { durationMsOf } from "@parley/audio/frame";
import type { SampleRateHz } from "@parley/audio/resample-filter";
import type { Flow } from "@parley/contract/flow";
import { TRY_VOICE_RATE_HZ, TRY_VOICE_SECONDS_MAX, type TryVoiceNews } from "@parley/contract/try-voice";
import type { SoundTick } from "@parley/telephony/simulated-network/sound/sound-tick";
import type { Clock } from "@parley/time/clock";
import type { ConversationEnd } from "@parley/voice/ports/conversation-journal";
import type { ConversationNews, LineRequest } from "../../../speech/conversations/conversation-messages.ts";
import type { ConversationPlan } from "../../../speech/conversations/conversation-plan.ts";
import type { Conversations } from "../../../speech/conversations/conversation-pool.ts";
import type { LiveConversation } from "../../../speech/conversations/conversation-thread.ts";
import { toVoiceNews } from "./to-voice-news.ts";
import { TryLine } from "./try-line.ts";

/** What a process that holds conversations is asked to hold. */
export interface TryOrder {
  readonly tryId: string;
  readonly accountId: string;
  readonly flow: Flow;
  readonly language: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly microphoneRateHz: SampleRateHz;
}

export type TryCommand = { readonly type: "press"; readonly keys: string } | { readonly type: "hang_up" };

export interface HoldTryParts {
  readonly conversations: Conversations;
  readonly clock: Clock;
  readonly tick: SoundTick;
  /** The plan of a call that is like the try, with its voice and what signs its tools. */
  planTry(order: TryOrder): Promise<ConversationPlan>;
}

/** Who hears of a try. */
export interface TryEar {
  news(news: TryVoiceNews): void;
  sound(bytes: Buffer): void;
  /** Nothing comes after it. Called once. */
  over(): void;
}

/** Pieces of 40 ms: small enough to be at once, and half as many as the frames. */
const FRAMES_PER_PIECE = 2;
/** A conversation that cannot be prepared in this time is begun as it is: on the phone nobody would wait longer. */
const PREPARE_MAX_MS = 5_000;
const NO_TRANSFERS = "a try dials nobody";

/** A conversation with somebody at a microphone, held as on the phone. */
export class HeldTry {
  readonly #parts: HoldTryParts;
  readonly #ear: TryEar;
  readonly #line: TryLine;
  #conversation: LiveConversation | null = null;
  #reason: ConversationEnd = "engine_error";
  #beganMs: number | null = null;
  #pieces: Buffer[] = [];
  #stopTicking: () => void = () => undefined;
  #cancelLimit: () => void = () => undefined;
  #cancelPrepare: () => void = () => undefined;
  #isOver = false;

  constructor(parts: HoldTryParts, order: TryOrder, ear: TryEar) {
    this.#parts = parts;
    this.#ear = ear;
    this.#line = new TryLine(order.microphoneRateHz);
    void this.#begin(order).catch((error: unknown) => this.#fail(error));
  }

  hear(bytes: Buffer): void {
    if (this.#beganMs !== null) this.#line.hear(bytes);
  }

  command(command: TryCommand): void {
    if (command.type === "hang_up") return this.hangUp();
    for (const key of command.keys) this.#conversation?.tell({ type: "dtmf", key });
  }

  /** Whoever was at the microphone is gone. */
  hangUp(): void {
    if (this.#conversation === null) return this.#finish();
    this.#conversation.tell({ type: "ended" });
  }

  async #begin(order: TryOrder): Promise<void> {
    const { conversations, planTry, clock, tick } = this.#parts;
    await conversations.ready();
    const plan = await planTry(order);
    if (this.#isOver) return;
    this.#stopTicking = tick.join({ tick: () => this.#tick() });
    this.#conversation = conversations.begin(plan, this.#line.media, {
      hear: (news) => this.#follow(news),
      mayDial: async () => ({ isAllowed: true }),
    });
    this.#cancelPrepare = clock.setTimer(PREPARE_MAX_MS, () => this.#answer());
  }

  #answer(): void {
    if (this.#beganMs !== null || this.#isOver) return;
    this.#cancelPrepare();
    this.#beganMs = durationMsOf(this.#line.position);
    this.#ear.news({ type: "ready", sampleRateHz: TRY_VOICE_RATE_HZ, secondsMax: TRY_VOICE_SECONDS_MAX });
    this.#conversation?.tell({ type: "answered" });
    this.#cancelLimit = this.#parts.clock.setTimer(TRY_VOICE_SECONDS_MAX * 1000, () => {
      this.#ear.news({ type: "note", text: "A try ends after ten minutes." });
      this.hangUp();
    });
  }

  #tick(): void {
    const bytes = this.#line.tick();
    if (this.#beganMs === null || this.#isOver) return;
    this.#pieces.push(bytes);
    if (this.#pieces.length < FRAMES_PER_PIECE) return;
    this.#ear.sound(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }

  #follow(news: ConversationNews): void {
    if (this.#isOver) return;
    switch (news.type) {
      case "prepared":
        return this.#answer();
      case "noted": {
        if (news.entry.type === "over") this.#reason = news.entry.reason;
        const told = toVoiceNews(news.entry, this.#beganMs ?? Number.POSITIVE_INFINITY);
        if (told !== null) this.#ear.news(told);
        return;
      }
      case "asked":
        return this.#carryOut(news.request);
      case "failed":
        this.#ear.news({ type: "note", text: news.reason });
        return;
      case "finished":
        return this.#finish();
    }
  }

  #carryOut(request: LineRequest): void {
    if (request.type === "hang_up") this.#conversation?.tell({ type: "ended" });
    if (request.type !== "transfer") return;
    this.#ear.news({ type: "transfer", to: request.transfer.to });
    this.#conversation?.tell({ type: "transferProgress", state: "failed", reason: NO_TRANSFERS });
  }

  #fail(error: unknown): void {
    this.#ear.news({ type: "note", text: error instanceof Error ? error.message : String(error) });
    this.#finish();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopTicking();
    this.#cancelLimit();
    this.#cancelPrepare();
    this.#line.close();
    this.#ear.news({ type: "ended", reason: this.#conversation === null ? "callee_hangup" : this.#reason });
    this.#ear.over();
  }
}
