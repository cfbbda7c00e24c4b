import type { Worker } from "node:worker_threads";
import { isKokoroVoice } from "@parley/providers/local/kokoro/kokoro-voices";
import type { Clock } from "@parley/time/clock";
import type { DialPermission, LineEvent } from "@parley/voice/ports/line";
import type {
  ConversationCommand,
  ConversationEvent,
  ConversationMessage,
  LineMedia,
} from "./conversation-messages.ts";
import { type ConversationPlan, speaksElsewhere } from "./conversation-plan.ts";
import { FallbackSpeaker, type SpokenIdentification } from "./fallback-speaker.ts";
import { createFloor } from "./line-floor.ts";

/** Receives the events of a conversation, asynchronously. */
export interface ConversationListener {
  hear(event: ConversationEvent): void;
  mayDial(to: string): Promise<DialPermission>;
}

/** A conversation as seen by the owner of its call. Input after its end is ignored. */
export interface LiveConversation {
  tell(event: LineEvent): void;
  setRoundTripMs(roundTripMs: number | null): void;
  endPolitely(): void;
}

/** A fault that belongs to no conversation, or to one that is over. */
type ThreadFault = Pick<Extract<ConversationMessage, { type: "fault" }>, "callId" | "what" | "reason">;

export interface ConversationThreadDeps {
  readonly worker: Pick<Worker, "postMessage" | "on" | "terminate">;
  readonly clock: Clock;
  onFault(fault: ThreadFault): void;
  /** The introduction for a callee who answers when this thread does not. Never rejects. */
  identify(plan: ConversationPlan): Promise<SpokenIdentification | null>;
  /** The thread has exited, with a readable reason. All its conversations were notified. */
  onDeath(reason: string): void;
}

/** A thread that does not respond for this long is stuck, with all its calls. */
const PING_MS = 1_000;
const SILENT_MAX_MS = 15_000;
const STOP_WITHIN_MS = 10_000;

/** The owner's end of one thread that holds conversations. */
export class ConversationThread {
  /** Resolves when it can hold conversations; rejects when it dies before. */
  readonly ready: Promise<void>;
  readonly #deps: ConversationThreadDeps;
  readonly #listeners = new Map<number, ConversationListener>();
  /** Those with a natural voice of this machine. */
  readonly #natural = new Set<number>();
  readonly #fallbackSpeakers = new Map<number, FallbackSpeaker>();
  readonly #exited = Promise.withResolvers<void>();
  #nextId = 1;
  #failure: string | null = null;
  #cancelPing: () => void = () => undefined;
  #lastHeardMs = 0;
  #lateMs = 0;
  #isStopping = false;

  constructor(deps: ConversationThreadDeps) {
    const ready = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.#deps = deps;
    deps.worker.on("message", (notice: ConversationMessage) => {
      this.#lastHeardMs = deps.clock.now();
      if (notice.type === "ready") ready.resolve();
      else this.#hear(notice);
    });
    deps.worker.on("error", (error: unknown) => {
      this.#failure ??= error instanceof Error ? error.message : String(error);
    });
    deps.worker.on("exit", () => {
      const reason = this.#failure ?? "it ended";
      ready.reject(new Error(`The thread for conversations could not be started: ${reason}`));
      this.#die(reason);
    });
  }

  /** How many conversations it holds. */
  get load(): number {
    return this.#listeners.size;
  }

  /** How many of them speak with a natural voice of this machine. */
  get naturalLoad(): number {
    return this.#natural.size;
  }

  /** How late the thread runs: as it measured itself, or for how long it has not replied, whichever is longer. */
  get lateMs(): number {
    if (this.load === 0) return 0;
    return Math.max(this.#lateMs, this.#deps.clock.now() - this.#lastHeardMs - PING_MS);
  }

  begin(plan: ConversationPlan, media: LineMedia, listener: ConversationListener): LiveConversation {
    const conversationId = this.#nextId++;
    this.#listeners.set(conversationId, listener);
    if (plan.voiceId !== undefined && isKokoroVoice(plan.voiceId) && !speaksElsewhere(plan))
      this.#natural.add(conversationId);
    if (this.#listeners.size === 1) this.#watch();
    const floor = createFloor();
    this.#tell({ type: "prepare", conversationId, plan, media, floor });
    this.#fallbackSpeakers.set(conversationId, this.#openFallbackSpeaker(conversationId, plan, media, floor));
    return {
      tell: (event) => {
        this.#tell({ type: "tell", conversationId, event });
        if (event.type === "answered") this.#fallbackSpeakers.get(conversationId)?.watch();
        if (event.type === "ended") this.#fallbackSpeakers.get(conversationId)?.close();
      },
      setRoundTripMs: (roundTripMs) => this.#tell({ type: "round_trip", conversationId, roundTripMs }),
      endPolitely: () => this.#tell({ type: "end_politely", conversationId }),
    };
  }

  /** Ends its conversations and the thread. Takes a bounded time. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const cancel = this.#deps.clock.setTimer(STOP_WITHIN_MS, () => void this.#deps.worker.terminate());
    this.#tell({ type: "stop" });
    await this.#exited.promise;
    cancel();
  }

  #tell(command: ConversationCommand): void {
    this.#deps.worker.postMessage(command);
  }

  #hear(notice: Exclude<ConversationMessage, { type: "ready" }>): void {
    switch (notice.type) {
      case "pong":
        this.#lateMs = notice.lateMs;
        return;
      case "fault":
        return this.#deps.onFault(notice);
      case "may_dial":
        void this.#askToDial(notice);
        return;
      default: {
        const { conversationId, ...event } = notice;
        const listener = this.#listeners.get(conversationId);
        if (event.type === "finished") this.#forget(conversationId);
        listener?.hear(event);
      }
    }
  }

  async #askToDial({ conversationId, questionId, to }: Extract<ConversationMessage, { type: "may_dial" }>) {
    const listener = this.#listeners.get(conversationId);
    const permission = (await listener?.mayDial(to)) ?? { isAllowed: false, reason: "the call is over" };
    this.#tell({ type: "dial_permission", questionId, permission });
  }

  #openFallbackSpeaker(
    conversationId: number,
    plan: ConversationPlan,
    media: LineMedia,
    floor: SharedArrayBuffer,
  ): FallbackSpeaker {
    const hear = (event: ConversationEvent) => this.#listeners.get(conversationId)?.hear(event);
    return new FallbackSpeaker({
      clock: this.#deps.clock,
      media,
      floor,
      identification: this.#deps.identify(plan),
      onSaid: (entry) => hear({ type: "noted", entry }),
      onOver: () => {
        hear({ type: "failed", reason: "its thread did not answer when the callee did" });
        hear({ type: "finished" });
        this.#forget(conversationId);
      },
    });
  }

  #forget(conversationId: number): void {
    this.#fallbackSpeakers.get(conversationId)?.close();
    this.#fallbackSpeakers.delete(conversationId);
    this.#listeners.delete(conversationId);
    this.#natural.delete(conversationId);
    if (this.#listeners.size === 0) this.#cancelPing();
  }

  /** Checks periodically whether it still answers. Ending it is safe: no model runs in this thread. */
  #watch(): void {
    const { clock, worker } = this.#deps;
    this.#lastHeardMs = clock.now();
    const look = () => {
      if (clock.now() - this.#lastHeardMs > SILENT_MAX_MS) {
        this.#failure ??= "it does not answer any more";
        void worker.terminate();
        return;
      }
      this.#tell({ type: "ping" });
      this.#cancelPing = clock.setTimer(PING_MS, look);
    };
    this.#cancelPing();
    this.#cancelPing = clock.setTimer(PING_MS, look);
  }

  #die(reason: string): void {
    this.#cancelPing();
    this.#exited.resolve();
    const orphans = [...this.#listeners.values()];
    for (const fallbackSpeaker of this.#fallbackSpeakers.values()) fallbackSpeaker.close();
    this.#fallbackSpeakers.clear();
    this.#listeners.clear();
    this.#natural.clear();
    for (const listener of orphans) {
      listener.hear({ type: "failed", reason: `the thread that held it is gone: ${reason}` });
      listener.hear({ type: "finished" });
    }
    if (!this.#isStopping) this.#deps.onDeath(reason);
  }
}
