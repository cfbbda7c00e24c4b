import { cardinalWords, yearWords } from "./number-words.ts";
import { type SpeechRule, WORD_END } from "./speech-rule.ts";

const YEAR = "(1[1-9]\\d{2}|20\\d{2})";
const END = `${WORD_END}(?![.,:]\\d)`;
/** After these a number of this century or the last is a year. */
const YEAR_FOLLOWS = /\b(?:in|since|until|till|by|during|year|before|after|from|early|late|mid|circa) $/i;
const OTHER_YEAR_BEFORE = /\b(?:19|20)\d{2} (?:to|and|or|until|through) $/;
/** Rooms, gates and the like are said in pairs too: "two oh four". */
const PLACE_FOLLOWS = /\b(?:room|suite|apartment|apt\.?|unit|gate|bus|route|channel|platform|highway) $/i;
const STREET_AHEAD =
  /^ (?:[NSEW]\.? )?(?:[A-Z][a-z]+ ){1,3}(?:St|Street|Ave|Avenue|Rd|Road|Dr|Drive|Ln|Lane|Blvd|Boulevard|Way|Court|Ct|Place|Pl)\b/;

/** Numbers that are said in pairs. */
export const YEARS: readonly SpeechRule[] = [
  {
    pattern: /(1[1-9]|20)(\d)0s(?![A-Za-z0-9])/y,
    say: ({ groups }) => `${cardinalWords(Number(groups[1]))} ${decadeWords(Number(groups[2]))}`,
  },
  { pattern: /['’]([2-9])0s(?![A-Za-z0-9])/y, say: ({ groups }) => decadeWords(Number(groups[1])) },
  {
    pattern: new RegExp(`((?:19|20)\\d{2})\\s?[-–]\\s?((?:19|20)\\d{2})(?!-\\d)${END}`, "y"),
    say: ({ groups }) => `${yearWords(Number(groups[1]))} to ${yearWords(Number(groups[2]))}`,
  },
  {
    pattern: new RegExp(`${YEAR}${END}`, "y"),
    say: ({ groups: [, year = ""], before }) =>
      YEAR_FOLLOWS.test(before) || (/^(?:19|20)/.test(year) && OTHER_YEAR_BEFORE.test(before))
        ? yearWords(Number(year))
        : null,
  },
  {
    pattern: new RegExp(`([1-9]\\d{2,3})${END}`, "y"),
    say: ({ groups: [, number], before, after }) =>
      PLACE_FOLLOWS.test(before) || STREET_AHEAD.test(after) ? pairWords(Number(number)) : null,
  },
];

/** "two oh four", "twenty-four ninety", "three hundred". Three or four digits. */
function pairWords(number: number): string {
  const rest = number % 100;
  if (rest === 0) return cardinalWords(number);
  return `${cardinalWords(Math.floor(number / 100))} ${rest < 10 ? "oh " : ""}${cardinalWords(rest)}`;
}

function decadeWords(tens: number): string {
  if (tens === 0) return "hundreds";
  if (tens === 1) return "tens";
  return cardinalWords(10 * tens).replace(/y$/, "ies");
}
