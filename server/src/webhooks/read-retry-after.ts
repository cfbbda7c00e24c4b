import { RETRY_AFTER_MAX_MS } from "./retry-schedule.ts";

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
