import type { AskNode } from "@parley/contract/flow-ask";
import type { PhraseName } from "@parley/contract/flow-settings";
import { STANDARD_LANGUAGES } from "@parley/flow/standard-texts";
import { codeOf } from "../languages/identification/identify-language.ts";
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
import { speakValue } from "./texts/speak-value.ts";
import type { Answer } from "./understanding/answer.ts";
import { plainWords } from "./understanding/plain-words.ts";
import type { Period } from "./understanding/values/find-period.ts";
import { keysMaxOf, keysOfChoices } from "./understanding/values/read-keys.ts";

/** Keys are offered after this many answers that were not understood. */
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

/** What the callee is to answer now, as it is spoken: the question itself, or the doubt about its answer. */
function questionText(context: CallContext, state: FlowState, at: Asking): string {
  const ask = askOf(context, at);
  const spoken = (value: unknown) => speakValue(value, spokenKindOf(ask), context.speaking);
  const isAgain = at.isReworded ?? false;
  switch (at.doubt?.type) {
    case "confirming":
      return confirmation(context, state, ask, at.doubt.answer, isAgain);
    case "choosing": {
      const [first, second] = at.doubt.options;
      if (ask.answer === "choice") {
        return variedPhrase(context, "clarify_choice", "clarify_choice_again", isAgain, {
          first: statementFor(context, ask, first),
          second: statementFor(context, ask, second),
        });
      }
      const values = { first: spoken(first.value), second: spoken(second.value) };
      return variedPhrase(context, "clarify", "clarify_again", isAgain, values);
    }
    case "offering":
      return variedPhrase(context, "offer_callback", "offer_callback_again", isAgain);
    case undefined:
      return at.within === null ? speak(context, state, ask.text) : periodQuestion(context, at.within);
  }
}

/** Asks for the missing part of a day or a time. */
function periodQuestion(context: CallContext, { kind, from, to, said }: Period): string {
  const spoken = (value: string) => speakValue(value, kind === "days" ? "date" : "time", context.speaking);
  if (said === null) return phrase(context, "which_time_between", { first: spoken(from), second: spoken(to) });
  return phrase(context, kind === "days" ? "which_day" : "which_time", { period: said });
}

/** Reads an answer back, the first time in the flow's own words if it has any. */
function confirmation(context: CallContext, state: FlowState, ask: AskNode, answer: Answer, isAgain: boolean): string {
  const spoken = speakValue(answer.value, spokenKindOf(ask), context.speaking);
  if (ask.answer === "yes_no") {
    return variedPhrase(context, answer.value === true ? "confirm_yes" : "confirm_no", "yes_or_no", isAgain);
  }
  const own = ask.confirm?.text;
  if (own !== undefined && !(isAgain && mayVary(context, "confirm", "confirm_again"))) {
    return speak(context, state, own, { answer: spoken });
  }
  if (ask.answer !== "choice") {
    return variedPhrase(context, "confirm", "confirm_again", isAgain, { answer: spoken });
  }
  const statement = statementFor(context, ask, answer);
  return variedPhrase(context, "confirm_choice", "confirm_choice_again", isAgain, { answer: statement });
}

/**
 * A phrase, or other words for it. Agents that define only the phrase itself repeat it: they may speak another
 * language.
 */
function variedPhrase(
  context: CallContext,
  name: PhraseName,
  again: PhraseName,
  isAgain: boolean,
  values: Readonly<Record<string, string>> = {},
): string {
  return phrase(context, isAgain && mayVary(context, name, again) ? again : name, values);
}

function mayVary({ plan }: CallContext, name: PhraseName, again: PhraseName): boolean {
  const own = plan.settings.phrases ?? {};
  return own[name] === undefined || own[again] !== undefined;
}

/** The current doubt in other words than the last time, if it is the same one. */
function varyDoubt({ at: before }: FlowState, at: Asking): Asking {
  const isSame =
    at.doubt !== null &&
    before.name === "asking" &&
    before.nodeId === at.nodeId &&
    JSON.stringify(before.doubt) === JSON.stringify(at.doubt);
  return { ...at, isReworded: isSame && !(before.isReworded ?? false) };
}

function statementFor({ pack }: CallContext, ask: AskNode, { exit, value }: Answer): string {
  if (exit === null) return String(value);
  // Only English answers are turned into statements; others are named as the flow does, or in its words for it.
  return pack === null ? statementOf(ask, exit) : (ask.exits[exit]?.readBack ?? String(value));
}

/** Asks what is open now, after something else was said. */
export function askAgain(context: CallContext, state: FlowState, at: Asking, before: readonly string[] = []): Outcome {
  const mayBeInterrupted = isInterruptible(context, askOf(context, at));
  const asking = varyDoubt(state, at);
  const texts = [...before, questionText(context, state, asking)];
  const parts = texts.flatMap((text) => say(text, mayBeInterrupted));
  return { state: { ...state, at: { ...asking, wasHeard: true } }, parts, waitsFor: LISTEN };
}

/** The callee wants to hear it again: in other words if there are any, otherwise in small pieces. */
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

/** Why an answer was not taken: "unanswered" where the callee asked something instead that the agent cannot answer. */
export type NotTaken = "unclear" | "not_heard" | "unanswered";

/** Asks again for an answer that was not understood, in other words than before. */
export function askForClearAnswer(context: CallContext, state: FlowState, at: Asking, because: NotTaken): Outcome {
  const ask = askOf(context, at);
  const mayBeInterrupted = isInterruptible(context, ask);
  const asking = varyDoubt(state, at);
  const why = isWorded(context, because) ? because : "unclear";
  const texts = at.doubt === null ? retryTexts(context, state, at, why) : [];
  const apology = variedPhrase(context, why, `${why}_again`, at.failures > 1);
  const said = texts.length > 0 ? texts : [apology, questionText(context, state, asking)];
  const parts = said.flatMap((text) => say(text, mayBeInterrupted));
  return { state: { ...state, at: { ...asking, wasHeard: true } }, parts, waitsFor: LISTEN };
}

/** What is said before a question is asked for the second and third time, finally with the keys. */
function retryTexts(context: CallContext, state: FlowState, at: Asking, because: NotTaken): readonly string[] {
  const ask = askOf(context, at);
  const keys = at.failures >= FAILURES_BEFORE_KEYS && because !== "unanswered" ? offerOfKeys(context, ask) : [];
  const texts = (ask.retries ?? context.plan.settings.retries)?.texts ?? [];
  const wording = at.within === null ? texts[Math.min(at.failures - 1, texts.length - 1)] : undefined;
  if (wording !== undefined && because !== "unanswered") return [speak(context, state, wording), ...keys];
  const isFirst = at.failures <= 1;
  const isThird = at.failures === 3 && because !== "unanswered" && isWorded(context, "once_more");
  const apology = isThird ? phrase(context, "once_more") : variedPhrase(context, because, `${because}_again`, !isFirst);
  if (at.within !== null) return [apology, questionText(context, state, at), ...keys];
  const question = wordedAgain(context, state, ask, at.failures, because);
  // The question itself was heard a moment ago: the keys name its answers.
  const isHeard = !isFirst && ask.reworded === undefined && ask.answer === "choice" && keys.length > 0;
  return [apology, ...(isHeard ? [] : [question]), ...keys];
}

/** The question in other words than the time before, as far as there are any: its own, other words for it, and what it asks for. */
function wordedAgain(
  context: CallContext,
  state: FlowState,
  ask: AskNode,
  failures: number,
  because: NotTaken,
): string {
  const isEven = failures % 2 === 0;
  if (isEven && ask.answer === "yes_no" && ask.reworded === undefined) return phrase(context, "yes_or_no");
  const form = because === "unclear" ? FORMS[ask.answer] : undefined;
  if (isEven && form !== undefined && ask.reworded === undefined && isWorded(context, form))
    return phrase(context, form);
  return speak(context, state, isEven ? ask.text : (ask.reworded ?? ask.text));
}

/** What form of answer helps. It stands for the question, which was heard a moment ago. */
const FORMS: Readonly<Partial<Record<AskNode["answer"], PhraseName>>> = {
  number: "say_number",
  date: "say_date",
  time: "say_time",
  name: "say_name",
  phone: "say_digits",
  digits: "say_digits",
  free_text: "say_words",
};

/** Whether a phrase is worded in the language of the call. Agents in others would say it in English. */
function isWorded({ plan, language }: CallContext, name: PhraseName): boolean {
  return plan.settings.phrases?.[name] !== undefined || STANDARD_LANGUAGES.includes(codeOf(language));
}

function offerOfKeys(context: CallContext, ask: AskNode): string[] {
  if (keysMaxOf(ask) === null) return [];
  if (ask.answer === "yes_no") return [phrase(context, "press_yes_no")];
  if (ask.answer !== "choice") return [phrase(context, "press_digits")];
  return keysOfChoices(ask).flatMap((key, index) =>
    key === null ? [] : [phrase(context, "press_choice", { key, choice: nameOfExit(context, ask, index) })],
  );
}

/** The name of a choice in the language of the call. */
function nameOfExit({ isTranslated }: CallContext, { exits }: AskNode, index: number): string {
  const { when = "", phrases = [] } = exits[index] ?? {};
  return isTranslated ? (phrases[0] ?? when) : when;
}

/** A callee who heard this many words of a question can answer it. */
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

/** First-person words and what they become when the agent says them to the callee. */
const SECOND_PERSON: Readonly<Record<string, string>> = {
  i: "you",
  me: "you",
  my: "your",
  mine: "yours",
  myself: "yourself",
  am: "are",
  "i'm": "you're",
  "i'll": "you'll",
  "i'd": "you'd",
  "i've": "you've",
  we: "you",
  us: "you",
  our: "your",
  "we're": "you're",
  "we'll": "you'll",
  "we've": "you've",
};

/**
 * Verbs that labels of answers begin with. What begins otherwise is treated as a thing: "another day", "the small
 * plan".
 */
const VERBS = new Set(
  "accept add agree arrange ask attend book bring buy call cancel change check collect come confirm continue decline delay deliver discuss downgrade end exchange extend finish fix get give go hear help join keep leave let make meet move order pause pay pick postpone quit receive reduce refuse renew rent repair repeat reschedule return save schedule see sell send ship sign skip speak stay stop store subscribe switch take talk transfer try update upgrade use visit vote wait".split(
    " ",
  ),
);

/**
 * A choice as the agent says it back to the callee, as a statement without its full stop: "you will come", "you'd like to
 * cancel", "you've already paid". Flows may word it themselves.
 */
export function statementOf(ask: AskNode, exit: number): string {
  const { when = "", readBack } = ask.exits[exit] ?? {};
  if (readBack !== undefined) return readBack.trim().replace(/[.!?]+$/, "");
  const words = when
    .trim()
    .replace(/[.!?]+$/, "")
    .split(/\s+/);
  const first = words[0]?.toLowerCase() ?? "";
  const spoken = words.map((word) => SECOND_PERSON[word.toLowerCase()] ?? word).join(" ");
  if (/^(?:i|we|my|our)(?:'|$)/.test(first)) return spoken;
  if (first === "already") return `you've ${spoken}`;
  if (VERBS.has(first)) return `you'd like to ${spoken}`;
  return `it's ${spoken}`;
}
