import { CommitOutcomeUnknown, isDatabaseAway, isTransactionConflict } from "../../platform/database/failures.ts";

const PAUSE_MIN_MS = 100;
const PAUSE_MAX_MS = 1000;

export interface PersistOptions {
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
