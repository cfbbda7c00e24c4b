import type { Database } from "../../platform/database/database.ts";
import { deleteOldRuns } from "./run-store.ts";

/** Forgets runs that nobody looks at any more. Scenarios stay. */
export function forgetOldRuns(db: Database): Promise<void> {
  return deleteOldRuns(db);
}
