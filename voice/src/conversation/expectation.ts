import type { AskNode } from "@parley/contract/flow-ask";
import { WEEKDAY_NAMES } from "@parley/flow/calendar";
import type { Expectation, ExpectedKind } from "../ports/brain.ts";
import { cardinalWords } from "../text/to-speech/number-words.ts";
import { askOf } from "./ask-question.ts";
import { type CallContext, nodeOf, spokenKindOf } from "./call-context.ts";
import { patienceSettings } from "./conversation-settings.ts";
import type { Asking, FlowState } from "./flow-state.ts";
import { speakValue } from "./texts/speak-value.ts";
import { meaningsOfGlobals } from "./understanding/find-global.ts";
import { keysMaxOf } from "./understanding/values/read-keys.ts";

/** Scoring more phrases than this takes longer than it is worth. */
const ANSWERS_MAX = 40;

const YES_NO = [
  "yes",
  "no",
  "yes please",
  "no thank you",
  "yeah",
  "nope",
  "okay",
  "sure",
  "that's right",
  "not really",
];
const DAYS = ["today", "tomorrow", "the day after tomorrow", "next week"];

const NOTHING: Expectation = { kind: "nothing", answers: [], length: null, keysMax: null, settings: {} };

/** What the callee may say now, for recognition and for judging when a turn is over. */
export function expectationOf(context: CallContext, { at }: FlowState): Expectation {
  if (at.name === "asking") return expectedAnswer(context, at);
  if (at.name !== "conversing") return NOTHING;
  return { kind: "free_text", answers: [], length: null, keysMax: 1, settings: settingsOf(context, at.nodeId) };
}

/** A yes or no, whatever is open in the flow. */
export function expectedYesNo({ pack }: CallContext): Expectation {
  return { kind: "yes_no", answers: pack?.expected.yesNo ?? YES_NO, length: null, keysMax: 1, settings: {} };
}

function expectedAnswer(context: CallContext, at: Asking): Expectation {
  const ask = askOf(context, at);
  const settings = settingsOf(context, ask.id);
  if (at.doubt?.type === "confirming" || at.doubt?.type === "offering") {
    return { kind: "yes_no", answers: context.pack?.expected.yesNo ?? YES_NO, length: null, keysMax: 1, settings };
  }
  if (at.doubt?.type === "choosing") {
    const answers = at.doubt.options.map(({ value }) => speakValue(value, spokenKindOf(ask), context.speaking));
    return {
      kind: "choice",
      answers: [...answers, ...(context.pack?.expected.places ?? ["the first one", "the second one"])],
      length: null,
      keysMax: 1,
      settings,
    };
  }
  const missing = lengthOf(ask);
  return {
    kind: kindOf(ask),
    answers: answersOf(context, ask),
    length: missing === null ? null : Math.max(1, missing - at.digits.length),
    keysMax: keysMaxOf(ask),
    settings,
  };
}

function settingsOf(context: CallContext, nodeId: string): Readonly<Record<string, number>> {
  const node = nodeOf(context, nodeId);
  const own = "patience" in node ? node.patience : undefined;
  return patienceSettings(own ?? context.plan.settings.patience ?? "normal");
}

function kindOf({ answer }: AskNode): ExpectedKind {
  return answer;
}

function lengthOf({ answer, digits }: AskNode): number | null {
  return answer === "digits" && digits !== undefined && digits.min === digits.max ? digits.max : null;
}

/** How people answer it. If anything may be said, nothing is expected: a list would bias recognition. */
function answersOf(context: CallContext, ask: AskNode): readonly string[] {
  const globals = meaningsOfGlobals(context).flatMap(({ phrases }) => phrases);
  const own = ownAnswers(context, ask);
  return own.length === 0 ? [] : [...new Set([...own, ...globals])].slice(0, ANSWERS_MAX);
}

function ownAnswers({ pack }: CallContext, ask: AskNode): string[] {
  const said = ask.exits.flatMap(({ when, phrases = [] }) => [when, ...phrases]);
  switch (ask.answer) {
    case "choice":
      return said;
    case "yes_no":
      return [...(pack?.expected.yesNo ?? YES_NO), ...said];
    case "number":
      return pack === null ? numbersOf(ask) : [];
    case "date":
      if (pack !== null) return [...pack.expected.days];
      return [...WEEKDAY_NAMES.flatMap((day) => [day, `on ${day}`, `next ${day}`]), ...DAYS];
    default:
      return [];
  }
}

/** The numbers themselves, if there are few. */
function numbersOf({ range }: AskNode): string[] {
  const { min, max } = range ?? {};
  if (min === undefined || max === undefined || max - min >= ANSWERS_MAX) return [];
  const first = Math.ceil(min);
  return Array.from({ length: Math.floor(max) - first + 1 }, (_, index) => cardinalWords(first + index));
}
