import type { Database } from "../../platform/database/database.ts";
import { deleteOldAttempts } from "./attempt-store.ts";
import { deleteDeadLinks } from "./link-store.ts";
import { deleteDeadChallenges } from "./second-factor-store.ts";
import { deleteDeadSignIns } from "./sign-in-store.ts";

/** Takes away what time has ended: old counters, sign-ins and links. Nothing depends on when it runs. */
export async function forgetExpired(db: Database): Promise<void> {
  await deleteOldAttempts(db);
  await deleteDeadSignIns(db);
  await deleteDeadChallenges(db);
  await deleteDeadLinks(db);
}
