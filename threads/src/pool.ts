import type { Timers } from "@parley/time/clock";
import { within } from "@parley/time/within";
import { HostEnded, type WorkHost } from "./work-host.ts";

export interface PoolOptions<Work, Result> {
  /** The error that a caller gets. The cause is the failure in the host, if there was one. */
  readonly toError: (failure: PoolFailure) => Error;
  /** The signal is aborted when the pool is closed: a host still being opened may be abandoned. */
  readonly openHost: (signal: AbortSignal) => Promise<WorkHost<Work, Result>>;
  /** Hosts are opened when there is work for them, up to this many. */
  readonly hostsMax: number;
  /** How much work may wait for a host. More of it would only be late. */
  readonly waitingMax: number;
  /** How long a request may wait for a host, and how long its work may take from then on. */
  readonly deadlineMs: number;
  /**
   * A host that works on one request for this long is assumed to be stuck, and replaced. By default the deadline; longer
   * where work is slow on a busy machine and replacing a host that is only busy would cost more.
   */
  readonly stuckMs?: number;
  /** A host was lost and is being replaced. Work lost with it is retried once. */
  readonly onHostLost?: (reason: string) => void;
  readonly timers: Timers;
}

export interface PoolFailure {
  readonly message: string;
  readonly retryable: boolean;
  readonly cause: unknown;
}

/**
 * The order in which work is begun: what a caller waits for, what a caller will probably need soon, and what can wait. Where
 * there are several hosts, work in the background leaves one of them to the other two.
 */
const WORK_PRIORITIES = ["urgent", "ahead", "background"] as const;
export type WorkPriority = (typeof WORK_PRIORITIES)[number];

export interface WorkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Urgent by default. */
  readonly priority?: WorkPriority;
}

/** The caller has its answer once `isSettled`; the host may continue the work after that. */
interface Job<Work, Result> {
  readonly work: Work;
  readonly priority: WorkPriority;
  readonly settled: PromiseWithResolvers<Result>;
  isSettled: boolean;
  /** A host died during this work before. */
  wasRetried: boolean;
  lane: Lane<Work, Result> | null;
  /** Ends the timer that runs: for waiting, for the work, or for a host that may be stuck. */
  cancelTimer: () => void;
  /** The caller can no longer abort it. */
  stopListening: () => void;
}

/** The slot of one host. Its results count only while it is still one of the pool's lanes. */
interface Lane<Work, Result> {
  host: WorkHost<Work, Result> | null;
  job: Job<Work, Result> | null;
}

const CLOSE_MAX_MS = 2_000;

/**
 * Work for a few hosts: by priority, otherwise in the order of the requests. It is bounded in length and in time. A host
 * that dies is replaced, and its work is retried once.
 */
export class Pool<Work, Result> {
  readonly #options: PoolOptions<Work, Result>;
  readonly #waiting: Job<Work, Result>[] = [];
  readonly #lanes = new Set<Lane<Work, Result>>();
  /** Hosts that are being opened or ended, which closing waits for. */
  readonly #transitions = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #isClosed = false;

  constructor(options: PoolOptions<Work, Result>) {
    this.#options = options;
  }

  /** A host is open and has nothing to do. */
  get hasIdleHost(): boolean {
    return [...this.#lanes].some(({ host, job }) => job === null && host !== null && !host.hasEnded);
  }

  /** Rejects with the signal's reason as soon as it is aborted. */
  run(work: Work, { signal, priority = "urgent" }: WorkOptions = {}): Promise<Result> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#isClosed) return Promise.reject(this.#error("it was closed", false));
    const lane = this.#mayStart(priority) ? this.#freeLane() : null;
    if (lane === null && this.#waiting.length >= this.#options.waitingMax) {
      return Promise.reject(this.#error(`${this.#waiting.length} requests are waiting already`, true));
    }
    const job = this.#follow(work, priority, signal);
    if (lane === null) this.#waiting.splice(this.#placeFor(job), 0, job);
    else this.#start(lane, job);
    return job.settled.promise;
  }

  /** Fails current and queued work and ends the hosts, within a bounded time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.abort();
    const jobs = [...this.#waiting.splice(0), ...[...this.#lanes].flatMap(({ job }) => job ?? [])];
    for (const job of jobs) {
      this.#stopWatching(job);
      this.#fail(job, this.#error("it was closed", false));
    }
    for (const lane of this.#lanes) this.#retire(lane);
    await within(this.#options.timers, CLOSE_MAX_MS, this.#allTransitions(), () => undefined);
  }

  /** One transition may lead to another: a host that opened too late is ended. */
  async #allTransitions(): Promise<void> {
    while (this.#transitions.size > 0) await Promise.allSettled(this.#transitions);
  }

  /** Queued behind all work of the same priority. */
  #placeFor({ priority }: Job<Work, Result>): number {
    const rank = WORK_PRIORITIES.indexOf(priority);
    const place = this.#waiting.findIndex((waiting) => WORK_PRIORITIES.indexOf(waiting.priority) > rank);
    return place < 0 ? this.#waiting.length : place;
  }

  #mayStart(priority: WorkPriority): boolean {
    if (priority !== "background") return true;
    const others = [...this.#lanes].filter(({ job }) => job?.priority === "background").length;
    return others < Math.max(1, this.#options.hostsMax - 1);
  }

  #takeNext(): Job<Work, Result> | undefined {
    const place = this.#waiting.findIndex(({ priority }) => this.#mayStart(priority));
    return place < 0 ? undefined : this.#waiting.splice(place, 1)[0];
  }

  #follow(work: Work, priority: WorkPriority, signal: AbortSignal | undefined): Job<Work, Result> {
    const onAbort = () => {
      this.#fail(job, signal?.reason);
      // A host that already works on it and cannot stop may finish: that is faster than starting another one.
      if (job.lane === null) this.#forget(job);
      else job.lane.host?.cancel?.();
    };
    const { timers, deadlineMs } = this.#options;
    const job: Job<Work, Result> = {
      work,
      priority,
      settled: Promise.withResolvers(),
      isSettled: false,
      wasRetried: false,
      lane: null,
      cancelTimer: timers.setTimer(deadlineMs, () => this.#giveUpWaiting(job)),
      stopListening: () => signal?.removeEventListener("abort", onAbort),
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    return job;
  }

  #freeLane(): Lane<Work, Result> | null {
    for (const lane of this.#lanes) if (lane.job === null) return lane;
    if (this.#lanes.size >= this.#options.hostsMax) return null;
    const lane = { host: null, job: null };
    this.#lanes.add(lane);
    return lane;
  }

  #start(lane: Lane<Work, Result>, job: Job<Work, Result>): void {
    const { timers, deadlineMs } = this.#options;
    lane.job = job;
    job.lane = lane;
    job.cancelTimer();
    job.cancelTimer = timers.setTimer(deadlineMs, () => this.#giveUpResult(lane, job));
    this.#work(lane, job).then(
      (result) => this.#finish(lane, job, () => this.#succeed(job, result)),
      (error: unknown) => this.#onFailure(lane, job, error),
    );
  }

  async #work(lane: Lane<Work, Result>, { work }: Job<Work, Result>): Promise<Result> {
    if (lane.host?.hasEnded) {
      lane.host = null;
      this.#options.onHostLost?.("it ended while it had nothing to do");
    }
    const host = lane.host ?? (await this.#openHost(lane));
    return host.run(work);
  }

  async #openHost(lane: Lane<Work, Result>): Promise<WorkHost<Work, Result>> {
    const opening = this.#options.openHost(this.#closing.signal);
    this.#track(opening);
    const host = await opening;
    if (this.#lanes.has(lane)) {
      lane.host = host;
      return host;
    }
    this.#endHost(host);
    throw new HostEnded("its place was given up");
  }

  #onFailure(lane: Lane<Work, Result>, job: Job<Work, Result>, error: unknown): void {
    if (error instanceof HostEnded && this.#lanes.has(lane)) {
      lane.host = null;
      this.#options.onHostLost?.(error.message);
      if (!job.wasRetried && !job.isSettled) {
        job.wasRetried = true;
        this.#start(lane, job);
        return;
      }
    }
    this.#finish(lane, job, () => this.#fail(job, this.#translate(error)));
  }

  #translate(error: unknown): Error {
    if (error instanceof HostEnded) return this.#error("its host ended twice during the same work", true, error);
    return this.#error(error instanceof Error ? error.message : String(error), false, error);
  }

  /** The work has left its lane, done or failed. */
  #finish(lane: Lane<Work, Result>, job: Job<Work, Result>, settle: () => void): void {
    if (!this.#lanes.has(lane) || lane.job !== job) return;
    this.#stopWatching(job);
    settle();
    lane.job = null;
    const next = this.#takeNext();
    if (next !== undefined) this.#start(lane, next);
  }

  #giveUpWaiting(job: Job<Work, Result>): void {
    this.#fail(job, this.#error(`no host was free within ${this.#options.deadlineMs} ms`, true));
    this.#forget(job);
  }

  /** The caller no longer waits. The host may only be busy and gets more time before it counts as stuck. */
  #giveUpResult(lane: Lane<Work, Result>, job: Job<Work, Result>): void {
    const { timers, deadlineMs, stuckMs = deadlineMs } = this.#options;
    this.#fail(job, this.#error(`no answer within ${deadlineMs} ms`, true));
    if (stuckMs <= deadlineMs) this.#replaceStuck(lane, job);
    else job.cancelTimer = timers.setTimer(stuckMs - deadlineMs, () => this.#replaceStuck(lane, job));
  }

  #replaceStuck(lane: Lane<Work, Result>, job: Job<Work, Result>): void {
    const { deadlineMs, stuckMs = deadlineMs } = this.#options;
    this.#forget(job);
    this.#retire(lane);
    this.#options.onHostLost?.(`it gave no answer within ${stuckMs} ms`);
    const next = this.#takeNext();
    const free = next === undefined ? null : this.#freeLane();
    if (next !== undefined && free !== null) this.#start(free, next);
  }

  #stopWatching(job: Job<Work, Result>): void {
    job.cancelTimer();
    job.stopListening();
  }

  #forget(job: Job<Work, Result>): void {
    this.#stopWatching(job);
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
  }

  #retire(lane: Lane<Work, Result>): void {
    this.#lanes.delete(lane);
    if (lane.host !== null) this.#endHost(lane.host);
  }

  #endHost(host: WorkHost<Work, Result>): void {
    this.#track(host.end());
  }

  /** The outcome of a transition is handled where it was started; closing only waits for it. */
  #track(transition: Promise<unknown>): void {
    const over: Promise<void> = transition.then(
      () => this.#untrack(over),
      () => this.#untrack(over),
    );
    this.#transitions.add(over);
  }

  #untrack(transition: Promise<void>): void {
    this.#transitions.delete(transition);
  }

  #succeed(job: Job<Work, Result>, result: Result): void {
    if (!job.isSettled) job.settled.resolve(result);
    job.isSettled = true;
  }

  #fail(job: Job<Work, Result>, reason: unknown): void {
    if (!job.isSettled) job.settled.reject(reason);
    job.isSettled = true;
  }

  #error(message: string, retryable: boolean, cause?: unknown): Error {
    return this.#options.toError({ message, retryable, cause });
  }
}
