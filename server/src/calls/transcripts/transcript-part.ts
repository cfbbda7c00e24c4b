import { redactReports } from "../redact-reports.ts";
import type { RetainedPart } from "../retention/retained-part.ts";
import { forgetWords } from "./search/index-transcript.ts";
import { deleteItems, deleteWhatWasCollected } from "./transcript-store.ts";

/** What was said in a call and what was learned from it, as something that can be erased. */
export const transcriptPart: RetainedPart = {
  name: "transcripts",
  async erase(tx, call) {
    await deleteItems(tx, call.id);
    await forgetWords(tx, call.id);
    await deleteWhatWasCollected(tx, call.id);
    await redactReports(tx, call.id, ["collected", "analysis"]);
  },
};
