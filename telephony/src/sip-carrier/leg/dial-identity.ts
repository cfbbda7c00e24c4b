import { createHash } from "node:crypto";

/** The first attempt bears the name of the dial, each further one its own. */
export function attemptDialId(dialId: string, ordinal: number): string {
  return ordinal === 1 ? dialId : `${dialId}.${ordinal}`;
}

/**
 * The identity of an attempt on the wire. It is derived from the `dialId` alone, so that a request sent twice, by any process,
 * can be recognized by the network: RFC 3261 section 8.2.2.2 lets it reject the second with 482. Anyone who does not
 * know the `dialId` can guess neither.
 */
export function dialIdentity(dialId: string): { readonly callId: string; readonly localTag: string } {
  return { callId: digest("call", dialId).slice(0, 32), localTag: digest("tag", dialId).slice(0, 16) };
}

function digest(what: string, dialId: string): string {
  return createHash("sha256").update(`${what} ${dialId}`).digest("hex");
}
