import type { AskNode } from "@parley/contract/flow-ask";
import { findDigits, findPhoneNumber } from "../../../text/values-in-speech/find-digits.ts";
import { findNumber } from "../../../text/values-in-speech/find-number.ts";
import { wordsOf } from "../../../text/values-in-speech/words.ts";
import { type AnswerReading, answerOf, NOT_UNDERSTOOD } from "../answer.ts";

/**
 * Digits and phone numbers as they are dictated: in groups and over several turns, with restarts ("five six eight, sorry,
 * five six zero ...") and corrections of the last few ("no, three three at the end"). Too few digits are the beginning of
 * more. A number that only occurs in a sentence ("a customer for six years") is none.
 */

export const PHONE_DIGITS_MIN = 7;
const PHONE_DIGITS_MAX = 15;
/** How long phone numbers are where they are dictated without a country code, and with the 1 of North America. */
const PHONE_LENGTHS = [10, 11, 7];

interface DictationContext {
  /** The digits of the turns before. */
  readonly dictated: string;
  /** The number that was called. */
  readonly calledNumber: string | null;
}

interface Wanted {
  readonly min: number;
  readonly max: number;
  /** Lengths that are complete, likeliest first. Empty where any is. */
  readonly lengths: readonly number[];
}

export function readDictation(text: string, ask: AskNode, { dictated, calledNumber }: DictationContext): AnswerReading {
  if (ask.answer === "phone") {
    const known = dictated === "" ? readKnownNumber(text, ask, calledNumber) : null;
    if (known !== null) return known;
  }
  const wanted = wantedOf(ask);
  const said = dictatedIn(text, dictated, wanted);
  if (said === null) return NOT_UNDERSTOOD;
  if (ask.answer === "phone") return readPhone(text, said, ask);
  const reading = readDigitsAnswer(said.digits, ask);
  // A number of unknown length that stands in a sentence may be any number.
  if (reading.type === "answer" && said.digits.length < SURE_DIGITS && said.isInSentence && wanted.lengths.length === 0)
    return NOT_UNDERSTOOD;
  if (reading.type === "part" && said.isInSentence) return NOT_UNDERSTOOD;
  return reading.type === "answer" && !said.isSure ? { type: "unsure", answer: reading.answer } : reading;
}

/** So many digits in a row are dictated, whatever is said around them. */
const SURE_DIGITS = 4;

/** Too few digits may be the beginning of more; too many are a mistake. */
export function readDigitsAnswer(digits: string | null, ask: AskNode): AnswerReading {
  const { min, max } = wantedOf(ask);
  if (digits === null || digits === "" || digits.length > max) return NOT_UNDERSTOOD;
  return digits.length < min ? { type: "part", digits } : { type: "answer", answer: answerOf(ask, digits) };
}

/** The length that the flow requires, or that the question names: "your six-digit customer number". */
function wantedOf({ answer, digits, text }: AskNode): Wanted {
  if (answer === "phone") return { min: PHONE_DIGITS_MIN, max: PHONE_DIGITS_MAX, lengths: PHONE_LENGTHS };
  if (digits !== undefined) return { ...digits, lengths: digits.min === digits.max ? [digits.max] : [] };
  const named = /\b([\p{L}\d]+)(?:[- ]digits?\b|[- ]figure\b)/iu.exec(text)?.[1];
  const count = named === undefined ? undefined : findNumber(named)?.value;
  if (count === undefined || !Number.isInteger(count) || count < 1 || count > 40)
    return { min: 1, max: 40, lengths: [] };
  return { min: count, max: count, lengths: [count] };
}

const CORRECTIONS =
  /\b(?:no,? wait|wait,? no|i mean|i meant|scratch that|strike that|correction|or rather|make that|no,? sorry|sorry,? no|no,? no|sorry|actually|rather|nope|no|wait|hang on|let me start (?:over|again)|start(?:ing)? over|oops|whoops)\b[\s,.]*/gi;
const IS_TAIL =
  /\b(?:at the end|in the end|at the back|the last (?:\p{L}+ )?(?:is|are|one|digits?)|ends? (?:in|with|on)|ending)\b/iu;
/** What is ruled out: "not six". */
const RULED_OUT = /\bnot(?:\s+[^\s,.;]+){1,4}\s*(?:[,.;]|$)/gi;

interface Dictated {
  readonly digits: string;
  readonly others: readonly string[];
  /** Whether it was said without a correction that could be meant otherwise. */
  readonly isSure: boolean;
  readonly isInSentence: boolean;
}

function dictatedIn(text: string, before: string, wanted: Wanted): Dictated | null {
  const pieces = text.replaceAll(RULED_OUT, (part) => " ".repeat(part.length)).split(CORRECTIONS);
  const isRestart = before !== "" && /^\s*[,.]*\s*$/.test(pieces[0] ?? "") && pieces.length > 1;
  let all: Dictated | null = null;
  let isInSentence = false;
  for (const piece of pieces) {
    const run = runIn(piece, wanted);
    isInSentence ||= run === null ? strayWords(piece) > STRAY_WORDS_MAX : run.strayWords > STRAY_WORDS_MAX;
    if (run === null) continue;
    if (all !== null) all = { ...corrected(all.digits, run.digits, piece, wanted), others: [], isInSentence };
    else if (before === "" || fits(run.digits, wanted)) all = { ...run, isSure: true, isInSentence };
    else if (isRestart) all = { ...corrected(before, run.digits, piece, wanted), others: [], isInSentence };
    else
      all = {
        digits: before + run.digits,
        others: run.others.map((each) => before + each),
        isSure: true,
        isInSentence,
      };
  }
  return all === null ? null : { ...all, digits: withoutRestart(all, wanted), isInSentence };
}

function fits({ length }: string, { min, max, lengths }: Wanted): boolean {
  return lengths.length > 0 ? lengths.includes(length) && length >= min : length >= min && length <= max && min > 1;
}

/** What was said first with what was said instead of its end, or instead of all of it. */
function corrected(
  first: string,
  second: string,
  piece: string,
  wanted: Wanted,
): { readonly digits: string; readonly isSure: boolean } {
  const { lengths } = wanted;
  const [usual] = lengths;
  // Where digits were missing, the end is what was missing.
  if (IS_TAIL.test(piece) && first.length + second.length === usual) return { digits: first + second, isSure: false };
  if (IS_TAIL.test(piece)) return { digits: first.slice(0, -second.length) + second, isSure: true };
  const surplus = usual === undefined ? 0 : first.length + second.length - usual;
  const isWhole = second.length === usual || (fits(second, wanted) && surplus < 1);
  if (isWhole || (second.length >= first.length && surplus < 1)) return { digits: second, isSure: true };
  const replaced = surplus >= 1 && surplus <= second.length ? surplus : second.length;
  return { digits: first.slice(0, -replaced) + second, isSure: false };
}

/** The number that was said twice, or begun twice, once. */
function withoutRestart({ digits, others }: Dictated, wanted: Wanted): string {
  const [length] = wanted.lengths;
  const fitting = [digits, ...others].find((each) => fits(each, wanted));
  if (fitting !== undefined) return fitting;
  if (length === undefined || digits.length <= length) return digits;
  const last = digits.slice(-length);
  return last.startsWith(digits.slice(0, -length)) || digits === last + last ? last : digits;
}

interface Run {
  readonly digits: string;
  readonly others: readonly string[];
  readonly strayWords: number;
}

const ALIKE: Readonly<Record<string, string>> = {
  to: "2",
  too: "2",
  for: "4",
  fore: "4",
  ate: "8",
  won: "1",
  tree: "3",
};
/** A few digits before these count something. */
const COUNTED =
  /^\s*(?:years?|yrs|months?|weeks?|days?|hours?|minutes?|digits?|numbers?|times|people|of (?:us|them|those)|percent|dollars?|bucks|pounds|o'clock|kids|letters?)\b/i;
const COUNT_DIGITS_MAX = 2;

function runIn(piece: string, wanted: Wanted): Run | null {
  const found = findDigits(piece);
  if (found === null) return null;
  const { value, others, start, end } = found;
  if (value.length <= COUNT_DIGITS_MAX && COUNTED.test(piece.slice(end))) return null;
  const [before, after] = [piece.slice(0, start), piece.slice(end)];
  const widened = [value, ...others].flatMap((digits) => withAlikes(before, digits, after, wanted) ?? []);
  const readings = widened.length > 0 ? widened : [value, ...others];
  const outside = widened.length > 0 ? 0 : strayWords(before) + strayWords(after);
  return { digits: readings[0] ?? value, others: readings.slice(1), strayWords: outside };
}

/** Where digits are missing, words beside them that sound like digits are the missing ones: "to one too ..." */
function withAlikes(before: string, digits: string, after: string, { lengths }: Wanted): string | null {
  const [length] = lengths;
  if (length === undefined || digits.length >= length || digits.length < length - ALIKES_MAX) return null;
  const leading = wordsOf(before).map(({ text }) => ALIKE[text] ?? null);
  const [trailing] = wordsOf(after).map(({ text }) => ALIKE[text] ?? null);
  const isLast = wordsOf(after).length === 1;
  const missing = length - digits.length;
  const front = leading.slice(-missing);
  if (front.length === missing && front.every((each) => each !== null)) return front.join("") + digits;
  return missing === 1 && isLast && trailing != null ? digits + trailing : null;
}

const ALIKES_MAX = 2;

/** What is said around dictated digits and belongs to them. */
const AROUND = new Set(
  "it it's its is the that that's my number number's so okay ok yes yeah sure um uh er erm well oh and then please here here's area code dash plus extension ext one then now just i think thanks thank you hello hi let me see go first next last digits on me at call reach use be should would code pin id account customer reference order".split(
    " ",
  ),
);
const STRAY_WORDS_MAX = 1;

function strayWords(text: string): number {
  return wordsOf(text).filter((word) => !AROUND.has(word.text) && !/^\d+$/.test(word.text)).length;
}

function readPhone(text: string, said: Dictated, ask: AskNode): AnswerReading {
  const { digits, isSure, isInSentence } = said;
  if (digits.length > PHONE_DIGITS_MAX) return NOT_UNDERSTOOD;
  if (digits.length < PHONE_DIGITS_MIN)
    return isInSentence || IS_TAIL.test(text) ? NOT_UNDERSTOOD : { type: "part", digits };
  const dialed = findPhoneNumber(text)?.value;
  const isInternational = dialed?.isInternational === true || /\bplus\b|\+/i.test(text);
  const extension = dialed?.digits === digits ? (dialed.extension ?? null) : null;
  const number = `${isInternational ? "+" : ""}${digits}${extension === null ? "" : `x${extension}`}`;
  const answer = answerOf(ask, number);
  return isSure ? { type: "answer", answer } : { type: "unsure", answer };
}

const THIS_NUMBER =
  /\b(?:(?:on|at|use|just|call|reach|try|keep|same|this|the|yes|yeah|it's|is|fine|phone|me) )*(?:this (?:number|phone|one|line)|(?:the )?(?:same )?(?:number|one|phone|line) (?:that )?(?:you(?:'re| are| have|'ve| just)?|we(?:'re| are)) (?:just )?(?:called|calling|call|dialed|rang|ringing|reached|got|have|on|speaking|talking)|(?:the )?same number|the one (?:i'm|i am|we're|we are) on)\b/i;

/** "This number is fine": the one that was called, which is read back. */
function readKnownNumber(text: string, ask: AskNode, calledNumber: string | null): AnswerReading | null {
  if (calledNumber === null || !THIS_NUMBER.test(text) || findDigits(text.replaceAll(/\bone\b/gi, "")) !== null)
    return null;
  if (/\bnot\b|n't\b|\?|\b(?:if|what|which|why|who|unless|wrong|where|how|but)\b/i.test(text)) return null;
  const why = [{ judge: "slots", says: "the number that was called" }] as const;
  return { type: "unsure", answer: answerOf(ask, calledNumber), why };
}
