import { Readable } from "node:stream";
import { AppError } from "@parley/contract/errors";
import type { FastifyReply } from "fastify";
import type { ByteRange } from "./byte-range.ts";
import type { StoredRecording } from "./recording-store.ts";

export interface SentRecording {
  readonly part: ByteRange | "whole";
  readonly etag: string;
  readonly name: string;
  /** Headers beside those of every recording. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}

// A client that takes nothing for so long is cut off: its file and its connection are needed elsewhere.
const STALLED_MS = 30_000;

/** Sends a recording, or a part of it, no faster than the client takes it. Closes it in any case. */
export async function sendRecording(
  reply: FastifyReply,
  recording: StoredRecording,
  { part, etag, name, headers, closing }: SentRecording,
): Promise<void> {
  const { bytes } = recording;
  const { first, last } = part === "whole" ? { first: 0, last: bytes - 1 } : part;
  const isHead = reply.request.method === "HEAD";
  const reading = isHead ? Promise.resolve(Readable.from([])) : recording.read({ first, last });
  const content = await reading.catch(async (error: unknown) => {
    await recording.close();
    throw new AppError("unavailable", "The store of recordings does not answer.", { cause: error });
  });
  const stop = () => content.destroy();
  closing.addEventListener("abort", stop);
  content.once("close", () => {
    closing.removeEventListener("abort", stop);
    recording.close().catch((error: unknown) => reply.log.warn({ error }, "a recording could not be closed"));
  });
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
  reply
    .code(part === "whole" ? 200 : 206)
    .headers({
      ...headers,
      "accept-ranges": "bytes",
      "cache-control": "private, no-store",
      "content-disposition": `inline; filename="${name}"`,
      "content-length": String(last - first + 1),
      etag,
      ...(part === "whole" ? {} : { "content-range": `bytes ${first}-${last}/${bytes}` }),
    })
    .type("audio/wav");
  void reply.send(content);
}
