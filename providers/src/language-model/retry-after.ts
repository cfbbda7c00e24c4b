/** The delay in `Retry-After` (RFC 9110 section 10.2.3): seconds or a date. Null if there is none. */
export function readRetryAfterMs(headers: Readonly<Record<string, unknown>>, nowMs: number): number | null {
  const text = headers["retry-after"];
  if (typeof text !== "string" || text.trim() === "") return null;
  const seconds = Number(text);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.max(0, Math.round(waitMs));
}
