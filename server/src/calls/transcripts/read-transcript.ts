import type { TranscriptItem } from "@parley/contract/transcripts";
import type { Database } from "../../platform/database/database.ts";
import { readItems } from "./transcript-store.ts";

/** What was said and done in a call, in the order in which it began. Who asks has made sure whose call it is. */
export function readTranscript(db: Database, callId: string): Promise<TranscriptItem[]> {
  return readItems(db, callId);
}
