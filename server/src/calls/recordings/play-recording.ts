import { AppError } from "@parley/contract/errors";
import type { Answer } from "../../platform/http/handler.ts";
import type { CallRow } from "../call-record.ts";
import { readByteRange } from "./byte-range.ts";
import type { RecordingStore, StoredRecording } from "./recording-store.ts";
import { sendRecording } from "./send-recording.ts";

/** What playing needs to know of a request. */
export interface PlayRequest {
  readonly header: (name: string) => string | undefined;
  readonly closing: AbortSignal;
  readonly isHead: boolean;
}

export interface PlayOptions {
  /** Runs for each client that starts at the beginning. When it throws, nothing is sent. */
  onBegin(): Promise<void>;
  /** Headers of a recording that is sent, and of no refusal. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers with a recording or the part of it that was asked for, from the first store that has it. A player asks for many
 * parts of one recording.
 */
export async function playRecording(
  stores: readonly RecordingStore[],
  call: CallRow,
  request: PlayRequest,
  { onBegin, headers = {} }: PlayOptions,
): Promise<Answer<string>> {
  const recording = await openFrom(stores, call);
  if (!recording) throw new AppError("not_found", "The recording is not on this machine, or not in the store yet.");
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
    throw new AppError("unavailable", "The store of recordings does not answer.", { cause: error });
  }
}

/** Why there is nothing to hear or draw, if that is so. */
export function refuseUnfinished({ recording, record }: CallRow): void {
  if (recording === null || recording.status === "failed" || recording.status === "erased") {
    const why = recording?.reason ?? (record ? "Nobody answered, or not yet." : "It was asked for without one.");
    throw new AppError("not_found", `There is no recording of this call. ${why}`);
  }
  if (recording.status === "recording")
    throw new AppError("invalid_state", "The call is still being recorded; ask again when it has ended.");
}

/** RFC 9110, section 13.1.5: what was asked for on condition of an older file is answered with the whole new one. */
function rangeOf(header: (name: string) => string | undefined, etag: string): string | undefined {
  const condition = header("if-range");
  return condition === undefined || condition === etag ? header("range") : undefined;
}

function beyondTheEnd({ bytes }: StoredRecording): AppError {
  return new AppError("range_not_satisfiable", `The recording has ${bytes} bytes.`, {
    headers: { "content-range": `bytes */${bytes}` },
  });
}
