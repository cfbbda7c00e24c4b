import { CommitOutcomeUnknown, isDatabaseAway, isTransactionConflict } from "../../platform/database/failures.ts";

/** The writes of one run, executed one after the other during the call, however slow the database is. */
export class WriteQueue {
  readonly #onRetry: (error: unknown) => void;
  readonly #onFailure: (error: unknown) => void;
  readonly #abandoned = new AbortController();
  #last: Promise<void> = Promise.resolve();

  /** `onFailure` is called when a write failed permanently, which means that the call is no longer ours. */
  constructor(onRetry: (error: unknown) => void, onFailure: (error: unknown) => void) {
    this.#onRetry = onRetry;
    this.#onFailure = onFailure;
  }

  /** Queues work behind all earlier work. Work that has not begun when the run is abandoned is skipped. */
  add(work: () => Promise<unknown>): void {
    this.#last = this.#last.then(async () => {
      try {
        if (!this.#abandoned.signal.aborted) await work();
      } catch (error) {
        this.#onFailure(error);
      }
    });
  }

  /** Repeats a write while the database is away. Rejects once the run is abandoned. */
  retry<T>(write: () => Promise<T>): Promise<T> {
    return retryWhileDatabaseAway(write, { signal: this.#abandoned.signal, onRetry: this.#onRetry });
  }

  abandon(reason: Error): void {
    this.#abandoned.abort(reason);
  }

  /** Calls back when everything queued so far is done or abandoned. */
  whenDone(callback: () => void): void {
    this.#last = this.#last.then(callback);
  }
}

const PAUSE_MIN_MS = 100;
const PAUSE_MAX_MS = 1000;

interface RetryOptions {
  /** Aborted when the run is abandoned: its writes no longer matter. */
  readonly signal: AbortSignal;
  onRetry(error: unknown): void;
}

/**
 * Repeats a write until the database accepts or refuses it, with growing pauses. The write must be idempotent, because the
 * reply to an earlier attempt may have been lost.
 */
export async function retryWhileDatabaseAway<T>(write: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let pauseMs = PAUSE_MIN_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
    options.signal.throwIfAborted();
    try {
      return await write();
    } catch (error) {
      const isTransient =
        isDatabaseAway(error) || isTransactionConflict(error) || error instanceof CommitOutcomeUnknown;
      if (!isTransient) throw error;
      options.onRetry(error);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
