import { cardinalWords, decimalWords, digitWords } from "./number-words.ts";
import type { SpeechRule } from "./speech-rule.ts";
import { spelledOut } from "./web-addresses.ts";

/** Letters and digits that belong together: "A12-45" is said "A, one two, four five". */
export const CODES: readonly SpeechRule[] = [
  {
    pattern: /[vV](\d{1,3}(?:\.\d{1,4})*)(?![A-Za-z0-9])/y,
    say: ({ groups }) => `version ${(groups[1] ?? "").split(".").map(partOfVersion).join(" point ")}`,
  },
  {
    pattern: /([A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*)(?![A-Za-z0-9'’])/y,
    say: ({ groups }) => {
      const [, code = ""] = groups;
      return /[A-Za-z]/.test(code) && /\d/.test(code) ? codeWords(code) : null;
    },
  },
];

/**
 * Says a code letter by letter and digit by digit, with a pause where it changes. Where a part of it is a word, the whole
 * is read: "24-hour" is "twenty-four hour".
 */
function codeWords(code: string): string {
  const parts = code.split(/[-/]/).flatMap((part) => part.match(/[A-Za-z]+|\d+/g) ?? []);
  const hasWord = parts.some(isWord);
  const words = parts.map((part) => {
    if (/^\d/.test(part))
      return hasWord && part.length < 4 && !part.startsWith("0") ? decimalWords(part) : digitWords(part);
    return isWord(part) ? part : spelledOut(part);
  });
  return words.join(hasWord || isShort(code) ? " " : ", ");
}

/** "5G" and "B2B" need no pause. After an "A" there is always one, or it would sound like the article. */
function isShort(code: string): boolean {
  return code.length <= 3 && !/A\d/i.test(code);
}

/** Four letters that can be read, or three in small ones: "COVID" and "day", and not "ABA" or "XKCD". */
function isWord(part: string): boolean {
  return /[aeiouy]/i.test(part) && (/^[A-Za-z]{4,}$/.test(part) || /^[a-z]{3}$/.test(part));
}

function partOfVersion(digits: string): string {
  return digits.startsWith("0") ? digitWords(digits) : cardinalWords(Number(digits));
}
