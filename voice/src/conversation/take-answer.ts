import type { AskNode } from "@parley/contract/flow-ask";
import type { Decision } from "../ports/brain.ts";
import { findOrdinal } from "../text/values-in-speech/find-ordinal.ts";
import { findYesNo } from "../text/values-in-speech/find-yes-no.ts";
import { askAgain, askForClearAnswer, askOf, type NotTaken } from "./ask-question.ts";
import { type CallContext, phrase, say } from "./call-context.ts";
import type { Asking, FlowState } from "./flow-state.ts";
import { declineOffer, leaveQuestion } from "./leave-question.ts";
import { after, decided, LISTEN, type Outcome } from "./outcome.ts";
import {
  type Answer,
  type AnswerEvidence,
  type AnswerReading,
  BY_WORDS,
  type CollectedValue,
  type Finding,
  type Grounds,
  NOT_UNDERSTOOD,
} from "./understanding/answer.ts";
import { isIrreversible } from "./understanding/irreversible.ts";
import { type Clause, parseUtterance } from "./understanding/parse-utterance.ts";
import { plainWords } from "./understanding/plain-words.ts";
import { type OpenQuestion, openQuestion } from "./understanding/question-context.ts";
import { afterCorrection, readAnswer, type Said, soundOf } from "./understanding/read-answer.ts";
import { refusedNames } from "./understanding/refused-values.ts";
import { JUDGE_CONFIRMS } from "./understanding/second-opinion.ts";
import { noteTaken } from "./understanding/volunteered.ts";
import { collect, enterNode } from "./walk-flow.ts";

/** What could not be heard is not an answer and is asked for again this often, however few retries a flow has. */
const UNHEARD_RETRIES = 2;
/** An offer is no question of the flow: the call does not depend on it. */
const OFFER_RETRIES = 1;

/** Continues with what was understood, or null when nothing was. */
export function takeReading(
  context: CallContext,
  state: FlowState,
  at: Asking,
  reading: AnswerReading,
  by: AnswerEvidence = BY_WORDS,
): Outcome | null {
  const ask = askOf(context, at);
  switch (reading.type) {
    case "answer":
      if (!isAgreed(reading) && needsReadBack(context, at, reading.answer, reading.by ?? by, reading.grounds)) {
        const why: Finding[] = [{ judge: "read_back", says: "cannot be taken back" }];
        return takeReading(
          context,
          state,
          at,
          { ...reading, type: "unsure", why: [...(reading.why ?? []), ...why] },
          by,
        );
      }
      return takeAnswer(context, state, at, reading, reading.by ?? by);
    case "unsure": {
      const asking = askAgain(context, state, {
        ...at,
        digits: "",
        doubt: { type: "confirming", answer: reading.answer },
      });
      const evidence = reading.by ?? by;
      return decided(
        { nodeId: ask.id, taken: "ask_back", result: reading.answer.value, ...evidence, ...whyOf(reading) },
        asking,
      );
    }
    case "doubt": {
      const result = reading.options.map(({ value }) => String(value)).join(" or ");
      const asking = askAgain(context, state, { ...at, doubt: { type: "choosing", options: reading.options } });
      return decided({ nodeId: ask.id, taken: "ask_back", result, ...(reading.by ?? by), ...whyOf(reading) }, asking);
    }
    case "period": {
      const { period } = reading;
      // A callee who says the same again is asked in the flow's own words.
      if (at.within?.from === period.from && at.within.to === period.to) return null;
      const result = `${period.from} to ${period.to}`;
      const asking = askAgain(context, state, { ...at, digits: "", doubt: null, within: period });
      return decided({ nodeId: ask.id, taken: "ask_back", result, ...by }, asking);
    }
    case "part": {
      const next: Asking = { ...at, digits: reading.digits };
      const parts = say(phrase(context, "go_on"), true);
      return decided(
        { nodeId: ask.id, taken: "ask_back", result: reading.digits, ...by },
        { state: { ...state, at: next }, parts, waitsFor: LISTEN },
      );
    }
    case "none":
      // A callee who stops in the middle of a number and then says something else starts over.
      return at.digits === "" ? null : failAnswer(context, { ...state, at: { ...at, digits: "" } }, ask, "unclear");
  }
}

/**
 * What the words made likely and the judge confirmed was found twice. That a language model agrees does not count: it may
 * have been talked into it.
 */
function isAgreed({ why = [] }: { readonly why?: readonly Finding[] }): boolean {
  return why.some(({ judge, says }) => judge === "opinion" && says.startsWith(JUDGE_CONFIRMS));
}

/** Whether an answer that was not said explicitly would do something irreversible. */
export function needsReadBack(
  context: CallContext,
  at: Asking,
  answer: Answer,
  by: AnswerEvidence,
  grounds?: Grounds,
): boolean {
  const isConfirmed = at.doubt?.type === "confirming" && at.doubt.answer.value === answer.value;
  const isExplicit = by.evidence === "words" && isNamedAlone(grounds);
  if (isExplicit || by.evidence === "keys" || isConfirmed) return false;
  return isIrreversible(context, askOf(context, at), answer);
}

/** Nothing but a yes or the words of the answer. Values, and the wording of the flow itself, have no grounds. */
function isNamedAlone(grounds: Grounds | undefined): boolean {
  if (grounds === undefined || grounds.strength === "explicit") return true;
  return grounds.strength === "named" && grounds.unexplained === 0;
}

function takeAnswer(
  context: CallContext,
  state: FlowState,
  at: Asking,
  reading: Extract<AnswerReading, { type: "answer" }>,
  by: AnswerEvidence,
): Outcome {
  const { answer } = reading;
  const ask = askOf(context, at);
  const isConfirmed = at.doubt?.type === "confirming" && at.doubt.answer.value === answer.value;
  const decision = { nodeId: ask.id, result: answer.value, ...by, ...whyOf(reading) };
  if (isConfirmed || ask.confirm === undefined) {
    return decided({ ...decision, taken: "answer" }, goOnWith(context, state, at, answer));
  }
  const asking = askAgain(context, state, { ...at, digits: "", doubt: { type: "confirming", answer } });
  return decided({ ...decision, taken: "ask_back" }, asking);
}

function whyOf({ why = [] }: { readonly why?: readonly Finding[] }): Pick<Decision, "why"> {
  return why.length === 0 ? {} : { why };
}

/** What was read back was wrong, or neither was meant: the question is open again. */
export function reopenQuestion(context: CallContext, from: FlowState, at: Asking): Outcome {
  const state = { ...from, volunteered: [] };
  const ask = askOf(context, at);
  const { max } = ask.retries ?? context.plan.settings.retries ?? { max: 0 };
  const failures = at.failures + 1;
  if (failures > Math.max(max, UNHEARD_RETRIES)) {
    return leaveQuestion(context, state, at, failures);
  }
  return askAgain(context, state, { ...at, failures, digits: "", doubt: null, within: null }, [
    phrase(context, "confirm_failed"),
  ]);
}

/** The answer stands: it is saved, and the call goes where it leads. */
export function goOnWith(context: CallContext, state: FlowState, at: Asking, answer: Answer): Outcome {
  const ask = askOf(context, at);
  const before = { ...state, at: { ...at, failures: 0, digits: "", doubt: null, within: null }, answered: null };
  const said = noteTaken(state, ask, answer.value);
  const exit = answer.exit === null ? undefined : ask.exits[answer.exit];
  const own = exit?.next;
  const next = own ?? ask.next ?? ask.otherwise ?? ask.id;
  const by =
    own !== undefined ? (`exits[${answer.exit ?? 0}].next` as const) : ask.next !== undefined ? "next" : "otherwise";
  const refused = ask.answer === "yes_no" && answer.value === false ? refusedNames(context, state, ask, next) : [];
  const values: Record<string, CollectedValue> = Object.fromEntries(refused.map((name) => [name, null]));
  if (ask.saveAs !== undefined) values[ask.saveAs] = answer.value;
  const kept = collect(said, values);
  return after(
    kept.parts,
    enterNode(context, { ...kept.state, answered: { nodeId: ask.id, value: answer.value, before } }, next, by),
  );
}

/** Why words were not taken as an answer. */
export function whyNot(said: string): NotTaken {
  return asksAgent(said) ? "unanswered" : "unclear";
}

/** Fewer words than these are rather what recognition made of an answer. */
const WORDS_MIN = 3;

/** "When I get my wages" and "what I told you" are parts of statements, whatever they begin with. */
const NOT_ASKED = /^(?:when|where|what|how|who|why|which|whatever|whenever) (?:i|we|he|she|they|you|my|our|the|it)\b/;

/** Whether the callee wants to know something, and says nothing else: "Is there parking?" */
function asksAgent(text: string): boolean {
  const { clauses } = parseUtterance(text);
  const said = clauses.filter(({ tokens }) => tokens.length > 0);
  const isQuestion = ({ signals, tokens }: Clause) =>
    tokens.length >= WORDS_MIN &&
    signals.some(({ kind, words }) => kind === "question" && words !== "?") &&
    !NOT_ASKED.test(tokens.map(({ text: word }) => word).join(" "));
  return said.some(isQuestion) && said.every((clause) => isQuestion(clause) || clause.tokens.length < WORDS_MIN);
}

/** Nothing was understood. It is asked for again as often as the flow says, and then the call continues without it. */
export function failAnswer(context: CallContext, state: FlowState, ask: AskNode, why: NotTaken): Outcome {
  const at = state.at.name === "asking" ? state.at : null;
  if (at === null) return { state, parts: [], waitsFor: LISTEN };
  return decided(
    { nodeId: ask.id, taken: "not_understood", result: null, evidence: null, score: null },
    askOrLeave(context, state, at, ask, why),
  );
}

function askOrLeave(context: CallContext, state: FlowState, at: Asking, ask: AskNode, why: NotTaken): Outcome {
  // A callee who was cut off before the question could not answer it.
  if (!at.wasHeard) return askAgain(context, state, at);
  const { max } = ask.retries ?? context.plan.settings.retries ?? { max: 0 };
  const failures = at.failures + 1;
  if (at.doubt?.type === "offering") {
    if (failures > OFFER_RETRIES) return declineOffer(context, state, at);
    return askForClearAnswer(context, state, { ...at, failures }, why);
  }
  const retries = why === "not_heard" ? Math.max(max, UNHEARD_RETRIES) : max;
  if (failures > retries) return leaveQuestion(context, state, at, failures);
  return askForClearAnswer(context, state, { ...at, failures }, why);
}

/** Reads what was said to the open question, or to the doubt about its answer. */
export function readReply(context: CallContext, state: FlowState, at: Asking, said: Said): AnswerReading | "refused" {
  const question = openQuestion(context, state, askOf(context, at));
  switch (at.doubt?.type) {
    case "confirming":
      return readConfirmation(context, question, at.doubt.answer, said);
    case "choosing":
      return readPreference(context, question, at.doubt.options, said);
    case "offering":
      return NOT_UNDERSTOOD;
    case undefined:
      return readAnswer(said, question, context.reading);
  }
}

/** A no that may be the answer to "was that a no?", or the answer that was asked for. */
const BARE_NO =
  /^(?:(?:no|nope|nah|naw|uh uh|oh|well|wait|sorry|actually|thanks|thank you|wrong|incorrect|(?:that|it) (?:is|was) (?:not|wrong|incorrect)(?: (?:right|correct|it|true|so|what i (?:said|meant)))?)(?: |$))+$/;

/** After "That's Tuesday, is that right?": yes, no, another value, or a no with another value. */
function readConfirmation(
  context: CallContext,
  question: OpenQuestion,
  pending: Answer,
  said: Said,
): AnswerReading | "refused" {
  const { value: heard, by } = saidYesNo(said);
  if (heard === true) return { type: "answer", answer: pending, by };
  if (question.ask.answer === "phone" || question.ask.answer === "digits") {
    // "No, three three at the end" corrects the end of what was read back.
    const dictated = { ...question, dictated: String(pending.value).replaceAll(/\D/g, "") };
    const corrected = readAnswer({ text: said.text, best: null }, dictated, context.reading);
    if (corrected.type === "answer" || corrected.type === "unsure") return corrected;
  }
  if (question.ask.answer === "yes_no" && heard === false && !BARE_NO.test(plainWords(said.text).join(" "))) {
    // "Nobody" and "no, I won't" answer the question itself, not whether it was understood.
    const own = readAnswer({ text: said.text, best: null }, question, context.reading);
    if (own.type === "answer") return own;
  }
  const rest = heard === false ? afterCorrection(said.text) : said.text;
  const reading = rest === null ? NOT_UNDERSTOOD : readAnswer({ text: rest, best: null }, question, context.reading);
  if (reading.type === "answer" || reading.type === "doubt" || reading.type === "unsure") return reading;
  return heard === false ? "refused" : NOT_UNDERSTOOD;
}

/** Where the words are neither, the audio alone may be a no; a yes, on which the agent acts, must be clear. */
export function saidYesNo({ text, best }: Said): { readonly value: boolean | null; readonly by: AnswerEvidence } {
  const fromText = findYesNo(text);
  if (fromText !== null || best === null) return { value: fromText?.value ?? null, by: BY_WORDS };
  const sound = soundOf({ text, best });
  const heard = sound === "guess" ? null : (findYesNo(best.answer)?.value ?? null);
  const value = heard === true && sound !== "clear" ? null : heard;
  return { value, by: { evidence: "expected_answer", score: best.score } };
}

/** After "Did you say A, or B?": one of them by what it is or by its place, none of them, or something else. */
function readPreference(
  context: CallContext,
  question: OpenQuestion,
  options: readonly [Answer, Answer],
  said: Said,
): AnswerReading | "refused" {
  const { ask } = question;
  const narrowed = { ...ask, exits: ask.exits.filter((_, exit) => options.some((option) => option.exit === exit)) };
  const chosen = readAnswer(said, ask.answer === "choice" ? { ...question, ask: narrowed } : question, context.reading);
  if (chosen.type === "answer") {
    const option = options.find(({ value }) => value === chosen.answer.value);
    return { ...chosen, answer: option ?? chosen.answer };
  }
  // The doubt may repeat itself: of "next Tuesday", only the two that were named are left.
  const place = placeNamed(said.text);
  const option = place === null ? undefined : options[place];
  if (option !== undefined) return { type: "answer", answer: option };
  const other = readAnswer(said, question, context.reading);
  if (other.type === "answer") return other;
  return findYesNo(said.text)?.value === false || /\b(?:neither|none)\b/i.test(said.text) ? "refused" : NOT_UNDERSTOOD;
}

function placeNamed(text: string): 0 | 1 | null {
  if (/\b(?:former|the first|first one)\b/i.test(text)) return 0;
  if (/\b(?:latter|the second|second one|the last|last one|the other)\b/i.test(text)) return 1;
  const ordinal = findOrdinal(text)?.value;
  return ordinal === 1 ? 0 : ordinal === 2 ? 1 : null;
}
