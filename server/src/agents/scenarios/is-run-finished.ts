import type { Database } from "../../platform/database/database.ts";
import { hasUnfinishedRun } from "./run-store.ts";

/** Also true of a run that was forgotten. */
export async function isRunFinished(db: Database, runId: string): Promise<boolean> {
  return !(await hasUnfinishedRun(db, runId));
}
