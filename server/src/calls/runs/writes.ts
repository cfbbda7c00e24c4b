import { CommitOutcomeUnknown, isDatabaseAway, isTransactionConflict } from "../../platform/database/failures.ts";

interface RunWritesParts {
  onRetry(error: unknown): void;
  /** A write failed for good, which means that the call is no longer ours. */
  onFailure(error: unknown): void;
}

/** What a run writes down: one after the other, however slow the database is, until the run is given up. */
export class RunWrites {
  readonly #parts: RunWritesParts;
  readonly #abandoned = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(parts: RunWritesParts) {
    this.#parts = parts;
  }

  /** Queues work behind the earlier one. Work that was not begun when the run was given up is left out. */
  add(work: () => Promise<unknown>): void {
    this.#last = this.#last.then(async () => {
      try {
        if (!this.#abandoned.signal.aborted) await work();
      } catch (error) {
        this.#parts.onFailure(error);
      }
    });
  }

  /** Repeats a write while the database is away. Rejects once the run was given up. */
  persist<T>(write: () => Promise<T>): Promise<T> {
    return persist(write, { signal: this.#abandoned.signal, onRetry: this.#parts.onRetry });
  }

  abandon(reason: Error): void {
    this.#abandoned.abort(reason);
  }

  /** Calls back when all that was queued so far is done or given up on. */
  afterwards(work: () => void): void {
    this.#last = this.#last.then(work);
  }
}

const PAUSE_MIN_MS = 100;
const PAUSE_MAX_MS = 1000;

interface PersistOptions {
  /** Set when the run was abandoned: nothing it wanted to write matters any more. */
  readonly signal: AbortSignal;
  onRetry(error: unknown): void;
}

/**
 * Writes something down however long the database stays away: a live call goes on meanwhile. The write must be
 * repeatable, because the reply to an earlier try may have been lost.
 */
export async function persist<T>(write: () => Promise<T>, options: PersistOptions): Promise<T> {
  for (let pauseMs = PAUSE_MIN_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
    options.signal.throwIfAborted();
    try {
      return await write();
    } catch (error) {
      const passes = isDatabaseAway(error) || isTransactionConflict(error) || error instanceof CommitOutcomeUnknown;
      if (!passes) throw error;
      options.onRetry(error);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
