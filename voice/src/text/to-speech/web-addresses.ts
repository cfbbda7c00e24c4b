import { digitWords } from "./number-words.ts";
import { type SpeechRule, WORD_END } from "./speech-rule.ts";

const SIGN_NAMES: Readonly<Record<string, string>> = {
  ".": "dot",
  "@": "at",
  _: "underscore",
  "-": "dash",
  "+": "plus",
  "/": "slash",
  ":": "colon",
  "?": "question mark",
  "=": "equals",
  "&": "and",
  "%": "percent",
  "#": "hash",
  "~": "tilde",
};

/** Endings that are said as a word. All others of up to three letters are spelled. */
const SPOKEN_ENDINGS = new Set([
  "com",
  "net",
  "org",
  "gov",
  "biz",
  "pro",
  "app",
  "dev",
  "shop",
  "info",
  "online",
  "co",
]);
const KNOWN_ENDINGS = [
  ...SPOKEN_ENDINGS,
  "edu",
  "io",
  "co",
  "uk",
  "us",
  "ca",
  "au",
  "de",
  "fr",
  "eu",
  "ai",
  "me",
  "tv",
];

const HOST = "(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.){1,8}";
/** A sentence's own punctuation may follow an address, and is not part of it. */
const PATH = "(?:[/?#][^\\s]*[^\\s.,;:!?)\\]'\"]|/)?";

/** "john dot smith at example dot com". */
export const WEB_ADDRESSES: readonly SpeechRule[] = [
  {
    pattern: new RegExp(`([A-Za-z0-9._%+-]{1,64}@${HOST}[A-Za-z]{2,24})${WORD_END}`, "y"),
    say: ({ groups }) => addressWords(groups[1] ?? ""),
  },
  {
    pattern: new RegExp(`https?://((?:${HOST})?[A-Za-z0-9-]+(?::\\d+)?${PATH})`, "iy"),
    say: ({ groups }) => addressWords(groups[1] ?? ""),
  },
  {
    pattern: new RegExp(`(${HOST}(?:${KNOWN_ENDINGS.join("|")})${WORD_END}${PATH})`, "iy"),
    say: ({ groups }) => addressWords(groups[1] ?? ""),
  },
];

/** Says a part of an address sign by sign, and its words as words where they can be read. */
export function addressWords(address: string): string {
  const parts = address.replace(/\/$/, "").match(/[A-Za-z]+|\d+|[^A-Za-z0-9\s]/g) ?? [];
  return parts.map((part, index) => partWords(part, parts[index - 1] === ".")).join(" ");
}

function partWords(part: string, isAfterDot: boolean): string {
  if (/^\d/.test(part)) return digitWords(part);
  if (!/^[A-Za-z]/.test(part)) return SIGN_NAMES[part] ?? part;
  if (isAfterDot && part.length <= 3) return SPOKEN_ENDINGS.has(part.toLowerCase()) ? part : spelledOut(part);
  return isReadable(part) ? part : spelledOut(part);
}

/** Two letters in a row, or a word without a vowel, are said letter by letter. */
function isReadable(letters: string): boolean {
  return letters.length > 2 && /[aeiouy]/i.test(letters);
}

export function spelledOut(letters: string): string {
  return Array.from(letters.toUpperCase()).join(" ");
}
