import { readFile, rename, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress } from "node:zlib";
import { decodeMulaw, encodeMulaw } from "@parley/audio/g711";
import type { ClipSource } from "./clip-source.ts";

/**
 * Many clips in one file that never changes, compressed as a whole: "PARLPAK1", the length of the list as 32 bits with
 * the lowest byte first, the list as JSON (for each clip its key and how many samples it has), and their audio one
 * after the other in the mu-law of ITU-T G.711, which is how most callees hear it anyway.
 */
const MAGIC = Buffer.from("PARLPAK1", "latin1");
const LIST_AT = MAGIC.length + 4;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

interface PackPlace {
  readonly start: number;
  readonly samples: number;
}

export class ClipPack implements ClipSource {
  readonly #content: Buffer;
  readonly #places: ReadonlyMap<string, PackPlace>;

  private constructor(content: Buffer, places: ReadonlyMap<string, PackPlace>) {
    this.#content = content;
    this.#places = places;
  }

  /** Rejects when the file is missing or is not a whole pack. */
  static async open(path: string): Promise<ClipPack> {
    const content = await decompress(await readFile(path));
    if (!content.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error(`${path} is not a pack of clips`);
    const soundAt = LIST_AT + content.readUInt32LE(MAGIC.length);
    const list = JSON.parse(content.toString("utf8", LIST_AT, soundAt)) as readonly (readonly [string, number])[];
    const places = new Map<string, PackPlace>();
    let start = soundAt;
    for (const [key, samples] of list) {
      places.set(key, { start, samples });
      start += samples;
    }
    if (start !== content.length) throw new Error(`${path} is not a whole pack of clips`);
    return new ClipPack(content, places);
  }

  get keys(): readonly string[] {
    return [...this.#places.keys()];
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  async read(key: string): Promise<Int16Array | null> {
    const place = this.#places.get(key);
    if (place === undefined) return null;
    const samples = new Int16Array(place.samples);
    decodeMulaw(this.#content.subarray(place.start, place.start + place.samples), samples);
    return samples;
  }

  async refresh(): Promise<void> {
    // Immutable.
  }
}

/** Writes a pack whole or not at all. */
export async function writeClipPack(path: string, clips: ReadonlyMap<string, Int16Array>): Promise<void> {
  const list = Buffer.from(JSON.stringify([...clips].map(([key, samples]) => [key, samples.length])), "utf8");
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  const sound = [...clips.values()].map((samples) => {
    const coded = new Uint8Array(samples.length);
    encodeMulaw(samples, coded);
    return coded;
  });
  await writeFile(`${path}.part`, await compress(Buffer.concat([MAGIC, length, list, ...sound])));
  await rename(`${path}.part`, path);
}
