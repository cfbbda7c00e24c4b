import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EmbeddedPostgresLog } from "./embedded-postgres-log.ts";

/** With files of 5 MB each this bounds the logs at about 50 MB. PostgreSQL begins new files but never deletes old ones. */
const logFilesMax = 10;

/** The names carry the time, so their order is the order of age. A failure is logged: it must not end the supervision. */
export function pruneLogs(folder: string, log: EmbeddedPostgresLog): void {
  if (!existsSync(folder)) return;
  try {
    const names = readdirSync(folder).sort();
    for (const name of names.slice(0, -logFilesMax)) rmSync(join(folder, name), { force: true });
  } catch (error) {
    log.warn({ error, folder }, "old PostgreSQL logs could not be removed");
  }
}
