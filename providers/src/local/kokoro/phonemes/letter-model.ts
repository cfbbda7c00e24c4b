import { brotliDecompressSync } from "node:zlib";
import { readWeights, type WeightFile } from "../../weights/weight-file.ts";
import { isVowel } from "./arpabet.ts";

/** Trained by `tools/train-letters/`. */
const LETTER_WEIGHTS: WeightFile = {
  packageName: "@parley/providers",
  path: "src/local/kokoro/phonemes/letters.bin",
  sha256: "3d6a45196ecece878325c7a1bd0e846b30ad09cadc5f54a47b4ce2d20180046f",
};

/** A piece of spelling and its phones: "sh" and "SH", "x" and "K S", a silent "e" and nothing. */
export interface Unit {
  readonly letters: string;
  readonly phones: string;
}

export const HISTORY = 6;
export const EDGE_UNIT = 0;
/** Quantised negative logarithms: a step of 1/16 of a bit. */
const STEPS_PER_BIT = 16;
const BEAM = 24;
const NOTHING_KNOWN_BITS = 30;

/** The table as it is stored. Sequences of units are known by the hash of their ids. */
export interface LetterTable {
  readonly units: readonly Unit[];
  /** Sorted hashes of sequences of one to `HISTORY + 1` units. */
  readonly keys: Uint32Array;
  /** How unlikely the last unit of each is after the others. */
  readonly costs: Uint8Array;
  /** How unlikely it is that a longer sequence with these units at its beginning is not stored. */
  readonly backOffs: Uint8Array;
}

/**
 * From letters to phones by a model of joint sequences: a word is a chain of units of spelling with their phones, and each unit is
 * predicted from the six before it, with back-off (Bisani and Ney 2008). The best chain is found by beam search.
 */
export class LetterModel {
  readonly #table: LetterTable;
  readonly #byLetters = new Map<string, number[]>();

  constructor(table: LetterTable) {
    this.#table = table;
    for (const [id, { letters }] of table.units.entries()) {
      if (id !== EDGE_UNIT) this.#byLetters.set(letters, [...(this.#byLetters.get(letters) ?? []), id]);
    }
  }

  static async open(): Promise<LetterModel> {
    return new LetterModel(unpackTable(await readWeights(LETTER_WEIGHTS)));
  }

  /** The phones of a word in lower case, with one main stress. Null if it has other signs than letters. */
  pronounce(word: string): string | null {
    const letters = word.replaceAll("'", "");
    if (!/^[a-z]{1,40}$/.test(letters)) return null;
    const units = this.#search(letters);
    return units === null ? null : withOneStress(units.flatMap((id) => this.#table.units[id]?.phones.split(" ") ?? []));
  }

  #search(letters: string): readonly number[] | null {
    interface Path {
      readonly units: readonly number[];
      readonly bits: number;
    }
    const beams: Path[][] = Array.from({ length: letters.length + 1 }, () => []);
    beams[0] = [{ units: [], bits: 0 }];
    for (let at = 0; at < letters.length; at++) {
      const paths = best(beams[at] ?? []);
      for (const length of [1, 2]) {
        const ids = this.#byLetters.get(letters.slice(at, at + length)) ?? [];
        if (at + length > letters.length) continue;
        for (const { units, bits } of paths) {
          for (const id of ids) {
            beams[at + length]?.push({ units: [...units, id], bits: bits + this.#bits(units, id) });
          }
        }
      }
    }
    const ended = best(beams[letters.length] ?? []).map(({ units, bits }) => ({
      units,
      bits: bits + this.#bits(units, EDGE_UNIT),
    }));
    return ended.sort((a, b) => a.bits - b.bits)[0]?.units ?? null;

    /** Paths with the same recent history continue alike, so only the best of them is kept. */
    function best(paths: readonly Path[]): Path[] {
      const kept = new Map<string, Path>();
      for (const path of paths) {
        const recent = path.units.slice(-HISTORY).join();
        const known = kept.get(recent);
        if (known === undefined || path.bits < known.bits) kept.set(recent, path);
      }
      return [...kept.values()].sort((a, b) => a.bits - b.bits).slice(0, BEAM);
    }
  }

  /** How unlikely a unit is after others, by the longest known sequence. */
  #bits(before: readonly number[], id: number): number {
    const { costs, backOffs } = this.#table;
    const history = [EDGE_UNIT, ...before].slice(-HISTORY);
    let bits = 0;
    for (let from = 0; from <= history.length; from++) {
      const context = history.slice(from);
      const found = this.#find([...context, id]);
      if (found >= 0) return bits + (costs[found] ?? 0) / STEPS_PER_BIT;
      const known = context.length === 0 ? -1 : this.#find(context);
      if (known >= 0) bits += (backOffs[known] ?? 0) / STEPS_PER_BIT;
    }
    return bits + NOTHING_KNOWN_BITS;
  }

  #find(ids: readonly number[]): number {
    const { keys } = this.#table;
    const key = hashOf(ids);
    let low = 0;
    let high = keys.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const at = keys[middle] as number;
      if (at === key) return middle;
      if (at < key) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** 32 bits over ids of 16 bits (FNV-1a with a final mix). */
export function hashOf(ids: readonly number[]): number {
  let hash = 0x811c9dc5 ^ ids.length;
  for (const id of ids) {
    hash = Math.imul(hash ^ (id & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (id >>> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function toSteps(bits: number): number {
  return Math.max(0, Math.min(255, Math.round(bits * STEPS_PER_BIT)));
}

/** As `packTable` of the training wrote it: a line of JSON with the units, then the keys as differences, then the two rows of costs. */
export function unpackTable(packed: Uint8Array): LetterTable {
  const bytes = brotliDecompressSync(packed);
  const end = bytes.indexOf(0x0a);
  const { units, count } = JSON.parse(bytes.toString("utf8", 0, end)) as { units: [string, string][]; count: number };
  const keys = new Uint32Array(count);
  let at = end + 1;
  let key = 0;
  for (let index = 0; index < count; index++) {
    let difference = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number;
      difference += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    key += difference;
    keys[index] = key;
  }
  return {
    units: units.map(([letters, phones]) => ({ letters, phones })),
    keys,
    costs: new Uint8Array(bytes.subarray(at, at + count)),
    backOffs: new Uint8Array(bytes.subarray(at + count, at + 2 * count)),
  };
}

/** The first of several main stresses stays one; a word without any is stressed on its first full vowel. */
function withOneStress(phones: readonly string[]): string {
  const sounds = phones.filter((phone) => phone !== "");
  let main = sounds.findIndex((phone) => phone.endsWith("1"));
  if (main < 0) main = sounds.findIndex((phone) => phone.endsWith("2"));
  if (main < 0) main = sounds.findIndex((phone) => isVowel(phone) && phone !== "AH0");
  if (main < 0) main = sounds.findIndex(isVowel);
  return sounds
    .map((phone, index) => {
      if (index === main) return phone.replace(/\d$/, "1");
      return phone.endsWith("1") ? phone.replace(/1$/, "2") : phone;
    })
    .join(" ");
}
