import { invalidField } from "@parley/contract/errors";

// Variants of Latin letters that Unicode does not decompose.
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
};
const PLAIN = new RegExp(`[${Object.keys(PLAIN_LETTERS).join("")}]`, "gu");
/** Accents on Latin, Greek and Cyrillic letters. In other scripts such marks are vowels and are kept. */
const ACCENTS = /[\u0300-\u036f]/gu;
/** Scripts without spaces between words: each character counts as one word, and a word is a sequence of them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const NOT_IN_WORDS = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * Normalizes text for search: lower case without accents, and digits, with one space between words. Queries are
 * normalized alike, so that "Zoë", "ZOE" and "zoe" are one name, and "555-0100" is two numbers in a row.
 */
export function foldWords(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(ACCENTS, "")
    .normalize("NFC")
    .replaceAll(PLAIN, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replaceAll(UNSPACED, " $& ")
    .replaceAll(NOT_IN_WORDS, " ")
    .trim();
}

/** Words that must follow each other in this order. Usually a single word. */
export interface SearchTerm {
  readonly words: string;
  readonly isExcluded: boolean;
}

// A minus counts only at the start of a word, and an unclosed quotation mark extends to the end.
const TERM = /(?<minus>(?<![^\s])-)?(?:["“”„](?<phrase>[^"“”„]*)["“”„]?|(?<word>[^\s"“”„]+))/gu;

/** Parses a search query: words that must all occur, "phrases in quotes", and -words that must not. */
export function readSearch(text: string): SearchTerm[] {
  const terms = [...text.matchAll(TERM)]
    .map(({ groups }) => ({
      words: foldWords(groups?.["phrase"] ?? groups?.["word"] ?? ""),
      isExcluded: groups?.["minus"] !== undefined,
    }))
    .filter(({ words }) => words !== "");
  if (terms.every(({ isExcluded }) => isExcluded))
    throw invalidField("q", "no_words", "q must contain a word or a number to look for.");
  return terms;
}
