import type { AskNode } from "@parley/contract/flow-ask";
import { type AnswerReading, answerOf, NOT_UNDERSTOOD } from "../answer.ts";
import { answerFor } from "../read-choice.ts";
import { PHONE_DIGITS_MIN, readDigitsAnswer } from "./read-dictation.ts";
import { isInRange } from "./read-value.ts";

const NUMBER_KEYS_MAX = 9;
const PHONE_KEYS_MAX = 15;

/** The key of each choice. Where none is given they are counted, as far as one key goes. */
export function keysOfChoices({ exits }: AskNode): readonly (string | null)[] {
  const hasOwn = exits.some(({ key }) => key !== undefined);
  return exits.map(({ key }, index) => (hasOwn ? (key ?? null) : index < NUMBER_KEYS_MAX ? String(index + 1) : null));
}

/** How many keys an answer has at most, null where keys are no answer. */
export function keysMaxOf(ask: AskNode): number | null {
  switch (ask.answer) {
    case "yes_no":
    case "choice":
      return 1;
    case "number":
      return ask.range?.max === undefined ? NUMBER_KEYS_MAX : String(Math.floor(Math.abs(ask.range.max))).length;
    case "digits":
      return ask.digits?.max ?? 40;
    case "phone":
      return PHONE_KEYS_MAX;
    default:
      return null;
  }
}

/** Reads an answer out of keys that were pressed. */
export function readKeys(keys: string, ask: AskNode): AnswerReading {
  const digits = /^\d+$/.test(keys) ? keys : null;
  switch (ask.answer) {
    case "yes_no":
      return keys === "1" || keys === "2" ? { type: "answer", answer: answerOf(ask, keys === "1") } : NOT_UNDERSTOOD;
    case "choice": {
      const exit = keysOfChoices(ask).indexOf(keys);
      return exit < 0 ? NOT_UNDERSTOOD : { type: "answer", answer: answerFor(ask, exit) };
    }
    case "number":
      return digits !== null && isInRange(Number(digits), ask)
        ? { type: "answer", answer: answerOf(ask, Number(digits)) }
        : NOT_UNDERSTOOD;
    case "digits":
      return readDigitsAnswer(digits, ask);
    case "phone":
      if (digits === null || digits.length > PHONE_KEYS_MAX) return NOT_UNDERSTOOD;
      return digits.length < PHONE_DIGITS_MIN
        ? { type: "part", digits }
        : { type: "answer", answer: answerOf(ask, digits) };
    default:
      return NOT_UNDERSTOOD;
  }
}
