/** A key that was pressed at the other end and told by SIP INFO. */
export interface RelayedKey {
  readonly key: string;
  readonly durationMs: number;
}

const DURATION_DEFAULT_MS = 250;
const DURATION_MAX_MS = 5_000;

/**
 * Reads  Signal=5 / Duration=160  (application/dtmf-relay) or a lone  5  (application/dtmf). Neither has an RFC; gateways
 * that know no telephone events use them. Null for everything else.
 */
export function readRelayedKey(contentType: string, body: Buffer): RelayedKey | null {
  const text = body.toString("latin1");
  if (/^application\/dtmf-relay\b/i.test(contentType)) {
    const signal = /^\s*Signal\s*=\s*(\S+)\s*$/im.exec(text)?.[1];
    const durationMs = Number(/^\s*Duration\s*=\s*(\d{1,5})\s*$/im.exec(text)?.[1] ?? DURATION_DEFAULT_MS);
    return keyOf(signal ?? "", durationMs);
  }
  return /^application\/dtmf\b/i.test(contentType) ? keyOf(text.trim(), DURATION_DEFAULT_MS) : null;
}

/** Some write the event number of RFC 4733 instead of the sign: 10 for the star and 11 for the hash. */
function keyOf(signal: string, durationMs: number): RelayedKey | null {
  const sign = signal === "10" ? "*" : signal === "11" ? "#" : signal.toUpperCase();
  if (!/^[0-9*#A-D]$/.test(sign)) return null;
  return { key: sign, durationMs: Math.min(DURATION_MAX_MS, Math.max(1, durationMs)) };
}
