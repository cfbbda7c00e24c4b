import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/** A file of the built dashboard, ready to be sent. */
export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Null where compressing gains nothing. */
  readonly gzipped: Buffer | null;
  readonly etag: string;
  /** Whether its name says its content, so that it may be kept for ever. */
  readonly isImmutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const COMPRESSED_ALREADY = new Set([".woff2"]);

/** Reads a built dashboard into memory: it is small, and nothing that is asked for can then name another file. */
export async function loadAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const assets = new Map<string, Asset>();
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).replaceAll("\\", "/")}`;
    assets.set(path, await loadAsset(path, await readFile(file)));
  }
  return assets;
}

async function loadAsset(path: string, bytes: Buffer): Promise<Asset> {
  const extension = extname(path);
  return {
    type: TYPES[extension] ?? "application/octet-stream",
    bytes,
    gzipped: COMPRESSED_ALREADY.has(extension) ? null : await compress(bytes, { level: 9 }),
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    isImmutable: path.startsWith("/assets/"),
  };
}
