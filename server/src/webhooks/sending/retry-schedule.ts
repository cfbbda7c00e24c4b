const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after the try before each try comes: 14 tries over a little more than five days. */
export const TRY_DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
  24 * HOUR,
  24 * HOUR,
];
/** Spreads the retries of events that failed together, so that they are not sent together again. */
const JITTER = 0.1;
export const RETRY_AFTER_MAX_MS = 24 * HOUR;

/** When to retry after this many attempts, or null when they are used up. `random` returns numbers from 0 to 1. */
export function nextTryAt(
  triesDone: number,
  nowMs: number,
  retryAfterMs: number | null,
  random: () => number,
): number | null {
  const delayMs = TRY_DELAYS_MS[triesDone];
  if (delayMs === undefined) return null;
  const spreadMs = delayMs * (1 + JITTER * (2 * random() - 1));
  return Math.round(nowMs + Math.max(spreadMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)));
}

/** RFC 9110 section 10.2.3: seconds, or a date; no more than the longest wait that is granted. Null for anything else. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, RETRY_AFTER_MAX_MS);
  // Only the preferred form of a date (section 5.6.7); the parser would take many other texts for one.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.min(Math.max(0, atMs - nowMs), RETRY_AFTER_MAX_MS);
}
