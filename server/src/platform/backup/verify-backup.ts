import { BackupError, type BackupHeader } from "./backup-format.ts";
import { readBackup } from "./read-backup.ts";

export interface VerifiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

export interface VerifiedBackup {
  readonly header: BackupHeader;
  readonly secret: string | null;
  readonly tables: readonly VerifiedTable[];
}

/** Reads a backup to its end, so that nothing is touched for a file that is damaged further on. */
export async function verifyBackup(file: string): Promise<VerifiedBackup> {
  let header: BackupHeader | null = null;
  let secret: string | null = null;
  let open: { name: string; columns: readonly string[] } | null = null;
  const tables: VerifiedTable[] = [];
  for await (const part of readBackup(file)) {
    if (part.kind === "header") header = part.header;
    else if (part.kind === "secret") secret = part.secret;
    else if (part.kind === "table") open = { name: part.name, columns: part.columns };
    else if (part.kind === "table_end" && open) tables.push({ ...open, rows: part.rows });
  }
  if (!header) throw new BackupError(`${file} has no header.`);
  return { header, secret, tables };
}
