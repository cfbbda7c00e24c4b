import type { Readable } from "node:stream";
import type { ByteRange } from "./byte-range.ts";

/** All that is needed to find a recording. */
export interface RecordedCall {
  readonly id: string;
  readonly created_at: Date;
}

/** A recording that can be read, in parts and as often as one likes, until it is closed. */
export interface StoredRecording {
  readonly bytes: number;
  /** Nothing of it may be left unread without destroying the stream. */
  read(part: ByteRange): Promise<Readable>;
  close(): Promise<void>;
}

/** Where finished recordings are kept. Rejects when it cannot be reached, never because something is not there. */
export interface RecordingStore {
  /** Null when it has no such recording. */
  open(call: RecordedCall): Promise<StoredRecording | null>;
  /** Keeps the whole of a file, in place of what it may have had. Whoever opens it meanwhile gets one or the other. */
  put(call: RecordedCall, path: string): Promise<void>;
  /** Takes it away for good. Harmless when it is not there. */
  remove(call: RecordedCall): Promise<void>;
}
