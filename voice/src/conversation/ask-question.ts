import type { AskNode } from "@parley/contract/flow-ask";
import type { ReplyPart } from "../ports/brain.ts";
import {
  type CallContext,
  isInterruptible,
  nodeOf,
  phrase,
  say,
  saySlowly,
  speak,
  spokenKindOf,
} from "./call-context.ts";
import type { Asking, FlowState } from "./flow-state.ts";
import { LISTEN, type Outcome } from "./outcome.ts";
import { statementOf } from "./texts/read-back.ts";
import { speakValue } from "./texts/speak-value.ts";
import type { Answer } from "./understanding/answer.ts";
import type { Period } from "./understanding/find-period.ts";
import { plainWords } from "./understanding/plain-words.ts";
import { keysMaxOf, keysOfChoices } from "./understanding/read-keys.ts";

/** After so many answers that were not understood, keys are offered. */
const FAILURES_BEFORE_KEYS = 2;

export function askOf(context: CallContext, { nodeId }: Asking): AskNode {
  const node = nodeOf(context, nodeId);
  if (node.type !== "ask") throw new Error(`the node ${nodeId} asks nothing`);
  return node;
}

/** A question that was just asked for the first time. */
export function newQuestion(nodeId: string): Asking {
  return { name: "asking", nodeId, failures: 0, repeats: 0, wasHeard: true, digits: "", doubt: null, within: null };
}

/** What the callee is to answer now, as it is said: the question itself, or the doubt about its answer. */
function questionText(context: CallContext, state: FlowState, at: Asking): string {
  const ask = askOf(context, at);
  const spoken = (value: unknown) => speakValue(value, spokenKindOf(ask), context.speaking);
  switch (at.doubt?.type) {
    case "confirming":
      return confirmation(context, state, ask, at.doubt.answer);
    case "choosing": {
      const [first, second] = at.doubt.options;
      if (ask.answer === "choice") {
        return phrase(context, "clarify_choice", {
          first: statementFor(ask, first),
          second: statementFor(ask, second),
        });
      }
      return phrase(context, "clarify", { first: spoken(first.value), second: spoken(second.value) });
    }
    case undefined:
      return at.within === null ? speak(context, state, ask.text) : periodQuestion(context, at.within);
  }
}

/** Asks for what is missing of a day or a time. */
function periodQuestion(context: CallContext, { kind, from, to, said }: Period): string {
  const spoken = (value: string) => speakValue(value, kind === "days" ? "date" : "time", context.speaking);
  if (said === null) return phrase(context, "which_time_between", { first: spoken(from), second: spoken(to) });
  return phrase(context, kind === "days" ? "which_day" : "which_time", { period: said });
}

/** Reads an answer back, in the flow's own words where it has some. */
function confirmation(context: CallContext, state: FlowState, ask: AskNode, answer: Answer): string {
  const spoken = speakValue(answer.value, spokenKindOf(ask), context.speaking);
  if (ask.confirm?.text !== undefined) return speak(context, state, ask.confirm.text, { answer: spoken });
  if (ask.answer === "yes_no") return phrase(context, answer.value === true ? "confirm_yes" : "confirm_no");
  if (ask.answer === "choice") return phrase(context, "confirm_choice", { answer: statementFor(ask, answer) });
  return phrase(context, "confirm", { answer: spoken });
}

function statementFor(ask: AskNode, { exit, value }: Answer): string {
  return exit === null ? String(value) : statementOf(ask, exit);
}

/** Asks what is open now, after something else was said. */
export function askAgain(context: CallContext, state: FlowState, at: Asking, before: readonly string[] = []): Outcome {
  const mayBeInterrupted = isInterruptible(context, askOf(context, at));
  const texts = [...before, questionText(context, state, at)];
  const parts = texts.flatMap((text) => say(text, mayBeInterrupted));
  return { state: { ...state, at: { ...at, wasHeard: true } }, parts, waitsFor: LISTEN };
}

/** The callee wants to hear it again: in other words where there are any, else in small pieces. */
export function repeatQuestion(context: CallContext, state: FlowState, at: Asking): Outcome {
  const ask = askOf(context, at);
  const mayBeInterrupted = isInterruptible(context, ask);
  const reworded = at.doubt === null && at.repeats === 0 ? ask.reworded : undefined;
  const parts: ReplyPart[] = [
    ...say(phrase(context, "again"), mayBeInterrupted),
    ...(reworded === undefined
      ? saySlowly(questionText(context, state, at), mayBeInterrupted)
      : say(speak(context, state, reworded), mayBeInterrupted)),
  ];
  return { state: { ...state, at: { ...at, repeats: at.repeats + 1, wasHeard: true } }, parts, waitsFor: LISTEN };
}

/** Asks once more for an answer that was not understood. `because` is said where the flow has no words for it. */
export function askForClearAnswer(context: CallContext, state: FlowState, at: Asking, because: string): Outcome {
  const ask = askOf(context, at);
  const texts = (ask.retries ?? context.plan.settings.retries)?.texts ?? [];
  const wording =
    at.doubt === null && at.within === null ? texts[Math.min(at.failures - 1, texts.length - 1)] : undefined;
  const retry = wording === undefined ? [because, questionText(context, state, at)] : [speak(context, state, wording)];
  const keys = at.failures >= FAILURES_BEFORE_KEYS && at.doubt === null ? offerOfKeys(context, ask) : [];
  const parts = [...retry, ...keys].flatMap((text) => say(text, isInterruptible(context, ask)));
  return { state: { ...state, at: { ...at, wasHeard: true } }, parts, waitsFor: LISTEN };
}

function offerOfKeys(context: CallContext, ask: AskNode): string[] {
  if (keysMaxOf(ask) === null) return [];
  if (ask.answer === "yes_no") return [phrase(context, "press_yes_no")];
  if (ask.answer !== "choice") return [phrase(context, "press_digits")];
  return keysOfChoices(ask).flatMap((key, index) =>
    key === null ? [] : [phrase(context, "press_choice", { key, choice: ask.exits[index]?.when ?? "" })],
  );
}

/** Who heard so many words of a question can answer it. */
const WORDS_HEARD_MIN = 3;

/** A reply was cut off after these words. If the question at its end was not among them, the callee has not heard it. */
export function noteCut(context: CallContext, state: FlowState, heardText: string): FlowState {
  const { at } = state;
  if (at.name !== "asking") return state;
  const beginning = plainWords(questionText(context, state, at))
    .slice(0, WORDS_HEARD_MIN)
    .join(" ");
  const wasHeard = ` ${plainWords(heardText).join(" ")} `.includes(` ${beginning} `);
  return { ...state, at: { ...at, wasHeard } };
}
