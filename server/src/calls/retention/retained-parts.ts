import type { Tx } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { redactWebhookBodies } from "../event-store.ts";
import { deletePeaks, setRecordingErased } from "../recordings/recording-state-store.ts";
import { deleteWords } from "../transcripts/search/search-store.ts";
import { deleteItems, deleteWhatWasCollected } from "../transcripts/transcript-store.ts";

/** The parts of a call with their own retention period. */
export type RetainedPartName = "recordings" | "transcripts";

/** A part of a call that can be erased separately. */
export interface RetainedPart {
  readonly name: RetainedPartName;
  /**
   * Erases it for good, in the caller's transaction, from a call that has ended and is locked. `reason` is shown
   * instead of it. Harmless when there is nothing to erase. Files and objects are removed after the commit, where they
   * are.
   */
  erase(tx: Tx, call: CallRow, reason: string): Promise<void>;
}

/** The recording of a call. Its file is removed after the commit. */
export const recordingPart: RetainedPart = {
  name: "recordings",
  async erase(tx, call, reason) {
    await deletePeaks(tx, call.id);
    await setRecordingErased(tx, call.id, reason);
  },
};

/** What was said in a call and what was learned from it. */
export const transcriptPart: RetainedPart = {
  name: "transcripts",
  async erase(tx, call) {
    await deleteItems(tx, call.id);
    await deleteWords(tx, call.id);
    await deleteWhatWasCollected(tx, call.id);
    await redactWebhookBodies(tx, call.id, ["collected", "analysis"]);
  },
};
