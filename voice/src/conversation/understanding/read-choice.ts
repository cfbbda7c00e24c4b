import type { AskNode } from "@parley/contract/flow-ask";
import { type Answer, type AnswerReading, NOT_UNDERSTOOD, valueOfExit } from "./answer.ts";
import { type Meaning, type MeaningMatch, matchMeanings } from "./match-phrase.ts";
import { plainWords, withoutFillers } from "./plain-words.ts";

/** The exits of a question as things that can be meant. A choice is also meant by what it is called. */
export function meaningsOfExits(ask: AskNode): Meaning<number>[] {
  return ask.exits.map(({ when, phrases = [] }, id) => ({
    id,
    phrases: ask.answer === "choice" ? [when, ...phrases] : phrases,
  }));
}

/** Which of the choices was said. Two of them at once are a doubt, unless one is said more fully. */
export function readChoice(text: string, ask: AskNode): AnswerReading {
  const [first, second] = matchMeanings(text, meaningsOfExits(ask));
  if (first === undefined) return NOT_UNDERSTOOD;
  if (second === undefined || isAhead(text, first, second)) return { type: "answer", answer: answerFor(ask, first.id) };
  return { type: "doubt", options: [answerFor(ask, first.id), answerFor(ask, second.id)] };
}

export function answerFor(ask: AskNode, exit: number): Answer {
  return { value: valueOfExit(ask, exit), exit };
}

function isAhead(text: string, first: MeaningMatch<number>, second: MeaningMatch<number>): boolean {
  const words = withoutFillers(plainWords(text));
  const [left, right] = first.start <= second.start ? [first, second] : [second, first];
  // "come or cancel" names both on purpose.
  if (words.slice(left.end, right.start).includes("or")) return false;
  return first.strength > second.strength || first.end - first.start > second.end - second.start;
}
