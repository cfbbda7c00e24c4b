import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClipSource } from "./clip-source.ts";

export interface ClipFolderOptions {
  readonly folder: string;
  readonly sampleRateHz: number;
  /** What the files may take together. Beyond it the least recently used are removed. */
  readonly bytesMax: number;
  readonly nowMs: () => number;
  /** A file that cannot be stored or read costs only time, but is reported to the operator. */
  readonly onTrouble?: (error: unknown) => void;
}

const ENDING = ".clip";
const UNFINISHED = ".part";
/** The age at which an unfinished file cannot still be in use by a writer. */
const UNFINISHED_MAX_MS = 60 * 60_000;
/** Reading updates the time of the file at most this often. */
const TOUCH_EVERY_MS = 60 * 60_000;
/** Eviction removes a little more than needed, so that it is not needed again for the next clip. */
const ROOM_SHARE = 0.9;

/**
 * Clips as files in a folder, which several threads and processes may share: a file appears whole or not at all, and
 * the modification time of the file is its last use. Nothing here throws: a clip that cannot be read is a clip to
 * render.
 */
export class ClipFolder implements ClipSource {
  readonly #options: ClipFolderOptions;
  #keys = new Set<string>();
  readonly #touchedAtMs = new Map<string, number>();
  #seenChangeMs = -1;
  #bytes: number | null = null;

  constructor(options: ClipFolderOptions) {
    this.#options = options;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  async refresh(): Promise<void> {
    const { folder } = this.#options;
    try {
      const { mtimeMs } = await stat(folder);
      if (mtimeMs === this.#seenChangeMs) return;
      const names = await readdir(folder);
      this.#keys = new Set(names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length)));
      this.#seenChangeMs = mtimeMs;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#options.onTrouble?.(error);
    }
  }

  async read(key: string): Promise<Int16Array | null> {
    const path = this.#pathOf(key);
    try {
      const clip = decodeClip(await readFile(path), this.#options.sampleRateHz);
      if (clip === null) {
        this.#keys.delete(key);
        await rm(path, { force: true });
        return null;
      }
      await this.#touch(key);
      return clip;
    } catch (error) {
      this.#keys.delete(key);
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#options.onTrouble?.(error);
      return null;
    }
  }

  /** False when it could not be stored. */
  async write(key: string, samples: Int16Array): Promise<boolean> {
    const { folder, sampleRateHz, bytesMax } = this.#options;
    const unfinished = join(folder, `${key}.${randomUUID()}${UNFINISHED}`);
    try {
      await mkdir(folder, { recursive: true });
      this.#bytes ??= await this.#tidy();
      await writeFile(unfinished, encodeClip(samples, sampleRateHz));
      const atS = this.#options.nowMs() / 1000;
      await utimes(unfinished, atS, atS);
      await rename(unfinished, this.#pathOf(key));
      this.#keys.add(key);
      this.#bytes += CLIP_HEADER_BYTES + samples.byteLength;
      if (this.#bytes > bytesMax) await this.#makeRoom();
      return true;
    } catch (error) {
      this.#options.onTrouble?.(error);
      await rm(unfinished, { force: true }).catch((left: unknown) => this.#options.onTrouble?.(left));
      return false;
    }
  }

  /** Marks a clip as needed soon, so that it is not evicted next. */
  async #touch(key: string): Promise<void> {
    const nowMs = this.#options.nowMs();
    if (nowMs - (this.#touchedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return;
    await utimes(this.#pathOf(key), nowMs / 1000, nowMs / 1000);
    this.#touchedAtMs.set(key, nowMs);
  }

  /** Removes what a crash left unfinished. Returns the total size of the rest. */
  async #tidy(): Promise<number> {
    const files = await this.#files();
    const oldMs = this.#options.nowMs() - UNFINISHED_MAX_MS;
    for (const { name, usedAtMs } of files) {
      if (name.endsWith(UNFINISHED) && usedAtMs < oldMs) await rm(join(this.#options.folder, name), { force: true });
    }
    return files.reduce((sum, { name, bytes }) => sum + (name.endsWith(ENDING) ? bytes : 0), 0);
  }

  async #makeRoom(): Promise<void> {
    const { folder, bytesMax } = this.#options;
    const clips = (await this.#files()).filter(({ name }) => name.endsWith(ENDING));
    clips.sort((one, other) => one.usedAtMs - other.usedAtMs);
    let bytes = clips.reduce((sum, clip) => sum + clip.bytes, 0);
    for (const clip of clips) {
      if (bytes <= bytesMax * ROOM_SHARE) break;
      const key = clip.name.slice(0, -ENDING.length);
      await rm(join(folder, clip.name), { force: true });
      this.#keys.delete(key);
      this.#touchedAtMs.delete(key);
      bytes -= clip.bytes;
    }
    this.#bytes = bytes;
  }

  async #files(): Promise<{ name: string; bytes: number; usedAtMs: number }[]> {
    const { folder } = this.#options;
    const names = await readdir(folder);
    const found = await Promise.all(
      names.map(async (name) => {
        try {
          const { size, mtimeMs } = await stat(join(folder, name));
          return [{ name, bytes: size, usedAtMs: mtimeMs }];
        } catch (error) {
          // Another process removed it in the meantime.
          if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
          throw error;
        }
      }),
    );
    return found.flat();
  }

  #pathOf(key: string): string {
    return join(this.#options.folder, `${key}${ENDING}`);
  }
}

/**
 * A clip as a file, all numbers with the lowest byte first:
 *
 *     0               8        12       16                                  48
 *     +---------------+--------+--------+-----------------------------------+----------------- - -
 *     | "PARLCLP1"    | rate   | samples| SHA-256 of the samples            | samples, 16 bit
 *     +---------------+--------+--------+-----------------------------------+----------------- - -
 *
 * The digest distinguishes a whole file from one damaged by a crash or a bad disk.
 */
const MAGIC = Buffer.from("PARLCLP1", "latin1");
const RATE_AT = 8;
const COUNT_AT = 12;
const DIGEST_AT = 16;
const CLIP_HEADER_BYTES = 48;

function encodeClip(samples: Int16Array, sampleRateHz: number): Uint8Array {
  const file = Buffer.alloc(CLIP_HEADER_BYTES + 2 * samples.length);
  MAGIC.copy(file);
  file.writeUInt32LE(sampleRateHz, RATE_AT);
  file.writeUInt32LE(samples.length, COUNT_AT);
  for (const [index, sample] of samples.entries()) file.writeInt16LE(sample, CLIP_HEADER_BYTES + 2 * index);
  digestOf(file).copy(file, DIGEST_AT);
  return file;
}

/** Null when it is not a whole clip at this rate. */
function decodeClip(bytes: Uint8Array, sampleRateHz: number): Int16Array | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < CLIP_HEADER_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  const count = file.readUInt32LE(COUNT_AT);
  if (file.readUInt32LE(RATE_AT) !== sampleRateHz || file.length !== CLIP_HEADER_BYTES + 2 * count) return null;
  if (!file.subarray(DIGEST_AT, CLIP_HEADER_BYTES).equals(digestOf(file))) return null;
  return Int16Array.from({ length: count }, (_, index) => file.readInt16LE(CLIP_HEADER_BYTES + 2 * index));
}

function digestOf(file: Buffer): Buffer {
  return createHash("sha256").update(file.subarray(CLIP_HEADER_BYTES)).digest();
}
