import { AppError } from "@parley/contract/errors";
import { getRecording, getRecordingPeaks } from "@parley/contract/routes/calls";
import { auditRequest } from "../audit/audit-request.ts";
import type { CallRow } from "../calls/call-record.ts";
import { requireCall } from "../calls/require-call.ts";
import { type Database, inTransaction } from "../database/database.ts";
import { type BoundRoute, handle } from "../http/handler.ts";
import { readByteRange } from "./byte-range.ts";
import { readPeaks } from "./read-peaks.ts";
import { recordingPath } from "./recording-path.ts";
import { type OpenFile, openFile, sendFile } from "./send-file.ts";

export interface RecordingRoutesDeps {
  readonly db: Database;
  /** Where recordings lie. */
  readonly folder: string;
}

export function recordingRoutes({ db, folder }: RecordingRoutesDeps): BoundRoute[] {
  return [
    handle(getRecording, async (request) => {
      const call = await requireCall(db, request, request.params.id);
      refuseUnfinished(call);
      const file = await openFile(recordingPath(folder, call));
      if (!file) throw new AppError("not_found", "The recording is not on this machine.");
      try {
        const etag = `"${call.id}-${file.bytes}"`;
        const part = readByteRange(rangeOf(request.header, etag), file.bytes);
        if (part === "beyond") throw beyondTheEnd(file);
        // A player asks for many parts of one recording; whoever begins to listen is written down once.
        if (part === "whole" || part.first === 0)
          await inTransaction(db, (tx) => auditRequest(tx, request, "recording.downloaded", call.id));
        const { closing } = request;
        return { stream: (reply) => sendFile(reply, file, { part, etag, name: `${call.id}.wav`, closing }) };
      } catch (error) {
        await file.handle.close();
        throw error;
      }
    }),

    handle(getRecordingPeaks, async (request) => {
      const call = await requireCall(db, request, request.params.id);
      refuseUnfinished(call);
      return { data: await readPeaks(db, call) };
    }),
  ];
}

function refuseUnfinished({ recording, record }: CallRow): void {
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

function beyondTheEnd({ bytes }: OpenFile): AppError {
  return new AppError("range_not_satisfiable", `The recording has ${bytes} bytes.`, {
    headers: { "content-range": `bytes */${bytes}` },
  });
}
