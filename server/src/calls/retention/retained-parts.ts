import type { Tx } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { redactWebhookBodies } from "../event-store.ts";
import { deletePeaks, setRecordingErased } from "../recordings/recording-state-store.ts";
import { deleteWords } from "../transcripts/search/search-store.ts";
import { deleteItems, deleteWhatWasCollected } from "../transcripts/transcript-store.ts";

/** What of a call is kept for so many days, each by a setting of its own. */
export type RetainedPartName = "recordings" | "transcripts";

/** Something of a call that can be erased by itself. The feature that keeps it says how. */
export interface RetainedPart {
  readonly name: RetainedPartName;
  /**
   * Takes it away for good, in the caller's transaction, from a call that has ended and is locked. `reason` is shown to
   * whoever looks for it. Harmless where there is nothing, or nothing left. What lies outside the database is taken away
   * after the commit, by whoever holds it.
   */
  erase(tx: Tx, call: CallRow, reason: string): Promise<void>;
}

/** The recording of a call, as something that can be erased. Its file goes after the commit, where it lies. */
export const recordingPart: RetainedPart = {
  name: "recordings",
  async erase(tx, call, reason) {
    await deletePeaks(tx, call.id);
    await setRecordingErased(tx, call.id, reason);
  },
};

/** What was said in a call and what was learned from it, as something that can be erased. */
export const transcriptPart: RetainedPart = {
  name: "transcripts",
  async erase(tx, call) {
    await deleteItems(tx, call.id);
    await deleteWords(tx, call.id);
    await deleteWhatWasCollected(tx, call.id);
    await redactWebhookBodies(tx, call.id, ["collected", "analysis"]);
  },
};
