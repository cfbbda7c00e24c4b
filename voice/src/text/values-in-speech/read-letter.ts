import { certain, type Reading } from "./found.ts";
import { isPlainZero, unitOf } from "./small-numbers.ts";
import { saysAt, type Word } from "./words.ts";

/** One or more letters of a spelled word. */
export interface SpelledPart {
  readonly letters: string;
  /**
   * A certain letter can mean little else. A possible letter is a word too, such as "see", "you" and "a", and counts
   * only among others. Digits and dashes stand between letters and say nothing about them.
   */
  readonly kind: "sure" | "maybe" | "between";
}

/** The alphabet of the International Civil Aviation Organization, which NATO uses, with its usual misspellings. */
const ALPHABET: readonly string[] =
  "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu".split(
    " ",
  );
const ALPHABET_WORDS: ReadonlyMap<string, string> = new Map([
  ...ALPHABET.map((word) => [word, word.slice(0, 1)] as const),
  ["alpha", "a"],
  ["juliet", "j"],
  ["whisky", "w"],
]);

/** How the names of letters are written when they are mistaken for words. */
const LETTER_NAMES: Readonly<Record<string, string>> = {
  bee: "b",
  cee: "c",
  dee: "d",
  ef: "f",
  eff: "f",
  gee: "g",
  aitch: "h",
  haitch: "h",
  jay: "j",
  kay: "k",
  ell: "l",
  em: "m",
  en: "n",
  pee: "p",
  ess: "s",
  tee: "t",
  vee: "v",
  ex: "x",
  wye: "y",
  zee: "z",
  zed: "z",
};
const LIKELY_WORDS: Readonly<Record<string, string>> = {
  be: "b",
  see: "c",
  sea: "c",
  eye: "i",
  oh: "o",
  pea: "p",
  queue: "q",
  cue: "q",
  are: "r",
  tea: "t",
  you: "u",
  why: "y",
};

const SIGNS: Readonly<Record<string, string>> = { dash: "-", hyphen: "-", apostrophe: "'" };
const EXPLAINED_BY: readonly (readonly string[])[] = [["as", "in"], ["is", "for"], ["for"], ["like"]];
const SIZES = new Set(["capital", "uppercase", "lowercase", "small", "letter"]);

/** "b", "b as in bravo", "bravo", "bee", "double t", "capital b", a digit or a dash. */
export function readLetter(words: readonly Word[], at: number): Reading<SpelledPart> | null {
  const word = words[at];
  if (word === undefined) return null;
  if (SIZES.has(word.text)) return readLetter(words, at + 1);
  if (word.text === "double") return readDouble(words, at);
  if (saysAt(words, at, ["x", "ray"])) return plain("x", at + 2, "sure");
  const letter = singleLetter(word);
  if (letter !== null)
    return readExplained(words, at, letter) ?? plain(letter, at + 1, /^[ai]$/.test(letter) ? "maybe" : "sure");
  const spelled = ALPHABET_WORDS.get(word.text) ?? LETTER_NAMES[word.text];
  if (spelled !== undefined) return readExplained(words, at, spelled) ?? plain(spelled, at + 1, "sure");
  const likely = LIKELY_WORDS[word.text];
  if (likely !== undefined) return readExplained(words, at, likely) ?? plain(likely, at + 1, "maybe");
  return readOther(words, at);
}

function plain(letters: string, next: number, kind: SpelledPart["kind"]): Reading<SpelledPart> {
  return certain({ letters, kind }, next);
}

function singleLetter({ text }: Word): string | null {
  return /^[a-z]$/.test(text) ? text : null;
}

/**
 * "b as in bravo". Where letter and word do not agree, the word was heard better: letters sound alike and words do not.
 */
function readExplained(words: readonly Word[], at: number, letter: string): Reading<SpelledPart> | null {
  const phrase = EXPLAINED_BY.find((each) => saysAt(words, at + 1, each));
  const example = phrase === undefined ? undefined : words[at + 1 + phrase.length];
  if (phrase === undefined || example === undefined || !/^[a-z]{2,}/.test(example.text)) return null;
  const first = example.text.slice(0, 1);
  const value = { letters: first, kind: "sure" } as const;
  return { value, others: first === letter ? [] : [{ letters: letter, kind: "sure" }], next: at + 2 + phrase.length };
}

/** "double t" is two of them, and "double u" a letter of its own. */
function readDouble(words: readonly Word[], at: number): Reading<SpelledPart> | null {
  const doubled = readLetter(words, at + 1);
  if (doubled === null || doubled.value.letters.length !== 1) return null;
  const { letters } = doubled.value;
  if (letters !== "u") return plain(letters.repeat(2), doubled.next, "sure");
  return { value: { letters: "w", kind: "sure" }, others: [{ letters: "uu", kind: "sure" }], next: doubled.next };
}

function readOther(words: readonly Word[], at: number): Reading<SpelledPart> | null {
  const word = words[at];
  const sign = SIGNS[word?.text ?? ""];
  if (sign !== undefined) return plain(sign, at + 1, "between");
  const digits = isPlainZero(word) ? "0" : (unitOf(word)?.toString() ?? /^\d+$/.exec(word?.text ?? "")?.[0]);
  return digits === undefined ? null : plain(digits, at + 1, "between");
}
