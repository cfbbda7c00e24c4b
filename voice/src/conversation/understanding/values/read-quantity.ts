import { formatMinute, parseDay, parseMinute } from "@parley/flow/calendar";
import { findNumber } from "../../../text/values-in-speech/find-number.ts";
import { asSaid } from "../../../text/values-in-speech/mishearings.ts";
import { wordsOf } from "../../../text/values-in-speech/words.ts";
import { type AnswerReading, answerOf, type Finding, NOT_UNDERSTOOD, type ReadingContext } from "../answer.ts";
import { stemsOf } from "../match-exits.ts";
import { parseUtterance, type Utterance } from "../parse-utterance.ts";
import { askingSentence, type OpenQuestion } from "../question-context.ts";
import { stemOf } from "../word-forms.ts";
import { isDayBehind, rangeIn, timesMeant } from "./asked-moment.ts";
import { findMentions, hasWholeRange, type Mention } from "./find-mentions.ts";
import { findDays, findTimes, type Period } from "./find-period.ts";
import {
  AFTER_NUMBER,
  ASKS_FOR_PEOPLE,
  CHANGES_VALUE,
  clauseAt,
  objections,
  objectionsAfter,
} from "./object-to-value.ts";
import { isInRange } from "./read-value.ts";
import { foreignWords } from "./words-around.ts";

/**
 * Numbers, days and times. An utterance may name several of them, and only one that is offered is the answer: not what is
 * ruled out ("not Tuesday"), taken back ("two, no, three"), only a circumstance ("I finish at five, so six") or wondered
 * about. Where two are left, or something speaks against the one, the callee is asked.
 */

export function readQuantity(said: string, question: OpenQuestion, context: ReadingContext): AnswerReading {
  const { ask } = question;
  const { text, mentions: all } = namedValues(said, question, context);
  const utterance = parseUtterance(text);
  const standing = standingMentions(text, utterance, all, question);
  const [first] = standing;
  const last = standing.at(-1);
  if (first === undefined || last === undefined) return readWithoutMention(text, question, context);
  if (ask.answer === "time" && standing.length > 0) {
    const limits = limitsIn(text, standing, question);
    if (limits !== null) return { type: "period", period: limits };
  }
  const one = mentionForRole(text, standing, question) ?? mentionOfAsked(text, standing, question);
  if (one !== null) return settle(text, utterance, one, [one], all, question, context);
  const sum = sumOfPeople(text, standing, question);
  if (sum !== null) return sum;
  if (new Set(standing.map(({ value }) => value)).size > 1) {
    if (standing.length > 3) return NOT_UNDERSTOOD;
    const why: Finding[] = [{ judge: "match", says: `names ${standing.map(({ value }) => value).join(" and ")}` }];
    return { type: "doubt", options: [answerOf(ask, last.value), answerOf(ask, first.value)], why };
  }
  return settle(text, utterance, last, standing, all, question, context);
}

/** Every number, day or time that was named, offered or not, and the words as they are read. */
export function namedValues(
  said: string,
  question: OpenQuestion,
  context: ReadingContext,
): { readonly text: string; readonly mentions: readonly Mention[] } {
  const text = withSharedMonth(asSaid(said));
  const mentions = findMentions(text, question, startingIn(question.within, context));
  return { text, mentions: withoutClockParts(text, mentions) };
}

/** In "half six" and "quarter to seven" the part is not a number of its own. */
function withoutClockParts(text: string, mentions: readonly Mention[]): readonly Mention[] {
  const isPart = ({ start, end }: Mention) => /^(?:a )?(?:half|quarter)$/i.test(text.slice(start, end));
  return mentions.filter((mention, index) => {
    const next = mentions[index + 1];
    return (
      next === undefined ||
      !isPart(mention) ||
      !/^ (?:(?:to|past|after|before) )?$/i.test(text.slice(mention.end, next.start))
    );
  });
}

/** One value is left. It is taken unless something that was said speaks against it. */
function settle(
  text: string,
  utterance: Utterance,
  mention: Mention,
  standing: readonly Mention[],
  all: readonly Mention[],
  question: OpenQuestion,
  context: ReadingContext,
): AnswerReading {
  const { ask } = question;
  const candidates = [mention.value, ...mention.others];
  // A question that names the hours says which half of the day is meant.
  const window = timesMeant(question, text);
  const fitting = window === null ? [] : candidates.filter((each) => each >= window.from && each <= window.to);
  const [value = mention.value, other] = fitting.length > 0 ? fitting : candidates;
  const isOffer = ask.answer === "date" || (ask.answer === "number" && isOffered(text, mention));
  if (other !== undefined && isOffer) {
    return { type: "doubt", options: [answerOf(ask, value), answerOf(ask, other)] };
  }
  if (typeof value === "number" && hasWholeRange(ask) && !Number.isInteger(value)) {
    return { type: "doubt", options: [answerOf(ask, Math.floor(value)), answerOf(ask, Math.ceil(value))] };
  }
  const isCounting =
    ask.answer === "number" && standing.length > 1 && value === 1 && !standing.some(({ isGrade }) => isGrade === true);
  if (isCounting) {
    // "one in the kitchen, one in the hall" are two.
    const count = isInRange(standing.length, ask) ? standing.length : value;
    const why: Finding[] = [{ judge: "match", says: "counts one by one" }];
    return { type: "unsure", answer: answerOf(ask, count), isDerived: true, why };
  }
  const why = objections(text, utterance, mention, question, context);
  const holder = clauseAt(utterance, mention.start);
  const from = all.findLast(({ end }) => end <= mention.start)?.end ?? 0;
  const foreign = holder === undefined ? [] : foreignWords(holder, text, mention, from, question.text);
  if (foreign.length > 0) why.push({ judge: "match", says: `is about ${foreign.join(", ")}` });
  const isLast = all.every(({ start }) => start <= mention.start);
  why.push(...objectionsAfter(isLast ? text.slice(mention.end) : ""));
  if (mention.isCircumstance === true && ask.answer !== "number")
    why.push({ judge: "match", says: "is a circumstance" });
  if (mention.isDerived === true) why.push({ judge: "slots", says: "counted from a day that is known" });
  const answer = answerOf(ask, value);
  if (why.length === 0) return { type: "answer", answer };
  const isDerived = mention.isDerived === true || why.some(({ says }) => CHANGES_VALUE.has(says));
  return { type: "unsure", answer, ...(isDerived ? { isDerived } : {}), why };
}

const MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december";
const ORDINAL = "(?:[a-z]+[- ])?[a-z0-9]+(?:st|nd|rd|th)";
const DAYS_OF_MONTH = new RegExp(
  `\\b((?:the )?${ORDINAL})\\s+(to|till|until|through|or|and)\\s+((?:the )?${ORDINAL})\\s+(of (?:${MONTHS}))\\b`,
  "gi",
);
const MONTH_OF_DAYS = new RegExp(
  `\\b(${MONTHS})\\s+((?:the )?${ORDINAL})\\s+(to|till|until|through|or|and)\\s+((?:the )?${ORDINAL})\\b(?! of)`,
  "gi",
);

/** "the third to the seventh of December": both are days of December. */
function withSharedMonth(text: string): string {
  return text.replaceAll(DAYS_OF_MONTH, "$1 $4 $2 $3 $4").replaceAll(MONTH_OF_DAYS, "$1 $2 $3 $1 $4");
}

const ASKS_FOR_BEGINNING =
  /\b(?:arriv\w*|start\w*|begin\w*|from (?:when|which|what)|check(?:ing)? in|first (?:day|night)|pick\w* (?:it |the \w+ )?up|move in|depart\w*)\b/i;
const ASKS_FOR_END =
  /\b(?:leav\w*|end\w*|until|till|return\w*|back|check(?:ing)? out|last (?:day|night)|go(?:ing)? home|bring\w* (?:it |the \w+ )?back)\b/i;
const BETWEEN_ENDS = /\b(?:to|till|until|through|leav\w*|return\w*|back|check\w* out|home)\b/i;

/** Of a beginning and an end, the one that is asked for: "from the third to the seventh" to "When do you arrive?". */
function mentionForRole(
  text: string,
  standing: readonly Mention[],
  { ask, text: asked }: OpenQuestion,
): Mention | null {
  const [first, second, third] = standing;
  if (ask.answer === "number" || first === undefined || second === undefined || third !== undefined) return null;
  if (first.value === second.value || !BETWEEN_ENDS.test(text.slice(first.end, second.start))) return null;
  const [isBeginning, isEnd] = [ASKS_FOR_BEGINNING.test(asked), ASKS_FOR_END.test(asked)];
  return isBeginning === isEnd ? null : isBeginning ? first : second;
}

/** Of "two adults and three children", the one that is a number of what is asked for. */
function mentionOfAsked(
  text: string,
  standing: readonly Mention[],
  { ask, text: asked }: OpenQuestion,
): Mention | null {
  if (ask.answer !== "number" || standing.length < 2) return null;
  const stems = stemsOf(asked);
  const nounAfter = ({ end }: Mention) => {
    const [next] = wordsOf(text.slice(end));
    return next === undefined || next.gap !== "space" ? null : next.text;
  };
  const counted = standing.filter((each) => stems.has(stemOf(nounAfter(each) ?? "")));
  const others = standing.filter((each) => !counted.includes(each));
  const isOther = (each: Mention) => nounAfter(each) !== null && !AFTER_NUMBER.has(nounAfter(each) ?? "");
  return counted.length === 1 && others.every(isOther) ? (counted[0] ?? null) : null;
}

const PERSON =
  /^\s*(?:adults?|kids?|child(?:ren)?|babies|baby|grown-?ups|teenagers?|men|women|seniors?|infants?|toddlers?)\b/i;

/** "two adults and three kids" are five people, which is read back. */
function sumOfPeople(
  text: string,
  standing: readonly Mention[],
  { ask, text: asked }: OpenQuestion,
): AnswerReading | null {
  const isSum = ask.answer === "number" && standing.length > 1 && ASKS_FOR_PEOPLE.test(asked);
  if (!isSum || !standing.every(({ end }) => PERSON.test(text.slice(end)))) return null;
  const sum = standing.reduce((total, { value }) => total + Number(value), 0);
  if (!isInRange(sum, ask)) return null;
  return { type: "unsure", answer: answerOf(ask, sum), isDerived: true, why: [{ judge: "match", says: "added up" }] };
}

function isOffered(text: string, { start, end }: Mention): boolean {
  return /\b(?:or|maybe)\b/i.test(text.slice(start, end));
}

/** Within a month that is known, "the tenth" is the one of that month. */
function startingIn(within: Period | null, context: ReadingContext): ReadingContext {
  const day = within?.kind === "days" ? parseDay(within.from) : null;
  const noonMs = day === null ? 0 : day * DAY_MS + DAY_MS / 2;
  return noonMs > context.nowMs ? { ...context, nowMs: noonMs } : context;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const NEGATED_BEFORE =
  /(?:\bnot|n't|\bcannot|\bcant|\bdont|\bwont|\bnever|\bexcept(?: for)?|\bbesides|\brather than|\binstead of|\bother than|\bapart from|\b(?:anything|any day|any time|anyday) but|\bavoid|\bneither|\bnor|\bskip|\bnobody|\bno ?one|\bnothing|\bno can do)\b[^,.;]*$/i;
const POLITE_NEGATION =
  /\b(?:why (?:don't|do not|not)|(?:don't|do not|wouldn't|would not) mind|can't wait|not (?:too )?bad|not (?:before|until|till)|not (?:a )?problem)\b/i;
const NEGATED_AFTER =
  /^\s*(?:(?:is|are|was|will|would|does|do|can|could)\s*(?:not|n't)\b|'s not\b|(?:won|doesn|isn|can|wouldn|couldn|don)'?t\b|(?:is|['’]s|are|was) (?:no (?:good|use|go)|never|out|impossible|full|taken|bad|terrible|awful|hopeless|useless|tricky|tough|busy|booked|packed|too (?:early|late)|a holiday|my)|never\b)/i;
/** Between two values, these take back the first or draw a conclusion from it. */
const TAKEN_BACK =
  /\b(?:no|nope|not|wait|sorry|i mean|i meant|actually|scratch that|correction|rather|make (?:it|that)|hang on|hmm|what am i saying|let's say|let us say|on second thoughts?|when i think|come to think|instead|oh|so|but|well|then|better)\b/i;
/** What happens at a time that is no appointment. */
const CIRCUMSTANCE =
  /\b(?:until|till|gets? off|finish(?:es)?|knock off|off work|off (?=at\b)|(?:'ve|have|got) (?:got )?work|must go|(?:have|got) to (?:go|leave|be)|set(?:ting)? off|shift|away|busy|booked|close[sd]?|opens?|school|class(?:es)?|meeting|lunch break|break|train|flight|back|working|at work|starts?|drop(?:ping)?|pay ?day|paid on|they pay|wages|salary|owes?|bringing|boiler man|we're at|i'm at|i'm in)\b/i;

function standingMentions(
  text: string,
  utterance: Utterance,
  mentions: readonly Mention[],
  question: OpenQuestion,
): Mention[] {
  const ruledOut = new Set<Mention>();
  let seenTo = 0;
  for (const [index, mention] of mentions.entries()) {
    const previous = mentions[index - 1];
    const clauseStart = clauseAt(utterance, mention.start)?.tokens[0]?.start ?? 0;
    const from = Math.max(previous?.end ?? 0, seenTo, Math.min(clauseStart, mention.start));
    const before = text.slice(Math.min(from, mention.start), mention.start);
    const isJoined = /^\s*,?\s*(?:or|and|nor)\s+(?:on |the |at )*$/i.test(before);
    if (previous !== undefined && ruledOut.has(previous) && isJoined) ruledOut.add(mention);
    if (/\bout of\s+(?:a )?(?:possible )?$/i.test(before) && question.ask.answer === "number") ruledOut.add(mention);
    if (NEGATED_BEFORE.test(before) && !POLITE_NEGATION.test(before)) ruledOut.add(mention);
    const negation = NEGATED_AFTER.exec(text.slice(mention.end));
    if (negation !== null) ruledOut.add(mention);
    seenTo = mention.end + (negation?.[0].length ?? 0);
  }
  let left: Mention[] = [];
  for (const mention of mentions) {
    const previous = mentions[mentions.indexOf(mention) - 1];
    const between = text.slice(previous?.end ?? mention.start, mention.start);
    if (previous !== undefined && TAKEN_BACK.test(between) && !ruledOut.has(mention)) left = [];
    if (!ruledOut.has(mention)) left.push(mention);
  }
  const isAskedUntil = /\b(?:until|till|by)\b/i.test(question.text);
  const final = left.at(-1);
  // "Saturday, then" is what is left of everything before it.
  if (final !== undefined && /^\s*,?\s*then\b(?!\s+\w)/i.test(text.slice(final.end))) left = [final];
  const offered = left.filter((mention) => {
    const { tokens } = clauseAt(utterance, mention.start) ?? { tokens: [] };
    const previous = mentions[mentions.indexOf(mention) - 1];
    const from = Math.max(previous?.end ?? 0, Math.min(tokens[0]?.start ?? 0, mention.start));
    const before = text.slice(from, mention.start);
    return !CIRCUMSTANCE.test(isAskedUntil ? before.replaceAll(/\b(?:until|till)\b/gi, "") : before);
  });
  return offered.length > 0 ? offered : left.map((mention) => ({ ...mention, isCircumstance: true }));
}

/** "after nine", "before five", "between two and four" leave the time itself open. */
function limitsIn(text: string, mentions: readonly Mention[], question: OpenQuestion): Period | null {
  const [first, second] = mentions;
  if (first === undefined) return null;
  const before = text.slice(0, first.start);
  if (/\b(?:between|from)\s*(?:about |at )?$/i.test(before) || /^\s*to\b/i.test(text.slice(first.end))) {
    const range = rangeIn(text);
    if (range !== null) return range;
  }
  if (second !== undefined) return null;
  const limit = /\b(after|before|from|until|till|past|not before)\s*(?:about |at )?$/i.exec(before)?.[1]?.toLowerCase();
  const asked = askingSentence(question.text);
  if (limit === undefined || /\b(?:until|till|from)\b/i.test(asked)) return null;
  const isFrom = limit !== "before" && limit !== "until" && limit !== "till";
  const value = String(first.value);
  return { kind: "times", from: isFrom ? value : "06:00", to: isFrom ? "22:00" : value, said: "exactly" };
}

/** What a number at the end of an answer is taken for: "I would say to". */
const ALIKE_AT_END =
  /\b(?:say|give(?: it| them)? a|be|is|it's|a|have|got|about|around) (to|too|for|won|ate)(?: of them)?\W*$/i;

function readWithoutNumber(text: string, { ask, text: asked }: OpenQuestion): AnswerReading {
  if (
    /^\W*(?:(?:um|uh|oh|er|well|none|i have|we have|there are|there's)\W+)*(?:none|zero|not any|nothing|nobody|no one|not a single one|not one)\b(?=\W*(?:[,.]|$))/i.test(
      text,
    ) &&
    isInRange(0, ask)
  ) {
    const answer = answerOf(ask, 0);
    if (/\bhow many\b/i.test(asked)) return { type: "answer", answer };
    return { type: "unsure", answer, why: [{ judge: "match", says: "none" }] };
  }
  if (ASKS_FOR_PEOPLE.test(asked)) {
    if (
      /^\W*(?:(?:it's|it is|that's|oh|um|well|yes|no)\W+)*(?:just|only) (?:me|myself|the one of us)\b[^,]{0,12}$/i.test(
        text,
      )
    ) {
      return { type: "answer", answer: answerOf(ask, 1) };
    }
    const isPair =
      /\bboth of us\b|\b(?:me|myself) and (?:my|a) (?!(?:two|three|four|five)\b)\w+\W*$|\bmy \w+ and (?:me|i|myself)\W*$/i.test(
        text,
      );
    if (isPair && isInRange(2, ask))
      return { type: "unsure", answer: answerOf(ask, 2), why: [{ judge: "match", says: "two people" }] };
  }
  const alike = ALIKE_AT_END.exec(text)?.[1];
  const value = alike === undefined ? undefined : findNumber(alike)?.value;
  if (value === undefined || !isInRange(value, ask)) return NOT_UNDERSTOOD;
  return { type: "unsure", answer: answerOf(ask, value), why: [{ judge: "match", says: `sounds like ${value}` }] };
}

const SHIFT =
  /^(?!.*(?:\?|\bwould\b|\bif\b|n't\b|\bnot\b)).*\b(half an|an?|one|two|three|four|[a-z-]+(?= minutes)|\d+(?= minutes)) (?:hours?|(minutes))(?: and a (half))? (later|after that|after|earlier|before that|sooner)\b/i;

/** "an hour later" than the time that the call is about. */
function shiftedTime(text: string, known: string | null): string | null {
  const found = SHIFT.exec(text);
  const from = known === null ? null : parseMinute(known);
  if (found === null || from === null) return null;
  const [, count = "", isMinutes, half, direction = ""] = found;
  const number = /^half/i.test(count) ? 0.5 : /^an?$/i.test(count) ? 1 : (findNumber(count)?.value ?? null);
  if (number === null) return null;
  const minutes = isMinutes === undefined ? 60 * (number + (half === undefined ? 0 : 0.5)) : number;
  const minute = /^(?:earlier|before|sooner)/i.test(direction) ? from - minutes : from + minutes;
  return minute < 0 || minute >= 24 * 60 ? null : formatMinute(minute);
}

/** These say what comes first, also of what is ahead: "before lunch". */
const OF_THE_ORDER = /^(?:before|earlier|once)$/;

/** Nothing is named. It may be the day or time that is known, or a part of one. */
function readWithoutMention(text: string, question: OpenQuestion, context: ReadingContext): AnswerReading {
  const { ask, moment } = question;
  const { clauses } = parseUtterance(text);
  if (ask.answer === "number") {
    return readWithoutNumber(text, question);
  }
  const shifted = ask.answer === "time" ? shiftedTime(text, moment.time) : null;
  if (shifted !== null) {
    return {
      type: "unsure",
      answer: answerOf(ask, shifted),
      why: [{ judge: "slots", says: "counted from the time that is known" }],
    };
  }
  const isOpen = clauses.some(({ signals }) =>
    signals.some(
      ({ kind, words }) =>
        (kind === "question" && words !== "?") ||
        kind === "condition" ||
        (kind === "past" && !OF_THE_ORDER.test(words)) ||
        kind === "hearsay",
    ),
  );
  if (isOpen) return NOT_UNDERSTOOD;
  if (ask.answer === "time" && moment.time !== null && /\bsame (?:time|hour)\b/i.test(text)) {
    return {
      type: "unsure",
      answer: answerOf(ask, moment.time),
      why: [{ judge: "slots", says: "the time that is known" }],
    };
  }
  const period =
    ask.answer === "time" ? findTimes(text) : isDayBehind(ask, question.text) ? null : findDays(text, context);
  return period === null ? NOT_UNDERSTOOD : { type: "period", period };
}
