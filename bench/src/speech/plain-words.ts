import { cardinalWords } from "@parley/voice/text/to-speech/number-words";

/** Short forms of two words, which count as the same words written out. */
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bcan't\b/g, "can not"],
  [/\bcannot\b/g, "can not"],
  [/\bwon't\b/g, "will not"],
  [/n't\b/g, " not"],
  [/\b(it|that|there|what|here)'s\b/g, "$1 is"],
  [/'re\b/g, " are"],
  [/'m\b/g, " am"],
  [/'ll\b/g, " will"],
  [/'ve\b/g, " have"],
  [/\bi'd\b/g, "i would"],
  [/\byou'd\b/g, "you would"],
];

/** The words of a text as they are compared: lower case, no punctuation, numbers and the keys of a telephone in words. */
export function plainWords(text: string): readonly string[] {
  const spelled = text
    .toLowerCase()
    .replace(/\u2019/g, "'")
    .replace(/#/g, " pound ")
    .replace(/\*/g, " star ")
    .replace(/\d+/g, (digits) => ` ${cardinalWords(Number(digits))} `);
  return CONTRACTIONS.reduce((rest, [short, long]) => rest.replace(short, long), spelled)
    .replace(/[^a-z' ]+/g, " ")
    .split(/\s+/)
    .filter((word) => /[a-z]/.test(word));
}

/** Joins words that the other text writes together: "log in" sounds like "login". */
export function joinedAsIn(words: readonly string[], other: readonly string[]): readonly string[] {
  const together = new Set(other.filter((word) => !words.includes(word)));
  const joined: string[] = [];
  for (const word of words) {
    const both = `${joined.at(-1) ?? ""}${word}`;
    if (joined.length > 0 && together.has(both)) joined[joined.length - 1] = both;
    else joined.push(word);
  }
  return joined;
}
