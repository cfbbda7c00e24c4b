import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import {
  BackupError,
  BackupHeader,
  FORMAT_VERSION,
  RowsLine,
  SecretLine,
  TableLine,
  TrailerLine,
} from "./backup-format.ts";

export type BackupPart =
  | { readonly kind: "header"; readonly header: BackupHeader }
  | { readonly kind: "secret"; readonly secret: string | null }
  | { readonly kind: "table"; readonly name: string; readonly columns: readonly string[] }
  | { readonly kind: "rows"; readonly bytes: Buffer }
  | { readonly kind: "table_end"; readonly rows: number };

// Only rows may be long; any other line of this length is invalid.
const LINE_BYTES_MAX = 1_048_576;
const CHUNK_BYTES = 262_144;
const NEWLINE = 0x0a;

/** What the next line must be: the header, the secret, then tables (name, rows, their number) until the trailer. */
type Expected = "header" | "secret" | "table" | "rows" | "count" | "nothing";

/**
 * Reads a backup part by part. It is known to be whole and unaltered only once the last part has come: it throws a
 * BackupError otherwise, so a caller that acts on parts must be able to roll back.
 */
export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  const reading: Reading = { file, hash: createHash("sha256"), expected: "header", tables: 0, rows: 0 };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of unzip(file)) {
    const bytes: Buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let at = 0;
    while (at < bytes.length) {
      if (reading.expected === "rows") {
        const run = takeRows(bytes, at);
        reading.hash.update(bytes.subarray(at, run.next));
        reading.rows += run.rows;
        if (run.end > at) yield { kind: "rows", bytes: bytes.subarray(at, run.end) };
        at = run.next;
        if (!run.isOver) break;
        reading.expected = "count";
      } else {
        const end = bytes.indexOf(NEWLINE, at) + 1;
        if (end === 0) break;
        const part = readLine(reading, bytes.subarray(at, end));
        at = end;
        if (part) yield part;
      }
    }
    rest = bytes.subarray(at);
    if (reading.expected !== "rows" && rest.length > LINE_BYTES_MAX) throw damaged(file);
  }
  if (reading.expected !== "nothing" || rest.length > 0) throw damaged(file);
}

interface Reading {
  readonly file: string;
  readonly hash: Hash;
  expected: Expected;
  tables: number;
  /** Of the table under way. */
  rows: number;
}

/** Reads a line that is not a row. The trailer is not a part: it marks a complete file. */
function readLine(reading: Reading, text: Buffer): BackupPart | null {
  const { file, hash } = reading;
  if (reading.expected === "nothing") throw damaged(file);
  const value = parse(text, file);
  if (reading.expected === "table" && typeof value === "object" && value !== null && "sha256" in value) {
    const trailer = shaped(TrailerLine, value, file);
    if (trailer.sha256 !== hash.digest("hex") || trailer.tables !== reading.tables) throw damaged(file);
    reading.expected = "nothing";
    return null;
  }
  hash.update(text);
  switch (reading.expected) {
    case "header":
      reading.expected = "secret";
      return { kind: "header", header: readHeader(value, file) };
    case "secret":
      reading.expected = "table";
      return { kind: "secret", secret: shaped(SecretLine, value, file).secret };
    case "table": {
      const { table, columns } = shaped(TableLine, value, file);
      reading.expected = "rows";
      reading.rows = 0;
      reading.tables += 1;
      return { kind: "table", name: table, columns };
    }
    case "count":
      if (shaped(RowsLine, value, file).rows !== reading.rows) throw damaged(file);
      reading.expected = "table";
      return { kind: "table_end", rows: reading.rows };
    default:
      throw damaged(file);
  }
}

async function* unzip(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  source.on("error", (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "ENOENT") throw new BackupError(`${file} does not exist.`, { cause: error });
    if (code === "Z_BUF_ERROR") throw new BackupError(`${file} is cut off. Nothing was changed.`, { cause: error });
    if (code.startsWith("Z_")) throw damaged(file, error);
    throw error;
  } finally {
    source.destroy();
  }
}

function readHeader(value: unknown, file: string): BackupHeader {
  const header = shaped(BackupHeader, value, file);
  if (header.formatVersion !== FORMAT_VERSION) {
    throw new BackupError(
      `${file} has format ${header.formatVersion}; this release reads ${FORMAT_VERSION}. It was made by Parley ${header.parleyVersion}.`,
    );
  }
  return header;
}

function parse(text: Buffer, file: string): unknown {
  try {
    return JSON.parse(text.toString("utf8"));
  } catch (error) {
    throw damaged(file, error);
  }
}

function shaped<T>(schema: z.ZodType<T>, value: unknown, file: string): T {
  const result = schema.safeParse(value);
  if (!result.success) throw damaged(file, result.error);
  return result.data;
}

function damaged(file: string, cause?: unknown): BackupError {
  return new BackupError(`${file} is damaged, or is not a backup of Parley. Nothing was changed.`, { cause });
}

interface VerifiedTable {
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

const BACKSLASH = 0x5c;
const DOT = 0x2e;

/** COPY writes a line break inside a value as `\n` in two characters, so every line is a row. */
export function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

interface RowRun {
  readonly rows: number;
  /** Where the last whole row ends. */
  readonly end: number;
  /** Where to read on: behind the end mark when that was found. */
  readonly next: number;
  readonly isOver: boolean;
}

/** Takes as many whole rows as there are from `start`, up to the line that ends them. */
function takeRows(bytes: Buffer, start: number): RowRun {
  let rows = 0;
  let from = start;
  for (let at = bytes.indexOf(NEWLINE, from); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
    if (at - from === 2 && bytes[from] === BACKSLASH && bytes[from + 1] === DOT) {
      return { rows, end: from, next: at + 1, isOver: true };
    }
    rows += 1;
    from = at + 1;
  }
  return { rows, end: from, next: from, isOver: false };
}
