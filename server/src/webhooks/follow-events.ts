import type { Mode } from "@parley/contract/shared-fields";
import type { Clock } from "@parley/time/clock";
import type { Database } from "../platform/database/database.ts";
import { type ReportedEvent, readDatabaseTime, readEventsSince } from "./outbox-store.ts";

export interface FollowDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Calls `notify` whenever there may be new events. Returns the function that stops it. */
  onChange(notify: () => void): () => void;
}

export interface Followed {
  readonly accountId: string;
  readonly mode: Mode;
}

// An event is dated when it is written and seen when it is committed: an older one may come after a younger one.
const COMMITTED_WITHIN_MS = 30_000;
const LOOK_AGAIN_MS = 1000;
const ROWS_MAX = 500;

/** Hands over the account's events as they are committed, from now on, until the signal aborts. Each comes once. */
export async function followEvents(
  { db, clock, onChange }: FollowDeps,
  { accountId, mode }: Followed,
  signal: AbortSignal,
  onEvent: (event: ReportedEvent) => Promise<void> | void,
): Promise<void> {
  let since = await readDatabaseTime(db);
  const seen = new Map<string, number>();
  let wake: () => void = () => undefined;
  const stops = [onChange(() => wake())];
  const stop = () => wake();
  signal.addEventListener("abort", stop);
  stops.push(() => signal.removeEventListener("abort", stop));
  try {
    while (!signal.aborted) {
      const slept = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const cancel = clock.setTimer(LOOK_AGAIN_MS, () => wake());
      const events = await readEventsSince(db, accountId, mode, since, ROWS_MAX);
      for (const event of events.filter(({ id }) => !seen.has(id))) {
        seen.set(event.id, event.created_at.getTime());
        await onEvent(event);
      }
      const newestMs = events.at(-1)?.created_at.getTime() ?? 0;
      since = new Date(Math.max(since.getTime(), newestMs - COMMITTED_WITHIN_MS));
      for (const [id, atMs] of seen) if (atMs < since.getTime()) seen.delete(id);
      if (events.length < ROWS_MAX) await slept;
      cancel();
    }
  } finally {
    for (const release of stops) release();
  }
}
