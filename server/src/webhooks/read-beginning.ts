import { OutboundFailure } from "../platform/outbound-http/outbound-failure.ts";

export const RESPONSE_BYTES_MAX = 16 * 1024;

/** The beginning of a reply as text. Leaving the loop closes the connection of a reply that is longer, or never ends. */
export async function readBeginning(pieces: AsyncIterable<Uint8Array>, bytesMax = RESPONSE_BYTES_MAX): Promise<string> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      const part = piece.subarray(0, bytesMax - bytes);
      kept.push(Uint8Array.from(part));
      bytes += part.byteLength;
      if (bytes >= bytesMax) break;
    }
  } catch (error) {
    // The status has come; a reply that breaks off, takes too long to end or is not waited for changes nothing about it.
    if (!(error instanceof OutboundFailure)) throw error;
  }
  // The database takes every character but this one.
  return new TextDecoder().decode(Buffer.concat(kept)).replaceAll("\0", "\ufffd");
}
