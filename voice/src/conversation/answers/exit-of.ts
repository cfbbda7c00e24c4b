import type { AskNode } from "@parley/contract/flow-ask";
import { ANSWER_RULES } from "@parley/flow/checks/exits";
import type { Answer, CollectedValue } from "./answer.ts";

/** The answer with this value, and the exit that is for it. */
export function answerOf(ask: AskNode, value: CollectedValue): Answer {
  const { canonical } = ANSWER_RULES[ask.answer];
  const written = typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
  const wanted = canonical(written);
  const exit = wanted === null ? -1 : ask.exits.findIndex(({ when }) => canonical(when) === wanted);
  return { value, exit: exit < 0 ? null : exit };
}

/** The value that an exit stands for. */
export function valueOfExit(ask: AskNode, exit: number): CollectedValue {
  const when = ask.exits[exit]?.when.trim() ?? "";
  if (ask.answer === "yes_no") return when.toLowerCase() === "yes";
  return ask.answer === "number" ? Number(when) : when;
}
