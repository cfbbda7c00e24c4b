import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import {
  EDGE_UNIT,
  HISTORY,
  hashOf,
  LetterModel,
  type LetterTable,
  toSteps,
  type Unit,
  unpackTable,
} from "@parley/providers/local/kokoro/phonemes/letter-model";
import { type Entry, isHeldOut, readEntries } from "./held-out-words.ts";
import { judgePronunciations } from "./judge-pronunciations.ts";

/**
 * Trains the model from letters to phones on the CMU dictionary: `node tools/run.mjs tools/train-letters/train.ts FILE`. It takes about two minutes of
 * one core and gives the same file each time. README.md says what it does.
 */

const ALIGN_ROUNDS = 5;
/** Rarer units are mistakes of the dictionary. */
const UNIT_COUNT_MIN = 4;
/** By length of the sequence: rarer ones are left to shorter sequences, which keeps the table small. */
const COUNT_MIN = [0, 1, 1, 1, 2, 2, 2, 2];

/** Letters and phones of a unit: one or two letters, no phone or up to two, but not two letters for two phones. */
const SHAPES = [
  [1, 1],
  [1, 0],
  [2, 1],
  [1, 2],
  [2, 0],
] as const;

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: train.ts FILE");

const entries = readEntries();
const parts = {
  train: entries.filter(({ word }) => !isHeldOut(word)),
  test: entries.filter(({ word }) => isHeldOut(word)),
};
console.log(`${parts.train.length} pronunciations to train on, ${parts.test.length} held out`);
const aligned = align(parts.train);
const table = countSequences(aligned.units, aligned.chains);
const packed = packTable(table);
writeFileSync(file, packed);
console.log(`${table.units.length} units, ${table.keys.length} sequences, ${packed.length} bytes`);
console.log(`sha256 ${createHash("sha256").update(packed).digest("hex")}`);
const judged = judgePronunciations(new LetterModel(unpackTable(packed)), parts.test);
console.log(
  `${judged.words} held-out words: ${judged.right.toFixed(1)} % right with stress, ${judged.rightWithoutStress.toFixed(1)} % without; ` +
    `phone errors ${judged.phoneErrors.toFixed(1)} % and ${judged.phoneErrorsWithoutStress.toFixed(1)} %`,
);

/** A word with the unit of every shape that may begin at each place of letters and phones: -1 where none fits. */
interface Lattice {
  readonly rows: number;
  readonly columns: number;
  readonly ids: Int32Array;
}

/** Cuts all words into units by expectation maximisation: units that explain many words become likely. */
function align(words: readonly Entry[]): { units: Unit[]; chains: number[][] } {
  const names: string[] = [];
  const idOf = new Map<string, number>();
  const lattices = words.map(({ word, phones }): Lattice => {
    const [rows, columns] = [word.length + 1, phones.length + 1];
    const ids = new Int32Array(rows * columns * SHAPES.length).fill(-1);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        for (const [shape, [letters, count]] of SHAPES.entries()) {
          if (i + letters >= rows || j + count >= columns) continue;
          const name = `${word.slice(i, i + letters)}|${phones.slice(j, j + count).join(" ")}`;
          let id = idOf.get(name);
          if (id === undefined) {
            id = names.length;
            names.push(name);
            idOf.set(name, id);
          }
          ids[(i * columns + j) * SHAPES.length + shape] = id;
        }
      }
    }
    return { rows, columns, ids };
  });
  // At first one letter for one phone is preferred, and silent letters are rare.
  let weights = Float64Array.from(names, (name) => {
    const [letters = "", phones = ""] = name.split("|");
    return phones === "" ? 0.02 : letters.length === 1 && !phones.includes(" ") ? 1 : 0.05;
  });
  for (let round = 0; round < ALIGN_ROUNDS; round++) {
    const counts = new Float64Array(names.length);
    for (const lattice of lattices) countUnits(lattice, weights, counts);
    const sum = counts.reduce((all, count) => all + count, 0);
    weights = counts.map((count) => count / sum);
    console.log(`alignment ${round + 1} of ${ALIGN_ROUNDS}`);
  }
  const cuts = lattices.map((lattice) => bestCut(lattice, weights));
  const frequency = new Uint32Array(names.length);
  for (const id of cuts.flat()) frequency[id] = (frequency[id] ?? 0) + 1;
  const used = [...names.keys()].filter((id) => (frequency[id] ?? 0) >= UNIT_COUNT_MIN);
  used.sort((a, b) => ((names[a] ?? "") < (names[b] ?? "") ? -1 : 1));
  const place = new Map(used.map((id, index) => [id, index + 1]));
  const units = used.map((id) => {
    const [letters = "", phones = ""] = (names[id] ?? "").split("|");
    return { letters, phones };
  });
  const chains = cuts.filter((cut) => cut.length > 0 && cut.every((id) => place.has(id)));
  return {
    units: [{ letters: "", phones: "" }, ...units],
    chains: chains.map((cut) => [EDGE_UNIT, ...cut.map((id) => place.get(id) as number), EDGE_UNIT]),
  };
}

/** Adds the expected number of each unit in a word, over all ways to cut it. */
function countUnits({ rows, columns, ids }: Lattice, weights: Float64Array, counts: Float64Array): void {
  const forward = new Float64Array(rows * columns);
  const backward = new Float64Array(rows * columns);
  const last = rows * columns - 1;
  forward[0] = 1;
  backward[last] = 1;
  for (let at = 0; at < last; at++) {
    const here = forward[at] as number;
    if (here === 0) continue;
    for (const [shape, [letters, count]] of SHAPES.entries()) {
      const id = ids[at * SHAPES.length + shape] as number;
      if (id < 0) continue;
      const to = at + letters * columns + count;
      forward[to] = (forward[to] as number) + here * (weights[id] as number);
    }
  }
  const total = forward[last] as number;
  if (total === 0) return;
  for (let at = last - 1; at >= 0; at--) {
    for (const [shape, [letters, count]] of SHAPES.entries()) {
      const id = ids[at * SHAPES.length + shape] as number;
      if (id < 0) continue;
      const ahead = (weights[id] as number) * (backward[at + letters * columns + count] as number);
      backward[at] = (backward[at] as number) + ahead;
      counts[id] = (counts[id] as number) + ((forward[at] as number) * ahead) / total;
    }
  }
}

/** The likeliest cut of a word. Empty if there is none. */
function bestCut({ rows, columns, ids }: Lattice, weights: Float64Array): number[] {
  const last = rows * columns - 1;
  const best = new Float64Array(rows * columns).fill(Number.NEGATIVE_INFINITY);
  const unit = new Int32Array(rows * columns).fill(-1);
  const from = new Int32Array(rows * columns);
  best[0] = 0;
  for (let at = 0; at < last; at++) {
    const here = best[at] as number;
    if (here === Number.NEGATIVE_INFINITY) continue;
    for (const [shape, [letters, count]] of SHAPES.entries()) {
      const id = ids[at * SHAPES.length + shape] as number;
      if (id < 0) continue;
      const to = at + letters * columns + count;
      const score = here + Math.log(weights[id] as number);
      if (score <= (best[to] as number)) continue;
      best[to] = score;
      unit[to] = id;
      from[to] = at;
    }
  }
  const cut: number[] = [];
  for (let at = last; at > 0; at = from[at] as number) {
    if ((unit[at] as number) < 0) return [];
    cut.unshift(unit[at] as number);
  }
  return cut;
}

/** Counts sequences of up to `HISTORY + 1` units and smooths them by interpolation after Witten and Bell. */
function countSequences(units: readonly Unit[], chains: readonly (readonly number[])[]): LetterTable {
  const separator = ",";
  const counts = Array.from({ length: HISTORY + 2 }, () => new Map<string, number>());
  for (const chain of chains) {
    for (let end = 1; end < chain.length; end++) {
      for (let length = 1; length <= Math.min(HISTORY + 1, end + 1); length++) {
        const key = chain.slice(end + 1 - length, end + 1).join(separator);
        counts[length]?.set(key, (counts[length]?.get(key) ?? 0) + 1);
      }
    }
  }
  // What follows a sequence: how often, and how many different units.
  const followers = new Map<string, { total: number; kinds: number }>();
  for (const byKey of counts) {
    for (const [key, count] of byKey) {
      const context = key.slice(0, Math.max(0, key.lastIndexOf(separator)));
      const known = followers.get(context) ?? { total: 0, kinds: 0 };
      followers.set(context, { total: known.total + count, kinds: known.kinds + 1 });
    }
  }
  const probabilities = new Map<string, number>();
  const shorter = (key: string) => (key.includes(separator) ? key.slice(key.indexOf(separator) + 1) : null);
  for (const [length, byKey] of counts.entries()) {
    for (const [key, count] of byKey) {
      const context = key.slice(0, Math.max(0, key.lastIndexOf(separator)));
      const { total, kinds } = followers.get(context) as { total: number; kinds: number };
      const lower = length === 1 ? 1 / units.length : (probabilities.get(shorter(key) as string) ?? 0);
      probabilities.set(key, (count + kinds * lower) / (total + kinds));
    }
  }
  const stored = [...probabilities.keys()].filter((key) => {
    const length = key.split(separator).length;
    return (counts[length]?.get(key) ?? 0) >= (COUNT_MIN[length] ?? 1);
  });
  // What the stored continuations of a context leave for shorter sequences.
  const left = new Map<string, { own: number; lower: number }>();
  for (const key of stored) {
    const context = key.slice(0, Math.max(0, key.lastIndexOf(separator)));
    if (context === "") continue;
    const known = left.get(context) ?? { own: 0, lower: 0 };
    left.set(context, {
      own: known.own + (probabilities.get(key) ?? 0),
      lower: known.lower + (probabilities.get(shorter(key) as string) ?? 0),
    });
  }
  const rows = new Map<number, { cost: number; backOff: number }>();
  const backOffOf = (key: string) => {
    const { own, lower } = left.get(key) ?? { own: 0, lower: 0 };
    return toSteps(-Math.log2(Math.max(1e-4, 1 - own) / Math.max(1e-4, 1 - lower)));
  };
  for (const key of stored) {
    const ids = key.split(separator).map(Number);
    rows.set(hashOf(ids), { cost: toSteps(-Math.log2(probabilities.get(key) ?? 1)), backOff: backOffOf(key) });
  }
  // A context that begins with the edge is never the end of a sequence, so it is not among them.
  for (const context of left.keys()) {
    const hash = hashOf(context.split(separator).map(Number));
    if (!rows.has(hash)) rows.set(hash, { cost: 255, backOff: backOffOf(context) });
  }
  const sorted = [...rows].sort(([a], [b]) => a - b);
  return {
    units,
    keys: Uint32Array.from(sorted, ([key]) => key),
    costs: Uint8Array.from(sorted, ([, { cost }]) => cost),
    backOffs: Uint8Array.from(sorted, ([, { backOff }]) => backOff),
  };
}

function packTable({ units, keys, costs, backOffs }: LetterTable): Buffer {
  const head = `${JSON.stringify({ units: units.map(({ letters, phones }) => [letters, phones]), count: keys.length })}\n`;
  const differences: number[] = [];
  let before = 0;
  for (const key of keys) {
    let rest = key - before;
    before = key;
    while (rest >= 0x80) {
      differences.push((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    differences.push(rest);
  }
  return brotliCompressSync(Buffer.concat([Buffer.from(head), Uint8Array.from(differences), costs, backOffs]));
}
