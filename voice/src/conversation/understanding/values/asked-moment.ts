import type { AskNode } from "@parley/contract/flow-ask";
import { askingSentence, type OpenQuestion } from "../question-context.ts";
import { findTimes, type Period } from "./find-period.ts";

/** What the words of a question, and those of the answer, say about the day or the time that is meant without naming it. */

const OF_THE_PAST =
  /\b(?:did|was|were|have (?:you|they|we)|has (?:he|she|it|the|your|been)|had|since (?:when|what|which)|date of birth|birth ?date|born)\b/i;
const OF_THE_FUTURE =
  /\b(?:will|would|shall|can|could|should|may|might|must|like|want|going|need|plan\w*|suppose\w*|book\w*|schedul\w*|due|next|upcoming|appointment)\b/i;

/** Whether the day that is asked for is over: if the flow says so, or the question is about the past. */
export function isDayBehind(ask: AskNode, asked: string): boolean {
  if (ask.dates !== undefined) return ask.dates === "behind";
  const asking = askingSentence(asked);
  return ask.answer === "date" && OF_THE_PAST.test(asking) && !OF_THE_FUTURE.test(asking);
}

const PARTS_OF_DAY: readonly (readonly [pattern: RegExp, from: string, to: string])[] = [
  [
    /\b(?:tonight|evenings?|at night|overnight|dinner|supper|bed ?time|go(?:es|ing)? to bed|after (?:work|school|dark)|sunset|dusk)\b/i,
    "16:00",
    "23:59",
  ],
  [/\bafternoons?\b/i, "12:00", "18:30"],
  [
    /\b(?:mornings?|breakfast|(?:get|gets|got|getting) up|(?:wake|wakes|woke|waking)(?: up)?|sunrise|dawn|before (?:work|school))\b/i,
    "03:00",
    "12:00",
  ],
];
/** The same by what callees say beside the time. */
const SAID_PARTS: readonly (readonly [pattern: RegExp, from: string, to: string])[] = [
  ...PARTS_OF_DAY,
  [
    /\b(?:first thing|crack of dawn|up with the (?:birds?|larks?|roosters?|chickens?|sun)|early bird|bright and early|before (?:the )?(?:school|work|traffic))\b/i,
    "03:00",
    "12:00",
  ],
];

/**
 * The times between which the answer lies, where the question leaves only some: "between three and seven", or "You're
 * dining with us tonight. When will you arrive?". Otherwise the answer itself may say which half of the day it means.
 */
export function timesMeant({ ask, text, within }: OpenQuestion, said: string): Period | null {
  if (within !== null) return within;
  if (ask.answer !== "time") return null;
  const asking = askingSentence(text);
  return (
    partOfDayIn(asking, PARTS_OF_DAY) ??
    rangeIn(text) ??
    partOfDayIn(text, PARTS_OF_DAY) ??
    partOfDayIn(said, SAID_PARTS)
  );
}

/** The only part of the day that a text names. */
function partOfDayIn(text: string, parts: typeof PARTS_OF_DAY): Period | null {
  const [only, ...others] = parts.filter(([pattern]) => pattern.test(text));
  if (only === undefined || others.some(([, from]) => from !== only[1])) return null;
  return { kind: "times", from: only[1], to: only[2], said: null };
}

/** Two times with what is between them. */
export function rangeIn(text: string): Period | null {
  const period = findTimes(text);
  return period?.said === null ? period : null;
}
