import type { ValueType } from "./value.ts";

/** A name that expressions may use, as the author of the flow declared it. */
export interface DeclaredName {
  /** Dotted, such as `collected.day`. */
  readonly path: string;
  readonly type: ValueType;
  /** For an editor's list. */
  readonly meaning: string;
  /** The texts it is known to have; null when nothing is known. */
  readonly values: KnownTexts | null;
}

export interface KnownTexts {
  readonly texts: readonly string[];
  /** Whether it can have no other value (besides null). */
  readonly isAll: boolean;
}

/** The closest of some words, if it is close enough to have been meant. */
export function nearest(word: string, known: Iterable<string>): string | null {
  const limit = word.length <= 4 ? 1 : 2;
  let best: { readonly text: string; readonly distance: number } | null = null;
  for (const text of known) {
    if (Math.abs(text.length - word.length) > limit) continue;
    const distance = distanceBetween(word.toLowerCase(), text.toLowerCase());
    if (distance <= limit && (best === null || distance < best.distance)) best = { text, distance };
  }
  return best?.text ?? null;
}

/** The edit distance of two words. */
function distanceBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
