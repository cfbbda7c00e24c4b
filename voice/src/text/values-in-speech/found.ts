import type { Word } from "./words.ts";

/** A value that was found in a text. */
export interface Found<Value> {
  readonly value: Value;
  /** Its words: the index of the first character, and the index after the last one. */
  readonly start: number;
  readonly end: number;
  /** What the same words may also mean, likeliest first. Empty when there is no doubt. */
  readonly others: readonly Value[];
}

/** A value that begins at one word of a text. */
export interface Reading<Value> {
  readonly value: Value;
  /** The index of the first word that does not belong to it. */
  readonly next: number;
  readonly others: readonly Value[];
}

type Reader<Value> = (words: readonly Word[], at: number) => Reading<Value> | null;

export function certain<Value>(value: Value, next: number): Reading<Value> {
  return { value, next, others: [] };
}

/** Converts a reading to its range in the text. */
export function foundAt<Value>(words: readonly Word[], at: number, reading: Reading<Value>): Found<Value> {
  const { value, next, others } = reading;
  return { value, others, start: words[at]?.start ?? 0, end: words[next - 1]?.end ?? 0 };
}

/** The first position of a text at which a reader finds something. */
export function findFirst<Value>(words: readonly Word[], read: Reader<Value>): Found<Value> | null {
  for (let at = 0; at < words.length; at++) {
    const reading = read(words, at);
    if (reading !== null) return foundAt(words, at, reading);
  }
  return null;
}
