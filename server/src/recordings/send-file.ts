import { type FileHandle, open } from "node:fs/promises";
import type { FastifyReply } from "fastify";
import type { ByteRange } from "./byte-range.ts";

export interface OpenFile {
  readonly handle: FileHandle;
  readonly bytes: number;
}

/** Null when there is no such file. */
export async function openFile(path: string): Promise<OpenFile | null> {
  try {
    const handle = await open(path, "r");
    return { handle, bytes: (await handle.stat()).size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export interface SentFile {
  readonly part: ByteRange | "whole";
  readonly etag: string;
  readonly name: string;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}

// A client that takes nothing for so long is cut off: its file and its connection are needed elsewhere.
const STALLED_MS = 30_000;

/** Sends a recording, or a part of it, no faster than the client takes it. Closes the file in any case. */
export async function sendFile(
  reply: FastifyReply,
  { handle, bytes }: OpenFile,
  { part, etag, name, closing }: SentFile,
): Promise<void> {
  const { first, last } = part === "whole" ? { first: 0, last: bytes - 1 } : part;
  const content = handle.createReadStream({ start: first, end: last });
  const stop = () => content.destroy();
  closing.addEventListener("abort", stop);
  content.once("close", () => closing.removeEventListener("abort", stop));
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
  reply
    .code(part === "whole" ? 200 : 206)
    .headers({
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
