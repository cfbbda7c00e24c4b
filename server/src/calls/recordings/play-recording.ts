import { Readable } from "node:stream";
import { AppError } from "@parley/contract/errors";
import type { FastifyReply } from "fastify";
import type { Answer } from "../../platform/http/handler.ts";
import { type ByteRange, readByteRange } from "../../platform/storage/byte-range.ts";
import type { CallRow } from "../call-record.ts";
import type { RecordingStore, StoredRecording } from "./recording-storage.ts";

/** The parts of a request that playing needs. */
interface PlayRequest {
  readonly header: (name: string) => string | undefined;
  readonly closing: AbortSignal;
  readonly isHead: boolean;
}

interface PlayOptions {
  /** Called for each client that starts at the beginning. If it throws, nothing is sent. */
  onBegin(): Promise<void>;
  /** Headers added when a recording is sent, but not to errors. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers with a recording or the requested range of it, from the first storage that has it. A player requests many
 * ranges of one recording.
 */
export async function playRecording(
  stores: readonly RecordingStore[],
  call: CallRow,
  request: PlayRequest,
  { onBegin, headers = {} }: PlayOptions,
): Promise<Answer<string>> {
  const recording = await openFrom(stores, call);
  if (!recording) throw new AppError("not_found", "The recording is not on this machine, or not in the storage yet.");
  try {
    const etag = `"${call.id}-${recording.bytes}"`;
    const part = readByteRange(rangeOf(request.header, etag), recording.bytes);
    if (part === "beyond") throw beyondTheEnd(recording);
    if (!request.isHead && (part === "whole" || part.first === 0)) await onBegin();
    const { closing } = request;
    const name = `${call.id}.wav`;
    return { stream: (reply) => sendRecording(reply, recording, { part, etag, name, headers, closing }) };
  } catch (error) {
    await recording.close();
    throw error;
  }
}

async function openFrom(stores: readonly RecordingStore[], call: CallRow): Promise<StoredRecording | null> {
  try {
    for (const store of stores) {
      const recording = await store.open(call);
      if (recording) return recording;
    }
    return null;
  } catch (error) {
    throw new AppError("unavailable", "The recording storage does not respond.", { cause: error });
  }
}

/** Throws the reason why there is nothing to play or draw, if there is one. */
export function refuseUnfinished({ recording, record }: CallRow): void {
  if (recording === null || recording.status === "failed" || recording.status === "erased") {
    const why = recording?.reason ?? (record ? "The call has not been answered." : "It was not to be recorded.");
    throw new AppError("not_found", `There is no recording of this call. ${why}`);
  }
  if (recording.status === "recording")
    throw new AppError("invalid_state", "The call is still being recorded; try again when it has ended.");
}

/** RFC 9110, section 13.1.5: a range requested for an older file is answered with the whole new one. */
function rangeOf(header: (name: string) => string | undefined, etag: string): string | undefined {
  const condition = header("if-range");
  return condition === undefined || condition === etag ? header("range") : undefined;
}

function beyondTheEnd({ bytes }: StoredRecording): AppError {
  return new AppError("range_not_satisfiable", `The recording has ${bytes} bytes.`, {
    headers: { "content-range": `bytes */${bytes}` },
  });
}

interface SentRecording {
  readonly part: ByteRange | "whole";
  readonly etag: string;
  readonly name: string;
  /** Headers in addition to those of every recording. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}

// A client that reads nothing for this long is cut off: its file and its connection are needed elsewhere.
const STALLED_MS = 30_000;

/** Sends a recording, or a range of it, no faster than the client reads. Closes it in any case. */
async function sendRecording(
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
    throw new AppError("unavailable", "The recording storage does not respond.", { cause: error });
  });
  const stop = () => content.destroy();
  closing.addEventListener("abort", stop);
  content.once("close", () => {
    closing.removeEventListener("abort", stop);
    recording.close().catch((error: unknown) => reply.log.warn({ error }, "recording could not be closed"));
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
