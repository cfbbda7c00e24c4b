import { within } from "@parley/time/within";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { WorkOptions, WorkQueueOptions } from "./work-queue-options.ts";
import { ThreadEnded, type WorkThread } from "./work-thread.ts";

/** Whether the one who asked still waits is `isSettled`; the thread may go on with the work after that. */
interface Job<Work, Result> {
  readonly work: Work;
  readonly isUrgent: boolean;
  readonly settled: PromiseWithResolvers<Result>;
  isSettled: boolean;
  /** The thread died under it once already. */
  wasRetried: boolean;
  lane: Lane<Work, Result> | null;
  stopWatching: () => void;
}

/** The place of one thread. What was started in it counts only while it is still one of the queue's lanes. */
interface Lane<Work, Result> {
  thread: WorkThread<Work, Result> | null;
  job: Job<Work, Result> | null;
}

const CLOSE_MAX_MS = 2_000;

/**
 * Work for a few threads, in the order in which it was asked for. It is bounded in length and in time, and fails with a
 * ProviderError; a thread that dies is replaced, and what it was doing is tried once more.
 */
export class WorkQueue<Work, Result> {
  readonly #options: WorkQueueOptions<Work, Result>;
  readonly #waiting: Job<Work, Result>[] = [];
  readonly #lanes = new Set<Lane<Work, Result>>();
  /** Threads that are being opened or ended, which closing waits for. */
  readonly #transitions = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #isClosed = false;

  constructor(options: WorkQueueOptions<Work, Result>) {
    this.#options = options;
  }

  /** Rejects with the signal's reason as soon as it is aborted. */
  run(work: Work, { signal, isUrgent = true }: WorkOptions = {}): Promise<Result> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#isClosed) return Promise.reject(this.#error("it was closed", false));
    const lane = this.#freeLane();
    if (lane === null && this.#waiting.length >= this.#options.waitingMax) {
      return Promise.reject(this.#error(`${this.#waiting.length} requests are waiting already`, true));
    }
    const job = this.#follow(work, isUrgent, signal);
    if (lane === null) this.#waiting.splice(this.#placeFor(job), 0, job);
    else this.#start(lane, job);
    return job.settled.promise;
  }

  /** Fails what is under way and ends the threads. Takes a bounded time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.abort();
    const jobs = [...this.#waiting.splice(0), ...[...this.#lanes].flatMap(({ job }) => job ?? [])];
    for (const job of jobs) {
      job.stopWatching();
      this.#fail(job, this.#error("it was closed", false));
    }
    for (const lane of this.#lanes) this.#retire(lane);
    await within(this.#options.timers, CLOSE_MAX_MS, this.#allTransitions(), () => undefined);
  }

  /** One transition may lead to another: a thread that opened too late is ended. */
  async #allTransitions(): Promise<void> {
    while (this.#transitions.size > 0) await Promise.allSettled(this.#transitions);
  }

  /** Behind everything that is as urgent as it is. */
  #placeFor({ isUrgent }: Job<Work, Result>): number {
    const guess = isUrgent ? this.#waiting.findIndex((waiting) => !waiting.isUrgent) : -1;
    return guess < 0 ? this.#waiting.length : guess;
  }

  #follow(work: Work, isUrgent: boolean, signal: AbortSignal | undefined): Job<Work, Result> {
    const onAbort = () => {
      this.#fail(job, signal?.reason);
      // A thread that is at it already and cannot stop finishes: that takes less time than starting another one.
      if (job.lane === null) this.#forget(job);
      else job.lane.thread?.cancel?.();
    };
    const cancelDeadline = this.#options.timers.setTimer(this.#options.deadlineMs, () => this.#expire(job));
    const job: Job<Work, Result> = {
      work,
      isUrgent,
      settled: Promise.withResolvers(),
      isSettled: false,
      wasRetried: false,
      lane: null,
      stopWatching: () => {
        cancelDeadline();
        signal?.removeEventListener("abort", onAbort);
      },
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    return job;
  }

  #freeLane(): Lane<Work, Result> | null {
    for (const lane of this.#lanes) if (lane.job === null) return lane;
    if (this.#lanes.size >= this.#options.threadsMax) return null;
    const lane = { thread: null, job: null };
    this.#lanes.add(lane);
    return lane;
  }

  #start(lane: Lane<Work, Result>, job: Job<Work, Result>): void {
    lane.job = job;
    job.lane = lane;
    this.#work(lane, job).then(
      (result) => this.#finish(lane, job, () => this.#succeed(job, result)),
      (error: unknown) => this.#suffer(lane, job, error),
    );
  }

  async #work(lane: Lane<Work, Result>, { work }: Job<Work, Result>): Promise<Result> {
    if (lane.thread?.hasEnded) {
      lane.thread = null;
      this.#options.onThreadLost?.("it ended while it had nothing to do");
    }
    const thread = lane.thread ?? (await this.#openThread(lane));
    return thread.run(work);
  }

  async #openThread(lane: Lane<Work, Result>): Promise<WorkThread<Work, Result>> {
    const opening = this.#options.openThread(this.#closing.signal);
    this.#track(opening);
    const thread = await opening;
    if (this.#lanes.has(lane)) {
      lane.thread = thread;
      return thread;
    }
    this.#endThread(thread);
    throw new ThreadEnded("its place was given up");
  }

  #suffer(lane: Lane<Work, Result>, job: Job<Work, Result>, error: unknown): void {
    if (error instanceof ThreadEnded && this.#lanes.has(lane)) {
      lane.thread = null;
      this.#options.onThreadLost?.(error.message);
      if (!job.wasRetried && !job.isSettled) {
        job.wasRetried = true;
        this.#start(lane, job);
        return;
      }
    }
    this.#finish(lane, job, () => this.#fail(job, this.#translate(error)));
  }

  #translate(error: unknown): ProviderError {
    if (error instanceof ProviderError) return error;
    if (error instanceof ThreadEnded) return this.#error("its thread ended twice during the same work", true, error);
    return this.#error(error instanceof Error ? error.message : String(error), false, error);
  }

  /** The work left its lane, one way or the other. */
  #finish(lane: Lane<Work, Result>, job: Job<Work, Result>, settle: () => void): void {
    if (!this.#lanes.has(lane) || lane.job !== job) return;
    job.stopWatching();
    settle();
    lane.job = null;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#start(lane, next);
  }

  #expire(job: Job<Work, Result>): void {
    const { deadlineMs } = this.#options;
    this.#fail(job, this.#error(`no answer within ${deadlineMs} ms`, true));
    const { lane } = job;
    this.#forget(job);
    if (lane === null) return;
    this.#retire(lane);
    this.#options.onThreadLost?.(`it gave no answer within ${deadlineMs} ms`);
    const next = this.#waiting.shift();
    const free = next === undefined ? null : this.#freeLane();
    if (next !== undefined && free !== null) this.#start(free, next);
  }

  #forget(job: Job<Work, Result>): void {
    job.stopWatching();
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
  }

  #retire(lane: Lane<Work, Result>): void {
    this.#lanes.delete(lane);
    if (lane.thread !== null) this.#endThread(lane.thread);
  }

  #endThread(thread: WorkThread<Work, Result>): void {
    this.#track(thread.end());
  }

  /** Whoever started a transition looks at how it went; closing only waits for it. */
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

  #error(message: string, retryable: boolean, cause?: unknown): ProviderError {
    return new ProviderError(this.#options.provider, `${this.#options.provider}: ${message}`, { retryable, cause });
  }
}
