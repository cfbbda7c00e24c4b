import { digitWords } from "./number-words.ts";
import type { SpeechRule } from "./speech-rule.ts";

const EXTENSION = "(?:,?\\s*(?:x|ext\\.?|extension)\\s*(\\d{1,6}))?(?![\\d-])";

/** Country codes of one and of two digits (ITU-T E.164 list of assigned codes). All others have three. */
const SHORT_CODES = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** "four one five, five five five, zero one zero zero": in groups, as people say and write them down. */
export const PHONE_NUMBERS: readonly SpeechRule[] = [
  {
    pattern: new RegExp(`(\\+\\d[\\d ().-]{5,22}\\d)${EXTENSION}`, "iy"),
    say: ({ groups }) => phoneWords(groups[1] ?? "", groups[2]),
  },
  {
    pattern: new RegExp(`((?:1[ .-])?(?:\\(\\d{3}\\) ?|\\d{3}[ .-])\\d{3}[ .-]\\d{4})${EXTENSION}`, "iy"),
    say: ({ groups }) => phoneWords(groups[1] ?? "", groups[2]),
  },
  {
    pattern: new RegExp(`(\\(?0\\d{2,4}\\)?[ -]\\d{3,4}[ -]\\d{3,4}|\\d{3}-\\d{4})${EXTENSION}`, "iy"),
    say: ({ groups }) => phoneWords(groups[1] ?? "", groups[2]),
  },
];

/** Says a number as it is written, with or without a plus, brackets, spaces and dashes. */
export function phoneWords(written: string, extension?: string): string | null {
  const digits = written.replace(/\D/g, "");
  if (digits.length < 7 || digits.length > 15) return null;
  const grouped = written.replace(/^\+/, "").match(/\d+/g) ?? [];
  // A group of five or more is too long to follow by ear.
  const groups = grouped.some(({ length }) => length > 4) ? groupsOf(digits, written.startsWith("+")) : grouped;
  const spoken = groups.map(digitWords).join(", ");
  const start = written.startsWith("+") ? `plus ${spoken}` : spoken;
  return extension === undefined ? start : `${start}, extension ${digitWords(extension)}`;
}

function groupsOf(digits: string, isInternational: boolean): string[] {
  if (!isInternational) return inThrees(digits);
  const code = SHORT_CODES.exec(digits)?.[0] ?? digits.slice(0, 3);
  return [code, ...inThrees(digits.slice(code.length))];
}

/** Threes, and a last group of two to four: "415 555 0100", "30 123 45 67" would be "301 234 567". */
function inThrees(digits: string): string[] {
  const groups: string[] = [];
  let rest = digits;
  while (rest.length > 4) {
    groups.push(rest.slice(0, 3));
    rest = rest.slice(3);
  }
  return rest === "" ? groups : [...groups, rest];
}
