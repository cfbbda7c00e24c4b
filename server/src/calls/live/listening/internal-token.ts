import { timingSafeEqual } from "node:crypto";

/** Signs with a key that only the processes of this installation can derive. */
export type Vouch = (text: string) => Buffer;

export interface InternalRequest {
  /** The process the request is for: its token is useless at any other. */
  readonly workerId: string;
  readonly method: string;
  readonly path: string;
}

/** Long enough to tolerate clocks that differ a little, and too short to be useful to someone who finds it in a log. */
const VALID_MS = 60_000;

/** Authenticates one process to another: the expiry and the signature, as `1700000000000.9f8e...`. */
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
