import type { AskNode } from "@parley/contract/flow-ask";
import { findDate } from "../../../text/values-in-speech/find-date.ts";
import { findEmail } from "../../../text/values-in-speech/find-email.ts";
import { findNumber } from "../../../text/values-in-speech/find-number.ts";
import { findTime } from "../../../text/values-in-speech/find-time.ts";
import { type AnswerReading, answerOf, type CollectedValue, NOT_UNDERSTOOD, type ReadingContext } from "../answer.ts";
import { isOnlyFiller, plainWords } from "../plain-words.ts";
import { isDayBehind } from "./asked-moment.ts";
import { readDictation } from "./read-dictation.ts";
import { readName } from "./read-name.ts";

/** Reads an answer of the requested kind from what was said. */
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
    case "digits":
      return readDictation(text, ask, { dictated: "", calledNumber: null });
    case "email":
      return understood(ask, findEmail(text)?.value);
    case "name":
      return readNameAnswer(text, ask);
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
  const prefer = isDayBehind(ask, ask.text) ? "past" : "future";
  const found = findDate(text, { nowMs, timeZone, isDayFirst, prefer });
  const [other] = found?.others ?? [];
  if (found === null || other === undefined) return understood(ask, found?.value);
  return { type: "doubt", options: [answerOf(ask, found.value), answerOf(ask, other)] };
}

function readNameAnswer(text: string, ask: AskNode): AnswerReading {
  const found = readName(text);
  if (found === null) return NOT_UNDERSTOOD;
  const answer = answerOf(ask, found.name);
  if (found.isSure) return { type: "answer", answer };
  return { type: "unsure", answer, why: [{ judge: "match", says: "may be no name" }] };
}
