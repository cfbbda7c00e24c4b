import { z } from "zod";

/**
 * A backup is one gzip file of lines in UTF-8:
 *
 *     {"format":"parley-backup","formatVersion":1,...}     header
 *     {"secret":"..."}                                     the installation's secret, or null
 *     {"table":"accounts","columns":["id","name",...]}     for each table, in an order that suits its foreign keys:
 *     acc_01k8...\tAcme\t\\N\t2026-01-31 09:30:00.123+00     its rows as COPY writes them
 *     \.                                                   no row can look like this
 *     {"rows":1}
 *     {"tables":1,"sha256":"..."}                          digest of every byte above this line
 */
export const FORMAT_NAME = "parley-backup";
export const FORMAT_VERSION = 1;
export const END_OF_ROWS = "\\.\n";

export const BackupHeader = z.object({
  format: z.literal(FORMAT_NAME),
  formatVersion: z.number(),
  parleyVersion: z.string(),
  /** When the snapshot was taken, by the database's clock. */
  createdAt: z.iso.datetime(),
  migrations: z.array(z.string()),
  /** Identifies the secret of the backup without revealing it. */
  secretFingerprint: z.string(),
});
export type BackupHeader = z.infer<typeof BackupHeader>;

export const SecretLine = z.object({ secret: z.string().min(1).nullable() });
export const TableLine = z.object({ table: z.string().min(1), columns: z.array(z.string().min(1)).min(1) });
export const RowsLine = z.object({ rows: z.int().min(0) });
export const TrailerLine = z.object({ tables: z.int().min(0), sha256: z.string() });

/** A reason not to back up or restore that the operator can fix. Nothing was changed. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
