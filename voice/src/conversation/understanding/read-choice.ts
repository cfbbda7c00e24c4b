import type { AskNode } from "@parley/contract/flow-ask";
import { type Answer, valueOfExit } from "./answer.ts";
import type { Meaning } from "./match-phrase.ts";

/** The exits of a question as things that can be meant. A choice is also meant by what it is called. */
export function meaningsOfExits(ask: AskNode): Meaning<number>[] {
  return ask.exits.map(({ when, phrases = [] }, id) => ({
    id,
    phrases: ask.answer === "choice" ? [when, ...phrases] : phrases,
  }));
}

export function answerFor(ask: AskNode, exit: number): Answer {
  return { value: valueOfExit(ask, exit), exit };
}
