/** How letters are read: the pattern is tried where the previous rule ended, and may look at what stands around it. */
export type LetterRule = readonly [letters: RegExp, symbols: string];

/** The letters stand for themselves. */
export const SAME = "=";

/** Makes rules of patterns without flags. The first that matches is used, so the longer ones come first. */
export function letterRules(rules: readonly (readonly [letters: string, symbols: string])[]): readonly LetterRule[] {
  return rules.map(([letters, symbols]) => [new RegExp(letters, "yu"), symbols]);
}

/** The symbols of a word in lower case. Letters that no rule reads are silent. */
export function readLetters(word: string, rules: readonly LetterRule[]): string {
  let symbols = "";
  for (let at = 0; at < word.length; ) {
    const found = matchAt(word, at, rules);
    symbols += found?.symbols ?? "";
    at += Math.max(1, found?.length ?? 0);
  }
  return symbols;
}

function matchAt(word: string, at: number, rules: readonly LetterRule[]) {
  for (const [letters, symbols] of rules) {
    letters.lastIndex = at;
    const found = letters.exec(word);
    if (found !== null && found[0] !== "")
      return { symbols: symbols === SAME ? found[0] : symbols, length: found[0].length };
  }
  return null;
}

/** What a language adds to the letters: which words are weak, how letters are called, and how words are joined. */
export interface PronunciationRules {
  /** A word in lower case, with a stress before the vowel that has it. */
  pronounce(word: string): string;
  /** Words without stress, except at the end of a phrase. */
  readonly weakWords: ReadonlySet<string>;
  /** The names of the letters, as they are written. Others are read as words. */
  readonly letterNames: Readonly<Record<string, string>>;
  /** Sound changes between the words of a phrase. Returns as many words. */
  join(words: readonly JoinedWord[]): readonly string[];
}

export interface JoinedWord {
  /** In lower case; null for a word with a given pronunciation. */
  readonly written: string | null;
  readonly symbols: string;
}

/** Symbols with a stress before the vowel of that number; negative numbers count from the last. */
export function withStress(symbols: string, vowels: RegExp, number: number): string {
  const places = Array.from(symbols.matchAll(vowels), ({ index }) => index);
  const at = places.at(number < 0 ? Math.max(number, -places.length) : Math.min(number, places.length - 1));
  return at === undefined ? symbols : `${symbols.slice(0, at)}ˈ${symbols.slice(at)}`;
}

/** A light stress on the first vowel, if at least one vowel stands between it and the main stress. */
export function withSecondStress(symbols: string, vowels: RegExp): string {
  const main = symbols.indexOf("ˈ");
  const before = Array.from(symbols.slice(0, Math.max(0, main)).matchAll(vowels), ({ index }) => index);
  const [first] = before;
  return first === undefined || before.length < 2 ? symbols : `${symbols.slice(0, first)}ˌ${symbols.slice(first)}`;
}

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** Words and their symbols, as "word symbols" separated by commas. */
export function wordMap(list: string): ReadonlyMap<string, string> {
  return new Map(
    list
      .split(",")
      .map((entry) => entry.trim().split(/\s+/))
      .map(([word = "", symbols = ""]) => [word, symbols]),
  );
}
