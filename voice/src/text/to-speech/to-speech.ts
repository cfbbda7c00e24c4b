import { ABBREVIATIONS } from "./abbreviations.ts";
import { ADDRESSES } from "./addresses.ts";
import { DATES, YEARS } from "./dates.ts";
import { EVERYDAY_WRITING } from "./everyday-writing.ts";
import { sayInLanguage, writtenWordsOf } from "./languages/say-in-language.ts";
import { DURATIONS, MEASURES } from "./measures.ts";
import { digitWords } from "./number-words.ts";
import { CODES, MONEY, NUMBERS } from "./numbers.ts";
import { PHONE_NUMBERS } from "./phone-numbers.ts";
import { type SpeechRule, type SpeechStyle, WORD_END } from "./speech-rule.ts";
import { TIMES } from "./times.ts";
import { WEB_ADDRESSES } from "./web-addresses.ts";

/** Signs that stand for a word when they stand alone. */
const SIGNS: readonly SpeechRule[] = [
  { pattern: /&(?=\s|[A-Za-z0-9])/y, say: ({ before }) => `${/\s$/.test(before) ? "" : " "}and ` },
  { pattern: /@(?=\s)/y, say: () => "at" },
  { pattern: /\+(?=\s?\d)/y, say: () => "plus " },
  { pattern: /=(?=\s)/y, say: () => "equals" },
  { pattern: /[–—]/y, say: () => ", " },
];

/**
 * Sounds of agreeing and of thinking. Written as people write them they have no vowel, and engines spell what they cannot
 * read: "Mhm" becomes the three letters. Each is said as the nearest word. "Uh-huh", "uh" and "um" are words already.
 */
const SOUNDS: readonly (readonly [pattern: string, word: string])[] = [
  ["[Mm]+[- ]?[Hh]m+", "um hum"],
  ["[Hh]m+", "hum"],
  // Without a sign after it, "mm" in lower case is a unit.
  ["(?:Mm+|m{3,}|mm(?=[.,!?…]))", "um"],
  ["[Uu]hh+", "uh"],
  ["[Uu]mm+", "um"],
  ["[Aa]hh+", "ah"],
  ["[Oo]hh+", "oh"],
  ["[Ss]hh+", "shush"],
];

const HESITATIONS: readonly SpeechRule[] = SOUNDS.map(([pattern, word]) => ({
  pattern: new RegExp(`${pattern}${WORD_END}`, "y"),
  say: ({ groups }) => (/^[A-Z]/.test(groups[0] ?? "") ? `${word[0]?.toUpperCase()}${word.slice(1)}` : word),
}));

/** The first match is used, so longer or more certain rules come first. */
const RULES: readonly SpeechRule[] = [
  ...WEB_ADDRESSES,
  ...ADDRESSES,
  ...EVERYDAY_WRITING,
  ...DATES,
  ...PHONE_NUMBERS,
  ...TIMES,
  ...DURATIONS,
  ...YEARS,
  ...MONEY,
  ...MEASURES,
  ...HESITATIONS,
  ...ABBREVIATIONS,
  ...NUMBERS,
  ...CODES,
  ...SIGNS,
];

/** Each rule with its pattern for anywhere in a text: most texts have nothing for most rules. */
const SEARCHES = RULES.map((rule) => ({
  rule,
  anywhere: new RegExp(rule.pattern.source, rule.pattern.flags.replace("y", "")),
}));

/** English-speaking countries where the month is written first. */
const MONTH_FIRST = new Set(["en", "en-US", "en-PH"]);

/** How far rules look to either side. What a number means is decided by the words next to it. */
const NEIGHBOURHOOD = 80;

/** The conventions of a language, by its BCP 47 tag. */
export function styleOf(language: string): SpeechStyle {
  return { isDayFirst: !MONTH_FIRST.has(language) };
}

/**
 * A text as it is spoken: numbers, dates, amounts, addresses and abbreviations as words. Ordinary words stay as they
 * are, so applying it twice is harmless. Spanish, French, Italian and Portuguese have fewer rules than English; texts in
 * other languages are returned unchanged.
 */
export function toSpeech(text: string, language = "en-US"): string {
  if (!/^en(?:-|$)/i.test(language)) {
    const words = writtenWordsOf(language);
    return words === null ? text : sayInLanguage(text, words);
  }
  const style = styleOf(language);
  const rules = SEARCHES.filter(({ anywhere }) => anywhere.test(text)).map(({ rule }) => rule);
  let spoken = "";
  let at = 0;
  while (at < text.length) {
    const said = (mayBegin(text, at) ? sayAt(rules, text, at, style) : null) ?? digitsAt(text, at);
    spoken += said?.words ?? text[at];
    at = said?.end ?? at + 1;
  }
  return spoken.replace(/ {2,}/g, " ").replace(/ +([,.;:!?])/g, "$1");
}

/** Not in the middle of a word. A sign may begin anywhere. */
function mayBegin(text: string, at: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text[at] ?? "") || at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
}

/** Digits that match no rule are said one by one rather than left for an engine to guess at. */
function digitsAt(text: string, at: number): { words: string; end: number } | null {
  const [digits = ""] = /^\d*/.exec(text.slice(at)) ?? [];
  if (digits === "") return null;
  const end = at + digits.length;
  const space = (beside: string | undefined) => (/[\p{L}\p{N}]/u.test(beside ?? "") ? " " : "");
  return { words: space(text[at - 1]) + digitWords(digits) + space(text[end]), end };
}

function sayAt(
  rules: readonly SpeechRule[],
  text: string,
  at: number,
  style: SpeechStyle,
): { words: string; end: number } | null {
  for (const { pattern, say } of rules) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) continue;
    const end = at + found[0].length;
    const before = text.slice(Math.max(0, at - NEIGHBOURHOOD), at);
    const after = text.slice(end, end + NEIGHBOURHOOD);
    const words = say({ groups: found, before, after }, style);
    if (words !== null) return { words: style.isDayFirst ? withAnd(words) : words, end };
  }
  return null;
}

/** Outside America people say "one hundred and five". */
function withAnd(words: string): string {
  return words.replace(
    /\bhundred (?=(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty(?:-\w+)?)\b)/g,
    "hundred and ",
  );
}
