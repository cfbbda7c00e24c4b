import type { AskNode } from "@parley/contract/flow-ask";
import { findDate } from "../../../text/from-speech/find-date.ts";
import { findDigits, findPhoneNumber } from "../../../text/from-speech/find-digits.ts";
import { findEmail } from "../../../text/from-speech/find-email.ts";
import { findNumber } from "../../../text/from-speech/find-number.ts";
import { findSpelling } from "../../../text/from-speech/find-spelling.ts";
import { findTime } from "../../../text/from-speech/find-time.ts";
import { type AnswerReading, answerOf, type CollectedValue, NOT_UNDERSTOOD, type ReadingContext } from "../answer.ts";
import { isOnlyFiller, plainWords } from "../plain-words.ts";

export const PHONE_DIGITS_MIN = 7;

/** Reads an answer of the kind that was asked for out of what was said. */
export function readAnswerValue(text: string, ask: AskNode, context: ReadingContext): AnswerReading {
  switch (ask.answer) {
    case "yes_no":
    case "choice":
      throw new Error("what was chosen is understood by understandChoice");
    case "number":
      return readNumber(text, ask);
    case "date":
      return readDate(text, ask, context);
    case "time":
      return understood(ask, findTime(text)?.value);
    case "phone":
      return readPhone(text, ask);
    case "digits":
      return readDigitsAnswer(findDigitsOf(text, ask), ask);
    case "email":
      return understood(ask, findEmail(text)?.value);
    case "name":
      return understood(ask, readName(text));
    case "free_text":
      return understood(ask, isOnlyFiller(plainWords(text)) ? null : text.trim());
  }
}

function understood(ask: AskNode, value: CollectedValue | undefined): AnswerReading {
  return value === undefined || value === null ? NOT_UNDERSTOOD : { type: "answer", answer: answerOf(ask, value) };
}

function readNumber(text: string, ask: AskNode): AnswerReading {
  const found = findNumber(text);
  if (found === null) return NOT_UNDERSTOOD;
  const [value, other] = [found.value, ...found.others].filter((number) => isInRange(number, ask));
  // Other readings of the same words are less likely; a second number that was offered is as likely as the first.
  const isOffer = other !== undefined && /\b(?:or|maybe)\b/i.test(text.slice(found.start, found.end));
  if (value === undefined || !isOffer) return understood(ask, value);
  return { type: "doubt", options: [answerOf(ask, value), answerOf(ask, other)] };
}

export function isInRange(number: number, { range }: AskNode): boolean {
  return number >= (range?.min ?? Number.NEGATIVE_INFINITY) && number <= (range?.max ?? Number.POSITIVE_INFINITY);
}

function readDate(text: string, ask: AskNode, { nowMs, timeZone, isDayFirst }: ReadingContext): AnswerReading {
  const prefer = ask.dates === "behind" ? "past" : "future";
  const found = findDate(text, { nowMs, timeZone, isDayFirst, prefer });
  const [other] = found?.others ?? [];
  if (found === null || other === undefined) return understood(ask, found?.value);
  return { type: "doubt", options: [answerOf(ask, found.value), answerOf(ask, other)] };
}

function readPhone(text: string, ask: AskNode): AnswerReading {
  const found = findPhoneNumber(text);
  if (found !== null) {
    const { digits, isInternational, extension } = found.value;
    const number = isInternational ? `+${digits}` : digits;
    return understood(ask, extension === null ? number : `${number}x${extension}`);
  }
  const digits = findDigits(text)?.value;
  return digits === undefined ? NOT_UNDERSTOOD : { type: "part", digits };
}

function findDigitsOf(text: string, { digits }: AskNode): string | null {
  const isFixed = digits !== undefined && digits.min === digits.max;
  return findDigits(text, isFixed ? { length: digits.max } : {})?.value ?? null;
}

/** Too few digits may be the beginning of more; too many are a mistake. */
export function readDigitsAnswer(digits: string | null, ask: AskNode): AnswerReading {
  const { min, max } = ask.digits ?? { min: 1, max: 40 };
  if (digits === null || digits === "" || digits.length > max) return NOT_UNDERSTOOD;
  return digits.length < min ? { type: "part", digits } : understood(ask, digits);
}

/** What people say before their name. */
const LEAD_IN =
  /^.*\b(?:name is|name's|name would be|call me|it is|it's|this is|i am|i'm|that is|that's|speaking with|you have|here is)\s+/i;
const OPENING = /^(?:(?:yes|yeah|yep|sure|okay|ok|of course|um|uh|er|well|oh|hello|hi|so)[\s,.]+)+/i;
const CLOSING = /[\s,.]+(?:please|speaking|here|thanks|thank you|sir|madam)[\s.!]*$/i;
const BEFORE_SPELLING =
  /[\s,.]*\b(?:(?:it is |it's |which is |that is |that's )?(?:spelled|spelt)|that is|that's|it's)[\s,:]*$/i;
/** Words that are not part of a name. */
const NO_NAME = /\b(?:not|don't|won't|can't|why|who|what|how|when|where|do|does|want|tell|say|know|you|your)\b/i;
const WORDS_MAX = 5;

/** The name in an answer to "What is your name?", with what was spelled put in its place. Null when there is none. */
export function readName(text: string): string | null {
  const spelled = findSpelling(text);
  const said = spelled === null ? text : text.slice(0, spelled.start).replace(BEFORE_SPELLING, "");
  const name = said.replace(OPENING, "").replace(LEAD_IN, "").replace(CLOSING, "");
  const words = name.split(/\s+/).flatMap((word) => word.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "") || []);
  if (spelled === null && (words.length === 0 || words.length > WORDS_MAX || NO_NAME.test(name))) return null;
  const capitals = words.slice(0, WORDS_MAX).map(withCapital);
  return spelled === null ? capitals.join(" ") : withSpelling(capitals, withCapital(spelled.value.toLowerCase()));
}

/** What is spelled is the way to write the word that begins so; otherwise it comes after what was said. */
function withSpelling(words: readonly string[], spelled: string): string {
  const at = words.findLastIndex((word) => word[0] === spelled[0]);
  return (at < 0 ? [...words, spelled] : words.with(at, spelled)).join(" ");
}

function withCapital(word: string): string {
  return word
    .split(/(?<=[-'])/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}
