import { invalidField } from "@parley/contract/errors";

// Letters that are an accented form of others, and that Unicode does not take apart.
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
/** Accents over Latin, Greek and Cyrillic letters. In other scripts such marks are vowels, and stay. */
const ACCENTS = /[\u0300-\u036f]/gu;
/** Scripts without spaces between words: each letter counts as one word, and a word is a row of them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const NOT_IN_WORDS = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * A text as search sees it: small letters without accents and digits, with one space between words. The same is done
 * to what is looked for, so that "Zoë", "ZOE" and "zoe" are one name, and "555-0100" is two numbers in a row.
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

/** Words that must stand in this order, side by side. One word is the usual case. */
export interface SearchTerm {
  readonly words: string;
  readonly isExcluded: boolean;
}

// A minus counts only before a word, and a quotation mark that is never closed reaches to the end.
const TERM = /(?<minus>(?<![^\s])-)?(?:["“”„](?<phrase>[^"“”„]*)["“”„]?|(?<word>[^\s"“”„]+))/gu;

/** Reads what somebody wrote into a search box: words that all occur, "phrases in quotes", and -words that do not. */
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
