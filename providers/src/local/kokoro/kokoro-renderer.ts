import { Pool } from "@parley/threads/pool";
import type { WorkHost } from "@parley/threads/work-host";
import { systemClock, type Timers } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { toProviderError } from "../to-provider-error.ts";
import { type KokoroClip, type KokoroWork, openKokoroProcess, RENDERING_PRIORITY } from "./kokoro-process.ts";

export interface KokoroRendererOptions {
  /** Whether there is processor time to spare: false while live calls are late. */
  readonly mayWork?: () => boolean;
  /** Clauses that may wait. A clause takes some seconds. */
  readonly waitingMax?: number;
  /** For one clause, once it was begun. A process that takes longer is taken for stuck, and replaced. */
  readonly clauseMaxMs?: number;
  /** The network takes half a gigabyte, so it is not kept for longer than this without work. */
  readonly idleMaxMs?: number;
  readonly timers?: Timers;
  readonly openThread?: (signal: AbortSignal) => Promise<WorkHost<KokoroWork, KokoroClip>>;
}

export interface RenderWish {
  readonly signal?: AbortSignal | undefined;
  /** What a call waits for goes before what is rendered for later. */
  readonly isUrgent?: boolean;
}

interface Waiting {
  readonly work: KokoroWork;
  readonly isUrgent: boolean;
  readonly signal: AbortSignal | undefined;
  readonly settled: PromiseWithResolvers<KokoroClip>;
  readonly stopWatching: () => void;
}

const NAME = "kokoro";
const WAITING_MAX = 2_000;
/** Long, because a process of the lowest priority comes to a stand on a machine that is busy with calls. */
const CLAUSE_MAX_MS = 600_000;
const IDLE_MAX_MS = 60_000;
/** How often it is looked whether there is time to spare again. */
const PAUSE_MS = 250;

/** Renders one clause after the other in a process of its own, which exists only while there is something to render. */
export class KokoroRenderer {
  readonly #mayWork: () => boolean;
  readonly #waitingMax: number;
  readonly #idleMaxMs: number;
  readonly #timers: Timers;
  readonly #openEngine: () => Pool<KokoroWork, KokoroClip>;
  readonly #waiting: Waiting[] = [];
  #engine: Pool<KokoroWork, KokoroClip> | null = null;
  #ending: Promise<void> = Promise.resolve();
  #isWorking = false;
  #isClosed = false;
  #cancelTimer: () => void = () => undefined;

  constructor(options: KokoroRendererOptions = {}) {
    const timers = options.timers ?? systemClock;
    this.#mayWork = options.mayWork ?? (() => true);
    this.#waitingMax = options.waitingMax ?? WAITING_MAX;
    this.#idleMaxMs = options.idleMaxMs ?? IDLE_MAX_MS;
    this.#timers = timers;
    this.#openEngine = () =>
      new Pool({
        toError: toProviderError(NAME),
        openHost: options.openThread ?? ((signal) => openKokoroProcess(RENDERING_PRIORITY, signal)),
        hostsMax: 1,
        waitingMax: 1,
        deadlineMs: options.clauseMaxMs ?? CLAUSE_MAX_MS,
        timers,
      });
  }

  /** How much waits, what is being rendered not counted. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether a process is there. */
  get isLoaded(): boolean {
    return this.#engine !== null;
  }

  /** Rejects with the signal's reason as soon as it is aborted, and with a ProviderError when it cannot be rendered. */
  render(work: KokoroWork, { signal, isUrgent = false }: RenderWish = {}): Promise<KokoroClip> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#isClosed) return Promise.reject(failure("it was closed", false));
    if (this.#waiting.length >= this.#waitingMax) {
      return Promise.reject(failure(`${this.#waiting.length} clauses are waiting already`, true));
    }
    const settled = Promise.withResolvers<KokoroClip>();
    const leave = () => {
      const place = this.#waiting.indexOf(waiting);
      if (place >= 0) this.#waiting.splice(place, 1);
      settled.reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    const stopWatching = () => signal?.removeEventListener("abort", leave);
    const waiting: Waiting = { work, isUrgent, signal, settled, stopWatching };
    const later = isUrgent ? this.#waiting.findIndex((other) => !other.isUrgent) : -1;
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, waiting);
    this.#goOn();
    return settled.promise;
  }

  /** Fails what waits and ends the process. Takes a bounded time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    for (const { settled, stopWatching } of this.#waiting.splice(0)) {
      stopWatching();
      settled.reject(failure("it was closed", false));
    }
    this.#endEngine();
    await this.#ending;
  }

  #goOn(): void {
    if (this.#isWorking || this.#isClosed) return;
    this.#cancelTimer();
    if (this.#waiting.length === 0) {
      if (this.#engine !== null) this.#cancelTimer = this.#timers.setTimer(this.#idleMaxMs, () => this.#endEngine());
      return;
    }
    if (!this.#mayWork()) {
      this.#cancelTimer = this.#timers.setTimer(PAUSE_MS, () => this.#goOn());
      return;
    }
    const next = this.#waiting.shift();
    if (next !== undefined) void this.#work(next);
  }

  async #work({ work, signal, settled, stopWatching }: Waiting): Promise<void> {
    this.#isWorking = true;
    this.#engine ??= this.#openEngine();
    try {
      settled.resolve(await this.#engine.run(work, { signal }));
    } catch (error) {
      settled.reject(error);
    } finally {
      stopWatching();
      this.#isWorking = false;
    }
    this.#goOn();
  }

  #endEngine(): void {
    const engine = this.#engine;
    this.#engine = null;
    if (engine !== null) this.#ending = Promise.all([this.#ending, engine.close()]).then(() => undefined);
  }
}

function failure(message: string, retryable: boolean): ProviderError {
  return new ProviderError(NAME, `${NAME}: ${message}`, { retryable });
}
