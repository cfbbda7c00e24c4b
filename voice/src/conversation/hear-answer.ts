import type { AskNode } from "@parley/contract/flow-ask";
import type {
  AnswerOpinion,
  AskedQuestion,
  CalleeRequest,
  JudgedUtterance,
  RequestOpinion,
} from "../ports/answer-judge.ts";
import type { CalleeTurn, Decision } from "../ports/brain.ts";
import { plainText } from "../ports/speech-notation.ts";
import { findYesNo } from "../text/values-in-speech/find-yes-no.ts";
import { askAgain, askOf } from "./ask-question.ts";
import { type CallContext, speak } from "./call-context.ts";
import { askAfterRepetition, changeReadBack, correctEarlier } from "./correct-answer.ts";
import { type Asking, changeSubject, type FlowState } from "./flow-state.ts";
import { acceptOffer, connectWithPerson, declineOffer } from "./leave-question.ts";
import { after, decided, explained, type Outcome, type WaitsFor } from "./outcome.ts";
import { answerRequest, honestyBefore, jumpForRequest, keepCallback } from "./small-talk.ts";
import { failAnswer, readReply, reopenQuestion, saidYesNo, takeReading, whyNot } from "./take-answer.ts";
import { type AnswerEvidence, type AnswerReading, BY_WORDS } from "./understanding/answer.ts";
import { commandsModel } from "./understanding/commands-model.ts";
import { findCallback } from "./understanding/find-callback.ts";
import { meaningsOfGlobals } from "./understanding/find-global.ts";
import { slotsToJudge } from "./understanding/judge-slots.ts";
import { isValueJudged, judgedValue } from "./understanding/judge-value.ts";
import { laterSlots } from "./understanding/later-slots.ts";
import { matchMeanings } from "./understanding/match-phrase.ts";
import { hasReservations, parseUtterance } from "./understanding/parse-utterance.ts";
import { plainWords } from "./understanding/plain-words.ts";
import { openQuestion } from "./understanding/question-context.ts";
import type { Verbatim } from "./understanding/read-answer.ts";
import { meaningsOfExits } from "./understanding/read-choice.ts";
import { asksForCallAt, findRequest, isAboutQuestion, isSoft, refusesPerson } from "./understanding/requests.ts";
import { isPlain, judgedAnswer } from "./understanding/second-opinion.ts";
import { MAY_BE_ANSWER, type WeighedRequest, weighRequest } from "./understanding/weigh-requests.ts";
import { enterNode, waitOn } from "./walk-flow.ts";

export type Said = Extract<CalleeTurn, { type: "said" }> & Verbatim;

/** A plain answer of at most this many words is accepted as it is. */
const SETTLED_WORDS_MAX = 2;
/** Answers of at most this many words could refer to anything. */
const BARE_WORDS_MAX = 2;

/** Recognition writes this for many short words, such as "five". A callee who means it says it again or hangs up. */
const LONE_BYE = /^\W*(?:bye|by|buy)\W*$/i;

/** The callee said something to a question: a request, an answer, or neither. */
export function hearAnswer(
  context: CallContext,
  state: FlowState,
  at: Asking,
  said: Said,
  request: CalleeRequest | null,
  globalId: string | null,
): Outcome {
  const ask = askOf(context, at);
  const found = isAboutQuestion(request, said.text, ask.text) ? null : request;
  const isMisheard = at.failures === 0 && found === "goodbye" && LONE_BYE.test(said.text);
  // The very words of one of the answers are that answer, whatever else they could be.
  const [named] = at.doubt === null ? matchMeanings(said.text, meaningsOfExits(ask)) : [];
  if (named?.strength === 3 || isMisheard) return hearWeighed(context, state, at, said, weighRequest(null, null), null);
  if (found === null || globalId !== null || isOpen(context, at)) {
    return hearWeighed(context, state, at, said, weighRequest(found, null), globalId);
  }
  const { text, verbatim = text } = said;
  const isAsked = at.doubt === null && MAY_BE_ANSWER.has(found);
  const judged = isAsked ? judgedAnswer(ask, lastSaid(context, state, ask), verbatim) : null;
  return {
    state,
    parts: [],
    waitsFor: { type: "request_opinion", said, found, judged, utterance: utterance(context, state, ask, text) },
  };
}

/** What was said, as the classifier of requests sees it. */
function utterance(context: CallContext, state: FlowState, ask: AskNode, said: string): JudgedUtterance {
  return { question: lastSaid(context, state, ask), answerKind: ask.answer, said };
}

/** The classifier of requests and the judge of answers have answered, or there are none. */
export function hearJudgedRequest(
  context: CallContext,
  state: FlowState,
  { said, found }: Extract<WaitsFor, { type: "request_opinion" }>,
  opinions: { readonly request: RequestOpinion | null; readonly answer: AnswerOpinion | null },
): Outcome {
  const { at } = state;
  if (at.name !== "asking") return waitOn(context, state);
  return hearWeighed(context, state, at, said, weighRequest(found, opinions.request, opinions.answer), null);
}

function hearWeighed(
  context: CallContext,
  state: FlowState,
  at: Asking,
  said: Said,
  weighed: WeighedRequest,
  globalId: string | null,
): Outcome {
  const outcome = takeWords(context, state, at, said, weighed, globalId);
  // Otherwise what was said about requests is explained together with the answer.
  return outcome.waitsFor.type === "opinions" ? outcome : explained(weighed.why, outcome);
}

function takeWords(
  context: CallContext,
  state: FlowState,
  at: Asking,
  said: Said,
  weighed: WeighedRequest,
  globalId: string | null,
): Outcome {
  const request = weighed.certainty === "found" ? weighed.request : null;
  if (at.doubt?.type === "offering") return hearOffer(context, state, at, said, { ...weighed, request }, globalId);
  const followed = followRequest(context, state, at, said.text, { ...weighed, request }, globalId);
  if (followed !== null && (request === null || !isSoft(request, said.text, askOf(context, at).answer)))
    return followed;
  if (!at.wasHeard && isBare(said.text)) {
    return followed ?? byWords(state, "ask_back", null, askAgain(context, state, at));
  }
  const changed = at.doubt === null ? changeReadBack(context, state, at, said) : null;
  if (changed !== null) return changed;
  const reading = readReply(context, state, at, said);
  if (followed !== null && (request === null || outweighs(request, reading, said.text) || isOpen(context, at)))
    return followed;
  if (reading === "refused") return byWords(state, "answer", false, reopenQuestion(context, state, at));
  if (reading.type === "none" && at.digits === "") {
    return (
      correctEarlier(context, state, said) ??
      askAfterRepetition(context, state, at, said) ??
      askForOpinions(context, state, at, reading, said, weighed)
    );
  }
  if (isSettled(reading, askOf(context, at), at, said)) {
    const taken = takeReading(context, state, at, reading);
    if (taken !== null) return taken;
  }
  return askForOpinions(context, state, at, reading, said, weighed);
}

/** The reply to the offer of a callback. A callee who names a time wants one. */
function hearOffer(
  context: CallContext,
  state: FlowState,
  at: Asking,
  said: Said,
  weighed: WeighedRequest,
  globalId: string | null,
): Outcome {
  const { request } = weighed;
  if (request === "call_later" || request === "driving") {
    return decideOffer(context, state, at, true, said.text, weighed.by);
  }
  const { value, by } = saidYesNo(said);
  const isNamed = findCallback(said.text, context.reading) !== "later" && !hasReservations(parseUtterance(said.text));
  const isWanted = value ?? (isNamed ? true : null);
  const followed = followRequest(context, state, at, said.text, weighed, globalId);
  // "No thanks, bye" declines.
  const comesFirst = request === null || (request !== "goodbye" && !isSoft(request, said.text, "yes_no"));
  if (followed !== null && (isWanted === null || comesFirst)) return followed;
  if (!at.wasHeard && isBare(said.text)) return byWords(state, "ask_back", null, askAgain(context, state, at));
  if (isWanted === null) return failAnswer(context, state, askOf(context, at), "unclear");
  return decideOffer(context, state, at, isWanted, said.text, value === null ? BY_WORDS : by);
}

export function decideOffer(
  context: CallContext,
  state: FlowState,
  at: Asking,
  isWanted: boolean,
  said: string,
  by: AnswerEvidence,
): Outcome {
  if (!isWanted) return byWords(state, "answer", false, declineOffer(context, state, at), by);
  return byWords(state, "request", "call_later", acceptOffer(context, state, at, said), by);
}

/** A request that was found by the classifier alone, when the other judges have found no answer. */
export function followSupposed(
  context: CallContext,
  state: FlowState,
  text: string,
  weighed: WeighedRequest,
  reading: AnswerReading,
): Outcome | null {
  const { at } = state;
  if (weighed.certainty === "found" || reading.type === "answer" || at.name !== "asking") return null;
  if (reading.type !== "none" && weighed.certainty !== "certain") return null;
  if (weighed.request === "human" && refusesPerson(text)) return null;
  return followRequest(context, state, at, text, weighed, null);
}

/** Some requests look like parts of an answer, and count only if there is none. */
const ONLY_WITHOUT_ANSWER: ReadonlySet<CalleeRequest> = new Set(["not_person", "call_later"]);

/** Beside the wish to be called at another time, these only say why. */
const NOT_NOW = /\bnot (?:just |right )?(?:now|today|yet|at the moment|at present)\b/gi;

/** Whether a request outweighs the answer that was said with it. */
function outweighs(request: CalleeRequest, reading: AnswerReading | "refused", text: string): boolean {
  if (request === "call_later" && asksForCallAt(text)) {
    return reading === "refused" || reading.type !== "answer" || findYesNo(text.replaceAll(NOT_NOW, "")) === null;
  }
  if (reading === "refused") return !ONLY_WITHOUT_ANSWER.has(request);
  return reading.type === "none" || (reading.type !== "answer" && !ONLY_WITHOUT_ANSWER.has(request));
}

/**
 * A plain answer in a word or two, or one to a doubt that was read out, needs no second opinion. A word or two that only
 * occur in an answer ("in order" at "order it") may as well be the beginning of something else.
 */
function isSettled(reading: AnswerReading, ask: AskNode, at: Asking, { text }: Said): boolean {
  if (at.doubt !== null || reading.type === "part" || at.digits !== "") return true;
  if (reading.type !== "answer" || plainWords(text).length > SETTLED_WORDS_MAX) return false;
  return reading.grounds === undefined || isPlain(reading, ask, text);
}

/** Does what the callee asked for, by the flow's own node if there is one. Null when nothing was requested. */
function followRequest(
  context: CallContext,
  state: FlowState,
  at: Asking,
  text: string,
  { request, by }: Pick<WeighedRequest, "request" | "by">,
  globalId: string | null,
): Outcome | null {
  const jump = globalId ?? (request === null ? null : jumpForRequest(context, request));
  if (jump !== null) {
    const kept = request === null ? { state, parts: [] } : keepCallback(context, state, request, text);
    const isAsked = request === "is_machine" || findRequest(text) === "is_machine";
    const honesty = isAsked ? honestyBefore(context, jump) : [];
    const jumped = after([...kept.parts, ...honesty], enterNode(context, changeSubject(kept.state), jump));
    return byWords(state, "jump", jump, jumped, by);
  }
  if (request === null) return null;
  const person = request === "human" ? connectWithPerson(context, changeSubject(state)) : null;
  if (person?.waitsFor.type === "dial") return byWords(state, "jump", person.waitsFor.nodeId, person, by);
  return byWords(state, "request", request, answerRequest(context, state, at, request, text), by);
}

/** "Yes" to a question that was not heard answers something else. */
function isBare(text: string): boolean {
  return plainWords(text).length <= BARE_WORDS_MAX && findYesNo(text) !== null;
}

/** Shorter replies rarely answer more than what was asked, and are not worth waiting for a model. */
const VOLUNTEERED_WORDS_MIN = 6;

/** What was said may also be judged by others, and may be close to something that can be meant. */
function askForOpinions(
  context: CallContext,
  state: FlowState,
  at: Asking,
  reading: AnswerReading,
  said: Said,
  request: WeighedRequest,
): Outcome {
  const { text } = said;
  const ask = askOf(context, at);
  const opinions = at.doubt === null ? opinionsOn(context, state, ask, said) : NO_OPINIONS;
  const { judged, named, slots, judgedSlots } = opinions;
  const exits = at.doubt === null ? meaningsOfExits(ask) : [];
  const candidates = [
    ...exits.map(({ id, phrases }) => ({ id: `exit:${id}`, phrases })),
    ...meaningsOfGlobals(context).map(({ id, phrases }) => ({ id: `global:${id}`, phrases })),
  ].filter(({ phrases }) => phrases.length > 0);
  const isAmongExits = judged !== null && named === null;
  const isAnswered = reading.type !== "none" && !isAmongExits;
  const mayFill = reading.type === "answer" && slots.length + judgedSlots.length > 0;
  if (isAnswered && judged === null && !mayFill) {
    return takeReading(context, state, at, reading) ?? failAnswer(context, state, ask, whyNot(text));
  }
  const isOpenToRequests = !isAnswered && request.why.length === 0 && !isOpen(context, at);
  const requested = isOpenToRequests ? utterance(context, state, ask, text) : null;
  if (!isAnswered && judged === null && requested === null && candidates.length === 0) {
    return failAnswer(context, state, ask, whyNot(text));
  }
  const waitsFor = { type: "opinions", text, reading, ...opinions, candidates, utterance: requested, request } as const;
  return { state, parts: [], waitsFor };
}

type OpinionsAsked = Pick<Extract<WaitsFor, { type: "opinions" }>, "judged" | "named" | "slots" | "judgedSlots">;

const NO_OPINIONS: OpinionsAsked = { judged: null, named: null, slots: [], judgedSlots: [] };

/** What others are asked: which exit or which of the named values is meant, and which later questions are answered too. */
function opinionsOn(
  context: CallContext,
  state: FlowState,
  ask: AskNode,
  { text, verbatim = text }: Said,
): OpinionsAsked {
  const asked = lastSaid(context, state, ask);
  const value = judgedValue(openQuestion(context, state, ask), asked, text, context.reading);
  const isLong = plainWords(text).length >= VOLUNTEERED_WORDS_MIN;
  const slots = isLong && asksModelAbout(context, verbatim) ? laterSlots(context, state, ask) : [];
  return {
    judged: judgedAnswer(ask, asked, verbatim) ?? value?.judged ?? null,
    named: value?.named ?? null,
    slots,
    judgedSlots: slots.length === 0 ? slotsToJudge(context, state, ask, text) : [],
  };
}

/** Whether a language model is asked about what was said. Its opinion on words that give it commands would not count. */
export function asksModelAbout({ asksModel }: CallContext, said: string): boolean {
  return asksModel && !commandsModel(said);
}

/** The question that the callee has just been asked, if the judge will be asked about the answer. */
export function askedQuestion(context: CallContext, state: FlowState): AskedQuestion | null {
  const { at } = state;
  if (at.name !== "asking" || at.doubt !== null) return null;
  const ask = askOf(context, at);
  const question = lastSaid(context, state, ask);
  // Values are known only when they have been named.
  return isValueJudged(ask) ? { question, exits: [] } : judgedAnswer(ask, question, "");
}

/** What the callee heard last: the question, with what was said before it. */
function lastSaid(context: CallContext, state: FlowState, ask: AskNode): string {
  const question = plainText(speak(context, state, ask.text));
  const heard = state.history.findLast(({ role }) => role === "agent");
  return heard?.role === "agent" && heard.text.includes(question) ? heard.text : question;
}

/** The answer may be anything: most of what could be a request is part of it. */
export function isOpen(context: CallContext, at: Asking): boolean {
  return askOf(context, at).answer === "free_text" && at.doubt === null;
}

/** The words themselves express the request, at any point of the flow. */
export function byWords(
  { at }: FlowState,
  taken: Decision["taken"],
  result: Decision["result"],
  outcome: Outcome,
  by: AnswerEvidence = BY_WORDS,
): Outcome {
  return "nodeId" in at ? decided({ nodeId: at.nodeId, taken, result, ...by }, outcome) : outcome;
}
