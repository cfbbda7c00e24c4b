import type { Worker } from "node:worker_threads";
import type { Clock } from "@parley/time/clock";
import type { LineMedia } from "./conversation-messages.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import {
  type ConversationListener,
  ConversationThread,
  type ConversationThreadDeps,
  type LiveConversation,
} from "./conversation-thread.ts";
import type { SpokenIdentification } from "./fallback-speaker.ts";

/** Conducts the conversations of calls. */
export interface Conversations {
  /** Resolves when conversations are possible. Rejects with a readable reason otherwise; the next call retries. */
  ready(): Promise<void>;
  /** Only after `ready`. Throws when no thread is left for it. */
  begin(plan: ConversationPlan, media: LineMedia, listener: ConversationListener): LiveConversation;
}

export interface ConversationPoolDeps {
  readonly threads: number;
  readonly clock: Clock;
  /** Starts a thread with all that it needs. */
  openWorker(): Promise<Worker>;
  onFault: ConversationThreadDeps["onFault"];
  /** The introduction that is played when a thread does not answer. Never rejects. */
  identify(plan: ConversationPlan): Promise<SpokenIdentification | null>;
  /** A thread died, or could not be started. */
  onTrouble(reason: string): void;
}

const REPLACE_FIRST_MS = 100;
const REPLACE_MAX_MS = 30_000;
/** A thread that lived this long died of an unrelated cause. */
const LIVED_WELL_MS = 60_000;

/** Threads that hold conversations. One that dies is replaced; the calls of the others do not notice. */
export class ConversationPool implements Conversations {
  readonly #deps: ConversationPoolDeps;
  readonly #threads = new Set<ConversationThread>();
  #opening: Promise<void> | null = null;
  #deaths = 0;
  #cancelReplace: () => void = () => undefined;
  #isClosed = false;

  constructor(deps: ConversationPoolDeps) {
    this.#deps = deps;
  }

  get threads(): number {
    return this.#threads.size;
  }

  /** How many conversations are being held. */
  get conversations(): number {
    return [...this.#threads].reduce((sum, { load }) => sum + load, 0);
  }

  /** How many of them are held with a natural voice of this machine. */
  get naturalConversations(): number {
    return [...this.#threads].reduce((sum, { naturalLoad }) => sum + naturalLoad, 0);
  }

  /** How late the slowest thread runs. */
  get lateMs(): number {
    return Math.max(0, ...[...this.#threads].map(({ lateMs }) => lateMs));
  }

  async ready(): Promise<void> {
    if (this.#isClosed) throw new Error("The service is stopping.");
    if (this.#threads.size > 0) return;
    await this.#fill();
  }

  begin(plan: ConversationPlan, media: LineMedia, listener: ConversationListener): LiveConversation {
    const [first, ...others] = this.#threads;
    if (first === undefined) throw new Error("No thread is left to hold the conversation.");
    const freest = others.reduce((best, each) => (each.load < best.load ? each : best), first);
    return freest.begin(plan, media, listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelReplace();
    await Promise.allSettled(this.#opening ? [this.#opening] : []);
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
    this.#threads.clear();
  }

  /** Opens missing threads one by one. Concurrent callers wait for the same. */
  #fill(): Promise<void> {
    this.#opening ??= this.#openMissing().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #openMissing(): Promise<void> {
    while (this.#threads.size < this.#deps.threads && !this.#isClosed) await this.#openOne();
  }

  async #openOne(): Promise<void> {
    const { openWorker, clock, onFault, identify } = this.#deps;
    const worker = await openWorker();
    const openedMs = clock.now();
    const thread = new ConversationThread({
      worker,
      clock,
      onFault,
      identify,
      onDeath: (reason) => {
        // A thread that never became ready is reported by the caller that opened it.
        if (this.#threads.delete(thread)) this.#replace(reason, clock.now() - openedMs);
      },
    });
    await thread.ready;
    this.#threads.add(thread);
  }

  /** Delayed when they die early: otherwise a crash loop would occupy this process. */
  #replace(reason: string, livedMs: number): void {
    const { clock, onTrouble } = this.#deps;
    onTrouble(reason);
    if (this.#isClosed) return;
    this.#deaths = livedMs >= LIVED_WELL_MS ? 0 : this.#deaths + 1;
    this.#cancelReplace();
    const delayMs = Math.min(REPLACE_MAX_MS, REPLACE_FIRST_MS * 2 ** this.#deaths);
    this.#cancelReplace = clock.setTimer(delayMs, () => {
      this.#fill().catch((error: unknown) => this.#replace(error instanceof Error ? error.message : String(error), 0));
    });
  }
}
