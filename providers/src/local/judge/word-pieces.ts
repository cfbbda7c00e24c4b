/** The numbers of the first entries of the vocabulary. */
export const SPECIAL_PIECES = { unknown: 1, start: 2, end: 3 } as const;

const WORD_LENGTH_MAX = 40;
const CONTINUATION = "##";
const PLAIN_MARKS: ReadonlyMap<string, string> = new Map([
  ["\u2018", "'"],
  ["\u2019", "'"],
  ["\u201c", '"'],
  ["\u201d", '"'],
  ["\u2010", "-"],
  ["\u2011", "-"],
  ["\u2012", "-"],
  ["\u2013", "-"],
  ["\u2014", "-"],
  ["\u2026", "."],
]);

/**
 * Cuts text into the word pieces that the judge was trained on: of each word the longest piece that the vocabulary has,
 * then the longest of the rest. tools/train-judge/pieces.py does the same.
 */
export class WordPieces {
  readonly #numbers: ReadonlyMap<string, number>;

  /** One piece per line; its line is its number. */
  constructor(vocabulary: string) {
    const entries = vocabulary.split("\n").map((piece, number) => [piece, number] as const);
    this.#numbers = new Map(entries.filter(([piece]) => piece !== ""));
  }

  encode(text: string): readonly number[] {
    return wordsOf(text).flatMap((word) => this.#encodeWord(word));
  }

  #encodeWord(word: string): readonly number[] {
    const symbols = Array.from(word);
    if (symbols.length > WORD_LENGTH_MAX) return [SPECIAL_PIECES.unknown];
    const found: number[] = [];
    for (let start = 0; start < symbols.length; ) {
      const piece = this.#longestPiece(symbols, start);
      if (piece === null) return [SPECIAL_PIECES.unknown];
      found.push(piece.number);
      start = piece.end;
    }
    return found;
  }

  #longestPiece(symbols: readonly string[], start: number): { readonly number: number; readonly end: number } | null {
    for (let end = symbols.length; end > start; end--) {
      const number = this.#numbers.get((start > 0 ? CONTINUATION : "") + symbols.slice(start, end).join(""));
      if (number !== undefined) return { number, end };
    }
    return null;
  }
}

/** In lower case and without accents. Every punctuation mark is a word of its own. */
function wordsOf(text: string): readonly string[] {
  const plain = Array.from(text, (symbol) => PLAIN_MARKS.get(symbol) ?? symbol).join("");
  const bare = plain
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{Nonspacing_Mark}/gu, "");
  return bare.match(/[\p{Letter}\p{Number}]+|[^\p{Letter}\p{Number}\s]/gu) ?? [];
}
