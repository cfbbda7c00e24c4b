import type { PhraseName } from "@parley/contract/flow-settings";
import { deniesMachine, saysMachine } from "@parley/flow/says-machine";
import type { CalleeRequest } from "../ports/answer-judge.ts";
import type { ReplyPart } from "../ports/brain.ts";
import { spokenForm } from "../text/spoken-form.ts";
import { askAgain, repeatQuestion } from "./ask-question.ts";
import { type CallContext, nodeOf, phrase, say, speak } from "./call-context.ts";
import type { Asking, FlowState } from "./flow-state.ts";
import { after, LISTEN, type Outcome, OVER } from "./outcome.ts";
import { findCallback } from "./understanding/find-callback.ts";
import { plainWords } from "./understanding/plain-words.ts";
import { findRequest } from "./understanding/requests.ts";
import { collect, disclosureText } from "./walk-flow.ts";

/** What people say at any question of any call, and what every agent answers unless its flow has a node for it. */

/** The global node that handles a request, as its phrases show. */
function nodeForRequest({ plan }: CallContext, request: CalleeRequest): string | null {
  return plan.globalIds.find((id) => requestsOfNode(plan.nodes.get(id)).has(request)) ?? null;
}

function requestsOfNode(node: ReturnType<CallContext["plan"]["nodes"]["get"]>): ReadonlySet<CalleeRequest> {
  const phrases = node !== undefined && "global" in node ? (node.global?.phrases ?? []) : [];
  return new Set(phrases.flatMap((each) => findRequest(each) ?? []));
}

/** Requests that are answered by a sentence, after which the question is asked again. */
const ANSWERS: Readonly<Partial<Record<CalleeRequest, PhraseName>>> = {
  scam: "scam",
  number_source: "number_source",
  how_long: "how_long",
  how_much: "how_much",
  human: "no_human",
  insult: "insult",
  other_language: "other_language",
};

/** Requests after which the call is over, and what is said before. */
const ENDINGS: Readonly<Partial<Record<CalleeRequest, PhraseName>>> = {
  wrong_number: "wrong_number",
  not_person: "not_person",
  deceased: "deceased",
  child: "child",
  driving: "driving",
  call_later: "call_later",
  goodbye: "farewell",
};

export function answerRequest(
  context: CallContext,
  state: FlowState,
  at: Asking,
  request: CalleeRequest,
  said: string,
): Outcome {
  const ending = ENDINGS[request];
  if (ending !== undefined) return endWith(context, state, request, ending, said);
  const amount = request === "how_much" ? amountSaid(context, state) : null;
  if (amount !== null) return askAgain(context, state, at, [phrase(context, "how_much_known", { amount })]);
  const answer = ANSWERS[request];
  if (answer !== undefined) return askAgain(context, state, at, [phrase(context, answer)]);
  switch (request) {
    case "anybody_there":
      return askAgain(context, state, at, [phrase(context, "here")]);
    case "wait":
      return { state, parts: say(phrase(context, "take_your_time"), true), waitsFor: LISTEN };
    case "who_calls":
    case "why": {
      const text = identification(context, state);
      const isJustSaid = text === state.firstSaid && state.answered === null && state.turns <= 1;
      return askAgain(context, state, at, isJustSaid || text === "" ? [] : [text]);
    }
    case "is_machine":
      return askAgain(context, state, at, [honestAnswer(context)]);
    default:
      return repeatQuestion(context, state, at);
  }
}

const AMOUNT_NAME = /(?:^|_)(?:amount|price|fee|cost|costs|total|balance|charge|sum|deposit|rent|premium)(?:_|$)/i;
const MONEY = /[$€£¥]\s?\d|\d\s?(?:[$€£¥]|USD|EUR|GBP)|\b(?:dollars?|euros?|pounds?|cents?|pence)\b/i;

/**
 * The amount that the callee asks about: the only variable with one, and only if the agent has said it already, since a
 * flow may keep it from people it has not identified. Null if there is none, or the flow has its own answer.
 */
function amountSaid(context: CallContext, { history }: FlowState): string | null {
  if (context.plan.settings.phrases?.how_much !== undefined) return null;
  const heard = history.flatMap((item) => (item.role === "agent" ? [` ${plainWords(item.text).join(" ")} `] : []));
  const amounts = Object.entries(context.variables).flatMap(([name, value]) => {
    if (!AMOUNT_NAME.test(name) || !MONEY.test(value)) return [];
    // Variables are worded to fit a sentence: "a payment {{amount}}".
    const amount = value.trim().replace(/^of\s+/i, "");
    // Prices are shortened; with "US$" they are not, and a callee who asks should hear the currency.
    const inFull = amount.replace(/(?<![A-Z])\$(?=\s?\d)/gi, "US$$");
    const wasSaid = [amount, inFull].some((written) => {
      const spoken = ` ${plainWords(speak(context, { collected: {} }, written)).join(" ")} `;
      return heard.some((text) => text.includes(spoken));
    });
    return wasSaid ? [inFull] : [];
  });
  const [only] = new Set(amounts);
  return only !== undefined && new Set(amounts).size === 1 ? only : null;
}

/** A callee who asks gets an honest answer, whatever the disclosure and the phrases of the agent say. */
export function honestAnswer(context: CallContext): string {
  const disclosure = disclosureText(context);
  const own = phrase(context, "machine");
  const standard = spokenForm(context.texts.phrases.machine, {}, context.style);
  const answer = saysMachine(own) ? own : deniesMachine(own) ? standard : `${own} ${standard}`;
  return disclosure === null || saysMachine(disclosure) ? answer : `${answer} ${disclosure}`;
}

/** What is said before a node of the flow with which it answers a callee who asks whether a machine is speaking. */
export function honestyBefore(context: CallContext, nodeId: string): ReplyPart[] {
  const node = nodeOf(context, nodeId);
  const text = "text" in node ? (node.text ?? "") : "";
  return saysMachine(text) ? [] : say(spokenForm(context.texts.phrases.machine, {}, context.style), true);
}

function endWith(
  context: CallContext,
  state: FlowState,
  request: CalleeRequest,
  ending: PhraseName,
  said: string,
): Outcome {
  const kept = keepCallback(context, state, request, said);
  const suppress = request === "deceased" ? [{ type: "suppress" } as const] : [];
  const outcome: Outcome = {
    state: { ...kept.state, at: { name: "ended" } },
    parts: [...suppress, ...say(phrase(context, ending), false), { type: "end", reason: "finished" }],
    waitsFor: OVER,
  };
  return after(kept.parts, outcome);
}

/**
 * Records when the callee would like to be called, as far as that was said: a day, a time, or only that it was
 * requested.
 */
export function keepCallback(
  context: CallContext,
  state: FlowState,
  request: CalleeRequest,
  said: string,
): ReturnType<typeof collect> {
  if (request !== "call_later" && request !== "driving") return { state, parts: [] };
  return collect(state, { callback: findCallback(said, context.reading) });
}

/** Who is calling and why, as worded in the settings, or else as the call began. */
export function identification(context: CallContext, { firstSaid }: Pick<FlowState, "firstSaid">): string {
  const { identification: wording } = context.plan.settings;
  return wording === undefined ? (firstSaid ?? "") : speak(context, { collected: {} }, wording);
}

/** Where the flow goes for a request, or null when the built-in answer handles it. */
export function jumpForRequest(context: CallContext, request: CalleeRequest): string | null {
  const own = nodeForRequest(context, request);
  return own ?? (request === "driving" ? nodeForRequest(context, "call_later") : null);
}
