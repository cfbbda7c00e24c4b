import { type Found, foundAt, type Reading } from "./found.ts";
import { readDigits } from "./read-digits.ts";
import { readLetter } from "./read-letter.ts";
import { type Word, wordsOf } from "./words.ts";

const SIGNS: Readonly<Record<string, string>> = {
  dot: ".",
  ".": ".",
  underscore: "_",
  _: "_",
  dash: "-",
  hyphen: "-",
  minus: "-",
  "-": "-",
  plus: "+",
  "+": "+",
};

/** Where the address begins: these belong to the surrounding sentence. */
const BEFORE_ADDRESS = new Set(
  "is it's its it that's that would be email mail address my the um uh er so okay ok yes yeah sure and to me use send write reach at for as please well sorry no".split(
    " ",
  ),
);

/** Names that recognition splits. */
const REJOINED: Readonly<Record<string, string>> = {
  "g mail": "gmail",
  "hot mail": "hotmail",
  "out look": "outlook",
  "i cloud": "icloud",
};

const WRITTEN = /[a-z0-9][a-z0-9._+-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}/i;
const VALID = /^[a-z0-9](?:[a-z0-9._+-]*[a-z0-9_])?@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}$/;
const LABELS_MAX = 4;
const WORDS_MAX = 24;
const LABEL_WORDS_MAX = 3;

/**
 * An e-mail address as it is dictated: "john dot smith at example dot com", with spelled letters and digits. Names said
 * without anything between them are joined; joined with a dot they are the alternative.
 */
export function findEmail(text: string): Found<string> | null {
  const written = WRITTEN.exec(text);
  if (written !== null) {
    const value = written[0].toLowerCase();
    return { value, others: [], start: written.index, end: written.index + value.length };
  }
  const words = wordsOf(text, "._-");
  for (const [at, { text: word }] of words.entries()) {
    if (word !== "at" && word !== "@") continue;
    const domain = readDomain(words, at + 1);
    const local = domain === null ? null : readLocalBefore(words, at);
    if (domain === null || local === null) continue;
    const addresses = local.names.map((name) => `${name}@${domain.value}`).filter((address) => VALID.test(address));
    const [value, ...others] = addresses;
    if (value !== undefined) return foundAt(words, local.at, { value, others, next: domain.next });
  }
  return null;
}

/** "example dot com", "mail dot example dot co dot uk", "gmail.com". */
function readDomain(words: readonly Word[], at: number): Reading<string> | null {
  const labels: string[] = [];
  let next = at;
  while (labels.length < LABELS_MAX) {
    const label = readLabel(words, next);
    if (label === null) return null;
    labels.push(label.value);
    next = label.next;
    if (SIGNS[words[next]?.text ?? ""] !== ".") break;
    next += 1;
  }
  return labels.length < 2 ? null : { value: labels.join("."), others: [], next };
}

/** What stands between two dots. After the last dot only one word belongs to it, unless it is spelled. */
function readLabel(words: readonly Word[], at: number): Reading<string> | null {
  const ahead = words.slice(at, at + WORDS_MAX);
  const dot = ahead.findIndex(({ text }) => SIGNS[text] === ".");
  const label = ahead.slice(0, Math.max(0, dot));
  if (dot > 0 && isLabel(label)) {
    return { value: rejoined(label) ?? partsOf(label).join(""), others: [], next: at + dot };
  }
  const spelled = spelledEnd(words, at);
  if (spelled !== null) return spelled;
  const [last] = ahead;
  return last === undefined || !/^[a-z0-9]{2,}$/.test(last.text)
    ? null
    : { value: last.text, others: [], next: at + 1 };
}

/** A few words, or any number of letters, and nothing that belongs to another sentence. */
function isLabel(words: readonly Word[]): boolean {
  const isForeign = words.some(
    ({ text, gap }, index) => text === "or" || text === "at" || (index > 0 && gap === "stop"),
  );
  return !isForeign && words.filter(({ text }) => text.length > 1).length <= LABEL_WORDS_MAX;
}

function spelledEnd(words: readonly Word[], at: number): Reading<string> | null {
  let letters = "";
  let next = at;
  for (let word = words[next]; word !== undefined && /^[a-z]$/.test(word.text); word = words[next]) {
    letters += word.text;
    next += 1;
  }
  return letters.length < 2 ? null : { value: letters, others: [], next };
}

function readLocalBefore(words: readonly Word[], at: number): { names: string[]; at: number } | null {
  let start = at;
  while (start > 0 && at - start < WORDS_MAX && belongs(words, start - 1)) start -= 1;
  if (start === at) return null;
  const parts = partsOf(words.slice(start, at));
  const together = parts.join("");
  const dotted = parts
    .join(" ")
    .replace(/(?<=[a-z]{2}) (?=[a-z]{2})/g, ".")
    .replaceAll(" ", "");
  return { names: [...new Set([together, dotted])], at: start };
}

/** A full stop ends a sentence, but not after a single letter. */
function belongs(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (word === undefined || (BEFORE_ADDRESS.has(word.text) && !isExplaining(words, at))) return false;
  return words[at + 1]?.gap !== "stop" || word.text.length === 1;
}

/** The small words of "b as in bravo" and "b for bravo" are part of the spelling. */
function isExplaining(words: readonly Word[], at: number): boolean {
  const previous = words[at - 1]?.text ?? "";
  const isAfterLetter = /^[a-z]$/.test(previous) && previous !== "a" && previous !== "i";
  return isAfterLetter && (words[at]?.text === "for" || (words[at]?.text === "as" && words[at + 1]?.text === "in"));
}

/** Letters, digits, words and signs, each as it is written. */
function partsOf(all: readonly Word[]): string[] {
  const words = withoutSpellingDashes(all);
  const parts: string[] = [];
  for (let at = 0; at < words.length; ) {
    const text = words[at]?.text ?? "";
    const sign = SIGNS[text];
    const digits = sign === undefined && text !== "o" && text !== "oh" ? readDigits(words, at) : null;
    const letter = sign === undefined && digits === null ? readLetter(words, at) : null;
    const isLetter = letter !== null && (letter.next > at + 1 || text.length === 1 || letter.value.kind === "sure");
    parts.push(sign ?? digits?.value ?? (isLetter ? letter.value.letters : text.replace(/[^a-z0-9]/g, "")));
    at = digits?.next ?? (isLetter ? letter.next : at + 1);
  }
  return parts;
}

/** Recognition writes what is spelled as "J-O-H-N". */
function withoutSpellingDashes(words: readonly Word[]): Word[] {
  const isSingle = (word: Word | undefined) => word?.text.length === 1 && /[a-z0-9]/.test(word.text);
  return words.filter(({ text }, at) => text !== "-" || !isSingle(words[at - 1]) || !isSingle(words[at + 1]));
}

function rejoined(words: readonly Word[]): string | undefined {
  return REJOINED[words.map(({ text }) => text).join(" ")];
}
