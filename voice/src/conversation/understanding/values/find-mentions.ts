import type { AskNode } from "@parley/contract/flow-ask";
import { formatDay, MONTH_NAMES, parseDay, WEEKDAY_NAMES, weekdayOf } from "@parley/flow/calendar";
import { findDate } from "../../../text/values-in-speech/find-date.ts";
import { findNumber } from "../../../text/values-in-speech/find-number.ts";
import { findTime } from "../../../text/values-in-speech/find-time.ts";
import type { ReadingContext } from "../answer.ts";
import { askingSentence, type OpenQuestion } from "../question-context.ts";
import { isDayBehind } from "./asked-moment.ts";
import { findInUnit } from "./find-in-unit.ts";
import { isInRange } from "./read-value.ts";

/** A value that is named somewhere in a text. */
export interface Mention {
  readonly value: string | number;
  readonly others: readonly (string | number)[];
  readonly start: number;
  readonly end: number;
  /** Counted from a day that is known, rather than named. */
  readonly isDerived?: boolean;
  /** Said by its place on the scale: "the highest". */
  readonly isGrade?: boolean;
  /** Said of something else that happens then: "I'm away till the tenth". */
  readonly isCircumstance?: boolean;
}

/** The numbers, days or times in a text, in its order, as far as they can answer the question. */
export function findMentions(text: string, question: OpenQuestion, context: ReadingContext): Mention[] {
  const { ask } = question;
  // The days in an answer are no times and no numbers: "March 10 at nine".
  const plain = maskIdioms(text);
  const searched = ask.answer === "number" ? maskDays(plain, context) : plain;
  const mentions: Mention[] = [];
  let month = ask.answer === "date" ? monthIn(question.text, question, context) : null;
  for (let from = 0; from < searched.length; ) {
    const rest = searched.slice(from);
    const first = findOne(rest, question, context);
    if (first === null) break;
    const words = rest.slice(first.start, first.end);
    // "November the sixth, no, the seventh" is one month.
    const found = month !== null && BARE_DAY.test(words) ? (inMonth(words, month, first, context) ?? first) : first;
    if (ask.answer === "date" && MONTH.test(words)) month = String(found.value);
    const end = from + Math.max(found.end, found.start + 1);
    mentions.push(...placed(found, from, ask));
    from = end;
  }
  if (ask.answer === "date") return withoutRepeats(text, withDerived(text, mentions, question));
  const [grade] = gradesIn(text, ask);
  if (grade === undefined) return mentions;
  const others = mentions.filter(({ start, end }) => end <= grade.start || start >= grade.end);
  return [...others, grade].toSorted((one, other) => one.start - other.start);
}

const MONTH = new RegExp(`\\b(?:${MONTH_NAMES.join("|")})\\b`, "i");
/** A day of some month. */
const BARE_DAY = /^(?:the )?(?:[a-z]+[- ])?[a-z0-9]+(?:st|nd|rd|th)$/i;

/** A day of the only month that a question names: "Which day in April may he come?" */
function monthIn(asked: string, question: OpenQuestion, context: ReadingContext): string | null {
  const asking = askingSentence(asked);
  const [named, ...others] = [...asking.matchAll(new RegExp(MONTH, "gi"))];
  // "may" is rather the verb.
  if (named === undefined || others.length > 0 || (named[0] === "may" && !/\bin may\b/.test(asking))) return null;
  return String(findOne(`the first of ${named[0]}`, question, context)?.value ?? "") || null;
}

/** The same day of the month that another day is in. */
function inMonth(words: string, day: string, found: Mention, { timeZone, isDayFirst }: ReadingContext): Mention | null {
  const number = parseDay(`${day.slice(0, 7)}-01`);
  if (number === null) return null;
  const nowMs = number * DAY_MS + DAY_MS / 2;
  const same = findDate(words, { nowMs, timeZone, isDayFirst, prefer: "future", isAsked: true });
  return same === null ? null : { ...found, value: same.value, others: [] };
}

const DAY_MS = 24 * 60 * 60 * 1000;

function findOne(
  text: string,
  { ask, text: asked }: OpenQuestion,
  { nowMs, timeZone, isDayFirst }: ReadingContext,
): Mention | null {
  switch (ask.answer) {
    case "date": {
      const prefer = isDayBehind(ask, asked) ? "past" : "future";
      return findDate(text, { nowMs, timeZone, isDayFirst, prefer, isAsked: true });
    }
    case "time":
      return findTime(text, { isAsked: true });
    default:
      return findInUnit(text, asked) ?? findNumber(text);
  }
}

function placed(found: Mention, from: number, ask: AskNode): Mention[] {
  const mention = { ...found, start: from + found.start, end: from + found.end };
  if (ask.answer !== "number") return [mention];
  const [value, ...others] = [found.value, ...found.others].filter((each) => isInRange(Number(each), ask));
  return value === undefined ? [] : [{ ...mention, value, others }];
}

/** Figures of speech with a number in them, which count nothing. */
const IDIOMS =
  /\b(?:two thumbs(?: (?:up|down))?|(?:on )?second thoughts?|second to none|second nature|at one point|one of the(?= \w)|one of these days|one day|one (?:way|thing) or (?:the other|another)|one by one|(?:for|it is|it's|that's) one thing|for one(?= thing|,)|(?:a|one|just a|half a|wait a|hang on a) (?:sec|second|minute|moment|tick)|number one|square one|first (?:of all|off|and foremost|things first|thing first|come first)|in the first place|twenty[- ]four seven|24\/7|fifty[- ]fifty|sixes and sevens|cloud nine|nine times out of ten|(?:a|one) (?:million|thousand) times|thanks? a (?:million|bunch)|(?:a|one) hundred times|in one piece|all in one|one and the same|one and only|one size fits all|six of one(?:,? (?:and )?half a dozen of the other)?|the other half|my (?:other|better) half|the whole nine yards|forty winks|third time lucky|second time lucky|once or twice|two minds|two hoots|two cents|one another|each one|each of the (?:two|three))\b/gi;

function maskIdioms(text: string): string {
  return text.replaceAll(IDIOMS, (idiom) => ";".repeat(idiom.length));
}

function maskDays(text: string, { nowMs, timeZone, isDayFirst }: ReadingContext): string {
  const found = findDate(text, { nowMs, timeZone, isDayFirst });
  if (found === null) return text;
  return text.slice(0, found.start) + ";".repeat(found.end - found.start) + text.slice(found.end);
}

const BEST = "(?:best|top|highest|maximum|max)";
const WORST = "(?:worst|bottom|lowest|minimum)";
/** Marks on a scale that are said without their number. */
const GRADES: readonly (readonly [pattern: RegExp, grade: (min: number, max: number) => number])[] = [
  [
    new RegExp(`\\b(?:one|1) (?:below|under|down from|less than|short of) (?:the )?${BEST}\\b|\\bsecond best\\b`, "i"),
    (_, max) => max - 1,
  ],
  [
    new RegExp(
      `\\b(?:one|1) (?:above|up from|over|more than|better than) (?:the )?${WORST}\\b|\\bsecond worst\\b`,
      "i",
    ),
    (min) => min + 1,
  ],
  [
    new RegExp(
      `\\b(?:full marks|${BEST} (?:score|marks?|grade|rating|one|you|possible)|the (?:highest|maximum|max|top)|as high as it goes|top of the scale)\\b`,
      "i",
    ),
    (_, max) => max,
  ],
  [
    new RegExp(
      `\\b(?:${WORST} (?:score|marks?|grade|rating|one|you|possible)|the (?:lowest|minimum|bottom)|as low as it goes|bottom of the scale)\\b`,
      "i",
    ),
    (min) => min,
  ],
  [/\b(?:in the middle|middle of the (?:scale|road))\b/i, (min, max) => Math.round((min + max) / 2)],
];

function gradesIn(text: string, ask: AskNode): Mention[] {
  const { min, max } = ask.range ?? {};
  if (ask.answer !== "number" || min === undefined || max === undefined || !hasWholeRange(ask)) return [];
  for (const [pattern, grade] of GRADES) {
    const found = pattern.exec(text);
    if (found !== null) {
      return [
        { value: grade(min, max), others: [], start: found.index, end: found.index + found[0].length, isGrade: true },
      ];
    }
  }
  return [];
}

const DAY_NAMES = WEEKDAY_NAMES.join("|");
const COUNTS: Readonly<Record<string, number>> = {
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  "1": 1,
  "2": 2,
  "3": 3,
  "4": 4,
};
/** Days that are counted from another one. */
const DERIVED = new RegExp(
  `\\b(?:(?:the )?(?<sameNext>same (?:day|date) (?:next week|the (?:week after|following week|next week)|a week later))|(?:the )?(?<same>same (?:day|date))|(?<next>the next one)|(?:the )?following (?<following>${DAY_NAMES})|(?:the )?(?<sameWeek>${DAY_NAMES}) (?:of|in) (?:that|the same) week|(?:the )?same (?<sameDay>${DAY_NAMES})|(?:the )?(?<after>day after(?! tomorrow)(?: that(?: one)?)?|following day)|(?:the )?(?<before>day before(?! yesterday)(?: that)?)|(?<count>a|one|two|three|four|[1-4]) (?<unit>days?|weeks?|fortnight) (?:later|after(?: that)?|on(?! \\w))|(?:the )?(?<weekday>${DAY_NAMES}) (?:after (?:that|the)(?: (?:one|${DAY_NAMES}))?|after(?=\\s*(?:[,.]|$))|following))`,
  "gi",
);

/** Adds the days that are counted from one that was named before, or from the one that the call is about. */
function withDerived(text: string, mentions: readonly Mention[], { moment }: OpenQuestion): Mention[] {
  let all = [...mentions];
  for (const found of text.matchAll(DERIVED)) {
    const [start, end] = [found.index, found.index + found[0].length];
    const named = all.filter((each) => each.end <= start).at(-1);
    const from = parseDay(String(named?.value ?? moment.date ?? ""));
    const day = from === null ? null : derivedDay(from, found.groups ?? {});
    const overlaps = (each: Mention) => each.start < end && each.end > start;
    all = all.filter(
      (each) => !overlaps(each) || (day === null && (found.groups?.weekday ?? found.groups?.following) !== undefined),
    );
    if (day === null) continue;
    const isDerived = named === undefined || named.isDerived === true;
    const derived = { value: formatDay(day), others: [], start, end, isDerived };
    all = [...all, derived].toSorted((one, other) => one.start - other.start);
  }
  return all;
}

function derivedDay(from: number, groups: Readonly<Record<string, string | undefined>>): number | null {
  if (groups.same !== undefined) return from;
  if (groups.sameNext !== undefined || groups.next !== undefined) return from + 7;
  if (groups.after !== undefined) return from + 1;
  if (groups.before !== undefined) return from - 1;
  const weekdayNamed = (name: string) => WEEKDAY_NAMES.findIndex((each) => each.toLowerCase() === name.toLowerCase());
  if (groups.sameDay !== undefined) return weekdayNamed(groups.sameDay) === weekdayOf(from) ? from : null;
  if (groups.sameWeek !== undefined) {
    const fromMonday = (day: number) => (day + 6) % 7;
    return from - fromMonday(weekdayOf(from)) + fromMonday(weekdayNamed(groups.sameWeek));
  }
  const weekday = groups.weekday ?? groups.following;
  if (weekday !== undefined) return from + (((weekdayNamed(weekday) - weekdayOf(from) + 6) % 7) + 1);
  const unit = groups.unit?.toLowerCase() ?? "day";
  const days = unit === "fortnight" ? 14 : unit.startsWith("week") ? 7 : 1;
  return from + days * (COUNTS[groups.count?.toLowerCase() ?? ""] ?? 0);
}

/** A weekday that is said beside its date says nothing more: "the friday, friday the twentieth". */
function withoutRepeats(text: string, mentions: readonly Mention[]): Mention[] {
  const isWeekday = ({ start, end }: Mention) => new RegExp(`^(?:${DAY_NAMES})$`, "i").test(text.slice(start, end));
  const dayOf = ({ value }: Mention) => parseDay(String(value)) ?? 0;
  return mentions.filter(
    (mention) =>
      !isWeekday(mention) || !mentions.some((other) => !isWeekday(other) && (dayOf(other) - dayOf(mention)) % 7 === 0),
  );
}

/** Whether an answer must be one of a few whole numbers. */
export function hasWholeRange({ range }: AskNode): boolean {
  return Number.isInteger(range?.min) && Number.isInteger(range?.max) && (range?.max ?? 0) - (range?.min ?? 0) <= 10;
}
