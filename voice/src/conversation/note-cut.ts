import { questionText } from "./ask-question.ts";
import type { CallScope } from "./call-scope.ts";
import type { FlowState } from "./flow-state.ts";
import { plainWords } from "./intents/plain-words.ts";

/** Who heard so many words of a question can answer it. */
const WORDS_HEARD_MIN = 3;

/** A reply was cut off after these words. If the question at its end was not among them, nobody has heard it. */
export function noteCut(scope: CallScope, state: FlowState, heardText: string): FlowState {
  const { at } = state;
  if (at.name !== "asking") return state;
  const beginning = plainWords(questionText(scope, state, at))
    .slice(0, WORDS_HEARD_MIN)
    .join(" ");
  const wasHeard = ` ${plainWords(heardText).join(" ")} `.includes(` ${beginning} `);
  return { ...state, at: { ...at, wasHeard } };
}
