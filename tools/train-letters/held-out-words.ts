import { createHash } from "node:crypto";
import { dictionary } from "cmu-pronouncing-dictionary";

/** A word of the dictionary with one of its pronunciations. */
export interface Entry {
  readonly word: string;
  readonly phones: readonly string[];
}

export function readEntries(): Entry[] {
  return Object.entries(dictionary).flatMap(([key, said]) => {
    const word = key.replace(/\(\d+\)$/, "");
    const phones = said.replace(/ #.*$/, "").split(" ");
    return /^[a-z]{2,24}$/.test(word) ? [{ word, phones }] : [];
  });
}

/** Words that begin with the same five letters are in the same part, so that no inflection of a held-out word is trained on. */
export function isHeldOut(word: string): boolean {
  const digest = createHash("sha256").update(word.slice(0, 5)).digest("hex");
  return Number.parseInt(digest.slice(0, 8), 16) % 100 < 3;
}
