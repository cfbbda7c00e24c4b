import type { Database } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { listRecordings } from "../recordings/list-recordings.ts";
import { findUnspoken } from "./lost-recording-store.ts";
import { commitRecordingStart } from "./recording-commits.ts";

const BATCH = 500;
/** A worker is lost within minutes; what is older was looked at before. */
const DAYS = 2;

/**
 * Finds recordings on this machine whose calls have ended without a word about them: their process was killed in the
 * moment between making the file and saying so. From here on they are looked after like any other. Returns how many.
 */
export async function adoptRecordings(db: Database, folder: string): Promise<number> {
  const ids = await listRecordings(folder, DAYS);
  const unspoken: CallRow[] = [];
  for (let first = 0; first < ids.length; first += BATCH)
    unspoken.push(...(await findUnspoken(db, ids.slice(first, first + BATCH))));
  for (const call of unspoken) await commitRecordingStart(db, call);
  return unspoken.length;
}
