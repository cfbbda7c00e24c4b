/** An entry of the vocabulary: a piece of a word, and the logarithm of its probability. A few have none. */
export type VocabularyEntry = readonly [piece: string, score: number | null];

const UNKNOWN = 0;
/** The first entries are special tokens. */
const RESERVED = 6;
/** Worse than any piece of the vocabulary, so that a character is unknown only where nothing else fits. */
const UNKNOWN_SCORE = -20;
const WORD_START = "\u2581";

/**
 * Cuts text into the word pieces that the judge was trained on: the most probable way to write each word with the pieces of the
 * vocabulary. tools/train-judge/pieces.py does the same.
 */
export class WordPieces {
  readonly #pieces = new Map<string, { readonly score: number; readonly index: number }>();
  readonly #longest: number;

  constructor(vocabulary: readonly VocabularyEntry[]) {
    let longest = 1;
    for (const [index, [piece, score]] of vocabulary.entries()) {
      if (index < RESERVED || score === null) continue;
      this.#pieces.set(piece, { score, index });
      longest = Math.max(longest, Array.from(piece).length);
    }
    this.#longest = longest;
  }

  encode(text: string): readonly number[] {
    return normalized(text).flatMap((word) => this.#bestPath(Array.from(WORD_START + word)));
  }

  #bestPath(symbols: readonly string[]): number[] {
    const best = [0, ...symbols.map(() => Number.NEGATIVE_INFINITY)];
    const from: { readonly start: number; readonly index: number }[] = [];
    for (let start = 0; start < symbols.length; start++) {
      let piece = "";
      for (let end = start + 1; end <= Math.min(symbols.length, start + this.#longest); end++) {
        piece += symbols[end - 1];
        const found = this.#pieces.get(piece);
        if (found === undefined && end > start + 1) continue;
        const score = (best[start] ?? 0) + (found?.score ?? UNKNOWN_SCORE);
        if (score <= (best[end] ?? Number.NEGATIVE_INFINITY)) continue;
        best[end] = score;
        from[end] = { start, index: found?.index ?? UNKNOWN };
      }
    }
    const path: number[] = [];
    for (let at = symbols.length; at > 0; ) {
      const step = from[at] ?? { start: at - 1, index: UNKNOWN };
      path.push(step.index);
      at = step.start;
    }
    return path.reverse();
  }
}

function normalized(text: string): readonly string[] {
  const words = text.normalize("NFKC").replaceAll("\u2019", "'").toLowerCase().split(/\s+/);
  return words.filter((word) => word !== "");
}
