import type { AskNode } from "@parley/contract/flow-ask";
import type { ReplyPart } from "../ports/brain.ts";
import { keysMaxOf, keysOfChoices } from "./answers/read-keys.ts";
import { type CallScope, isInterruptible, nodeOf, phrase, say, saySlowly, speak, spokenKindOf } from "./call-scope.ts";
import type { Asking, FlowState } from "./flow-state.ts";
import { LISTEN, type Outcome } from "./outcome.ts";
import { speakValue } from "./texts/speak-value.ts";

/** After so many answers that were not understood, keys are offered. */
const FAILURES_BEFORE_KEYS = 2;

export function askOf(scope: CallScope, { nodeId }: Asking): AskNode {
  const node = nodeOf(scope, nodeId);
  if (node.type !== "ask") throw new Error(`the node ${nodeId} asks nothing`);
  return node;
}

/** A question that was just asked for the first time. */
export function newQuestion(nodeId: string): Asking {
  return { name: "asking", nodeId, failures: 0, repeats: 0, wasHeard: true, digits: "", doubt: null };
}

/** What the callee is to answer now, as it is said: the question itself, or the doubt about its answer. */
export function questionText(scope: CallScope, state: FlowState, at: Asking): string {
  const ask = askOf(scope, at);
  const spoken = (value: unknown) => speakValue(value, spokenKindOf(ask), scope.speaking);
  switch (at.doubt?.type) {
    case "confirming": {
      const answer = spoken(at.doubt.answer.value);
      const wording = ask.confirm?.text;
      return wording === undefined ? phrase(scope, "confirm", { answer }) : speak(scope, state, wording, { answer });
    }
    case "choosing": {
      const [first, second] = at.doubt.options.map(({ value }) => spoken(value));
      return phrase(scope, "clarify", { first: first ?? "", second: second ?? "" });
    }
    case undefined:
      return speak(scope, state, ask.text);
  }
}

/** Asks what is open now, after something else was said. */
export function askAgain(scope: CallScope, state: FlowState, at: Asking, before: readonly string[] = []): Outcome {
  const mayBeInterrupted = isInterruptible(scope, askOf(scope, at));
  const texts = [...before, questionText(scope, state, at)];
  const parts = texts.flatMap((text) => say(text, mayBeInterrupted));
  return { state: { ...state, at: { ...at, wasHeard: true } }, parts, waitsFor: LISTEN };
}

/** The callee wants to hear it again: in other words where there are any, else in small pieces. */
export function repeatQuestion(scope: CallScope, state: FlowState, at: Asking): Outcome {
  const ask = askOf(scope, at);
  const mayBeInterrupted = isInterruptible(scope, ask);
  const reworded = at.doubt === null && at.repeats === 0 ? ask.reworded : undefined;
  const parts: ReplyPart[] = [
    ...say(phrase(scope, "again"), mayBeInterrupted),
    ...(reworded === undefined
      ? saySlowly(questionText(scope, state, at), mayBeInterrupted)
      : say(speak(scope, state, reworded), mayBeInterrupted)),
  ];
  return { state: { ...state, at: { ...at, repeats: at.repeats + 1, wasHeard: true } }, parts, waitsFor: LISTEN };
}

/** Asks once more for an answer that was not understood. `because` is said where the flow has no words for it. */
export function askForClearAnswer(scope: CallScope, state: FlowState, at: Asking, because: string): Outcome {
  const ask = askOf(scope, at);
  const texts = (ask.retries ?? scope.plan.settings.retries)?.texts ?? [];
  const wording = at.doubt === null ? texts[Math.min(at.failures - 1, texts.length - 1)] : undefined;
  const retry = wording === undefined ? [because, questionText(scope, state, at)] : [speak(scope, state, wording)];
  const keys = at.failures >= FAILURES_BEFORE_KEYS && at.doubt === null ? offerOfKeys(scope, ask) : [];
  const parts = [...retry, ...keys].flatMap((text) => say(text, isInterruptible(scope, ask)));
  return { state: { ...state, at: { ...at, wasHeard: true } }, parts, waitsFor: LISTEN };
}

function offerOfKeys(scope: CallScope, ask: AskNode): string[] {
  if (keysMaxOf(ask) === null) return [];
  if (ask.answer === "yes_no") return [phrase(scope, "press_yes_no")];
  if (ask.answer !== "choice") return [phrase(scope, "press_digits")];
  return keysOfChoices(ask).flatMap((key, index) =>
    key === null ? [] : [phrase(scope, "press_choice", { key, choice: ask.exits[index]?.when ?? "" })],
  );
}
