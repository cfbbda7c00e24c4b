import type { Tx } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";

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
