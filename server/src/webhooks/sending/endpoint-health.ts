/**
 * The health of an endpoint: a circuit breaker that keeps a dead one from being called too often.
 *
 * - closed: fewer failures in a row than open it; requests are concurrent up to a limit.
 * - open: `pausedUntilMs` lies ahead; nothing is sent.
 * - half open: the pause is over, but nothing has been accepted yet; one request at a time finds out.
 *
 * What waits meanwhile keeps its tries: an event is not used up by an outage that another event found out about.
 */
export interface EndpointHealth {
  readonly failuresInARow: number;
  readonly pausedUntilMs: number | null;
  /** The first failure since something was last accepted. */
  readonly failingSinceMs: number | null;
  readonly lastSuccessAtMs: number | null;
}

export interface HealthChange {
  readonly isSuccess: boolean;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** The Retry-After of a 429 or 503. */
  readonly retryAfterMs: number | null;
}

export const CONCURRENCY_MAX = 10;
export const FAILURES_TO_OPEN = 5;
const PAUSE_FIRST_MS = 10_000;
/** Long enough to spare a dead endpoint, short enough that what waits arrives soon after it is back. */
export const PAUSE_MAX_MS = 5 * 60_000;
/** Retry-After applies in full to the event itself, and up to this limit to the others. */
const ASKED_PAUSE_MAX_MS = 10 * 60_000;

export function stepHealth(health: EndpointHealth, change: HealthChange): EndpointHealth {
  if (change.isSuccess) {
    return { failuresInARow: 0, pausedUntilMs: null, failingSinceMs: null, lastSuccessAtMs: change.endedAtMs };
  }
  // What had been sent before the circuit opened says nothing new about it.
  const isNew = health.pausedUntilMs === null || change.startedAtMs >= health.pausedUntilMs;
  const failuresInARow = health.failuresInARow + (isNew ? 1 : 0);
  const pauseMs = isNew ? pauseAfter(failuresInARow) : 0;
  const askedMs = Math.min(change.retryAfterMs ?? 0, ASKED_PAUSE_MAX_MS);
  const untilMs = Math.max(pauseMs, askedMs) > 0 ? change.endedAtMs + Math.max(pauseMs, askedMs) : 0;
  const pausedUntilMs = Math.max(health.pausedUntilMs ?? 0, untilMs);
  return {
    failuresInARow,
    pausedUntilMs: pausedUntilMs > 0 ? pausedUntilMs : null,
    failingSinceMs: health.failingSinceMs ?? change.endedAtMs,
    lastSuccessAtMs: health.lastSuccessAtMs,
  };
}

function pauseAfter(failuresInARow: number): number {
  if (failuresInARow < FAILURES_TO_OPEN) return 0;
  return Math.min(PAUSE_FIRST_MS * 2 ** Math.min(failuresInARow - FAILURES_TO_OPEN, 20), PAUSE_MAX_MS);
}

const DAY_MS = 24 * 3600 * 1000;
const WARN_AFTER_MS = DAY_MS;
const DISABLE_AFTER_MS = 5 * DAY_MS;
/** One event that an endpoint cannot bear must not cost it all the others. */
export const FAILED_EVENTS_TO_DISABLE = 3;

/** What is due after a failure: a word to the owners, or the end. Whether enough events failed is for the asker to see. */
export function dueAfterFailure(
  { failingSinceMs }: EndpointHealth,
  isWarned: boolean,
  nowMs: number,
): "disable" | "warn" | null {
  const failingMs = failingSinceMs === null ? 0 : nowMs - failingSinceMs;
  if (failingMs >= DISABLE_AFTER_MS) return "disable";
  return failingMs >= WARN_AFTER_MS && !isWarned ? "warn" : null;
}
