import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Database } from "../../platform/database/database.ts";
import type { Bucket } from "../../platform/storage/bucket.ts";
import { toCall } from "../call-record.ts";
import { readCallsById } from "../call-store.ts";
import { readCallEvents } from "../event-store.ts";
import { readTranscript } from "../transcripts/transcript-store.ts";

export interface CallArchive {
  readonly bucket: Pick<Bucket, "put">;
  /** The prefix of object names. */
  readonly prefix: string;
}

const compress = promisify(gzip);
const CONTENT_TYPE = "application/gzip";
/** More than any call has. */
const EVENTS_MAX = 100_000;

/**
 * Stores calls as one object: JSON lines, compressed, each with a call as the API shows it, its events and its
 * transcript. The name follows from the calls, so that repeating it after a crash makes no second copy. Returns it.
 */
export async function archiveCalls(
  db: Database,
  { bucket, prefix }: CallArchive,
  accountId: string,
  callIds: readonly string[],
): Promise<string> {
  const rows = (await readCallsById(db, callIds)).toReversed();
  const lines: string[] = [];
  for (const row of rows) {
    const events = await readCallEvents(db, row.id, 0, EVENTS_MAX);
    lines.push(
      JSON.stringify({
        call: toCall(row),
        events: events.map(({ sequence, type, data, created_at: at }) => ({ sequence, type, data, createdAt: at })),
        transcript: await readTranscript(db, row.id),
      }),
    );
  }
  const month = rows[0]?.created_at.toISOString().slice(0, 7);
  const key = `${prefix}archive/calls/${accountId}/${month}/${rows[0]?.id}-${rows.at(-1)?.id}.jsonl.gz`;
  await bucket.put(key, await compress(`${lines.join("\n")}\n`), CONTENT_TYPE);
  return key;
}
