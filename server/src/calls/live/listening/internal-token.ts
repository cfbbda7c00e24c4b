import { timingSafeEqual } from "node:crypto";

/** Digests under a key that only the processes of this installation can derive. */
export type Vouch = (text: string) => Buffer;

export interface InternalRequest {
  /** The process that is asked: a token for one opens nothing at another. */
  readonly workerId: string;
  readonly method: string;
  readonly path: string;
}

/** Long enough for clocks of machines that differ a little, and too short to be of use to who finds it in a log. */
const VALID_MS = 60_000;

/** What one process shows another to be let in: when it ends, and the proof, as `1700000000000.9f8e...`. */
export function writeInternalToken(vouch: Vouch, request: InternalRequest, nowMs: number): string {
  const expiresAtMs = nowMs + VALID_MS;
  return `${expiresAtMs}.${proofOf(vouch, request, expiresAtMs).toString("hex")}`;
}

export function isInternalToken(vouch: Vouch, request: InternalRequest, token: string, nowMs: number): boolean {
  const [, expires = "", proof = ""] = /^(\d{13})\.([0-9a-f]{64})$/.exec(token) ?? [];
  const expiresAtMs = Number(expires);
  if (proof === "" || expiresAtMs <= nowMs || expiresAtMs > nowMs + 2 * VALID_MS) return false;
  return timingSafeEqual(Buffer.from(proof, "hex"), proofOf(vouch, request, expiresAtMs));
}

function proofOf(vouch: Vouch, { workerId, method, path }: InternalRequest, expiresAtMs: number): Buffer {
  return vouch(JSON.stringify([workerId, method, path, expiresAtMs]));
}
