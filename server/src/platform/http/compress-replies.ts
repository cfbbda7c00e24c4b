import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyInstance, FastifyRequest } from "fastify";

// Below a network packet or so, compressing gains nothing.
const BYTES_MIN = 1024;
const COMPRESSIBLE = /^(?:application\/json|application\/x-subrip|text\/(?!event-stream))/;
// Quality 4 takes about as long as gzip and is smaller; the default of 11 is for files that are compressed once.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const ENCODERS: Readonly<Record<string, (text: string) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text) => promisify(gzip)(text),
};

/**
 * Compresses text replies for clients that ask for it, off the main thread. Event streams, exports and recordings are
 * written by hand and never come through here.
 */
export function compressReplies(app: FastifyInstance, cookieName: string): void {
  app.addHook<unknown>("onSend", async (request, reply, payload) => {
    const type = String(reply.getHeader("content-type") ?? "");
    if (typeof payload !== "string" || !COMPRESSIBLE.test(type) || reply.hasHeader("content-encoding")) return payload;
    reply.header("vary", [reply.getHeader("vary"), "accept-encoding"].filter(Boolean).join(", "));
    if (payload.length < BYTES_MIN || mayLeakBySize(request, cookieName)) return payload;
    const encoding = negotiate(String(request.headers["accept-encoding"] ?? ""), Object.keys(ENCODERS));
    const encode = encoding === null ? undefined : ENCODERS[encoding];
    if (encoding === null || encode === undefined) return payload;
    const bytes = await encode(payload);
    reply.header("content-encoding", encoding).header("content-length", bytes.length);
    return bytes;
  });
}

/**
 * Where another site can make a browser send a request with the member's cookie and words of its choice, the size of a
 * compressed reply gives away what else is in it (BREACH). A browser says by `Sec-Fetch-Site` that our own page asks.
 */
function mayLeakBySize(request: FastifyRequest, cookieName: string): boolean {
  return request.cookies?.[cookieName] !== undefined && request.headers["sec-fetch-site"] !== "same-origin";
}
