import { answerFor } from "./answers/read-choice.ts";
import { askForClearAnswer, askOf } from "./ask-question.ts";
import { type CallScope, phrase } from "./call-scope.ts";
import type { Asking, FlowState } from "./flow-state.ts";
import type { Outcome } from "./outcome.ts";
import { goOnWith } from "./take-answer.ts";
import { openFlow } from "./take-turn.ts";
import { enterNode } from "./walk-flow.ts";

/** More could not be rendered before the callee answers. */
const CLAUSES_MAX = 16;

/**
 * The first clauses of what may be said next: the whole opening before the call, and afterwards what each answer to the
 * open question leads to.
 */
export function likelyClauses(scope: CallScope, state: FlowState): readonly string[] {
  const { at } = state;
  if (at.name === "ready") return clausesOf(openFlow(scope, state)).slice(0, CLAUSES_MAX);
  if (at.name !== "asking" || at.doubt !== null) return [];
  const firsts = outcomesOf(scope, state, at).flatMap((outcome) => clausesOf(outcome).slice(0, 1));
  return [...new Set(firsts)].slice(0, CLAUSES_MAX);
}

function outcomesOf(scope: CallScope, state: FlowState, at: Asking): Outcome[] {
  const ask = askOf(scope, at);
  const exits = ask.exits.map((_, exit) => goOnWith(scope, state, at, answerFor(ask, exit)));
  const others = [ask.next, ask.otherwise].flatMap((id) => (id === undefined ? [] : [enterNode(scope, state, id)]));
  const retry = askForClearAnswer(scope, state, { ...at, failures: at.failures + 1 }, phrase(scope, "unclear"));
  return [...exits, ...others, retry];
}

function clausesOf({ parts }: Outcome): string[] {
  return parts.flatMap((part) => (part.type === "say" ? [part.text] : []));
}
