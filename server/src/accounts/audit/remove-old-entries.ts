import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Database } from "../../platform/database/database.ts";
import type { Bucket } from "../../platform/storage/bucket.ts";
import { type AuditEntry, deleteEntries, readEntriesBefore } from "./audit-store.ts";

export interface AuditRemovalDeps {
  readonly db: Database;
  /** For how many days entries are kept; null for ever. */
  readonly days: number | null;
  /** Where entries are stored before they are removed; null to remove them for good. */
  readonly archive: { readonly bucket: Pick<Bucket, "put">; readonly prefix: string } | null;
  readonly nowMs: () => number;
}

/** Small, so that no statement takes long and an archived object stays of a handy size. */
const BATCH = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
const compress = promisify(gzip);

/**
 * Removes entries of the audit log that are older than the installation keeps them, oldest first and those of one month at a
 * time. Nothing is removed that could not be archived. Returns how many were removed.
 */
export async function removeOldAuditEntries(
  { db, days, archive, nowMs }: AuditRemovalDeps,
  rowsMax = BATCH,
): Promise<number> {
  if (days === null) return 0;
  const before = new Date(nowMs() - days * DAY_MS);
  for (let removed = 0; ; ) {
    const oldest = await readEntriesBefore(db, before, rowsMax);
    const month = monthOf(oldest[0]);
    const entries = oldest.filter((entry) => monthOf(entry) === month);
    if (entries.length === 0) return removed;
    if (archive) await archiveEntries(archive, entries);
    await deleteEntries(
      db,
      entries.map(({ id }) => id),
    );
    removed += entries.length;
  }
}

const monthOf = (entry: AuditEntry | undefined) => entry?.created_at.toISOString().slice(0, 7);

/** One object of JSON lines. Its name follows from the entries, so that repeating it after a crash makes no second copy. */
async function archiveEntries(
  { bucket, prefix }: NonNullable<AuditRemovalDeps["archive"]>,
  entries: readonly AuditEntry[],
): Promise<void> {
  const lines = entries.map(({ account_id: accountId, created_at: createdAt, ...entry }) =>
    JSON.stringify({ ...entry, accountId, createdAt }),
  );
  const key = `${prefix}archive/audit/${monthOf(entries[0])}/${entries[0]?.id}-${entries.at(-1)?.id}.jsonl.gz`;
  await bucket.put(key, await compress(`${lines.join("\n")}\n`), "application/gzip");
}
