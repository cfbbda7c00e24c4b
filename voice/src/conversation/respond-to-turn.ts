import type { AskNode } from "@parley/contract/flow-ask";
import { placeholderNames } from "@parley/flow/placeholders";
import type { CalleeRequest, JudgedUtterance, RequestOpinion } from "../ports/answer-judge.ts";
import type { CalleeTurn, Decision, ReplyPart } from "../ports/brain.ts";
import { plainText } from "../ports/speech-notation.ts";
import { findYesNo, findYesNoHits } from "../text/from-speech/find-yes-no.ts";
import { longFormOf } from "../text/from-speech/long-forms.ts";
import { wordsOf } from "../text/from-speech/words.ts";
import { askAgain, askOf } from "./ask-question.ts";
import { type CallContext, nodeOf, phrase, say, speak, spokenKindOf, understoodAs } from "./call-context.ts";
import { type Asking, changeSubject, type FlowState } from "./flow-state.ts";
import { acceptOffer, declineOffer } from "./leave-question.ts";
import { after, decided, explained, LISTEN, type Outcome, OVER, type WaitsFor } from "./outcome.ts";
import { answerRequest, identification, jumpForRequest, keepCallback } from "./small-talk.ts";
import { failAnswer, goOnWith, readReply, reopenQuestion, saidYesNo, takeReading } from "./take-answer.ts";
import { speakValue } from "./texts/speak-value.ts";
import { addressesModel } from "./understanding/addresses-model.ts";
import { type AnswerEvidence, type AnswerReading, BY_KEYS, BY_WORDS } from "./understanding/answer.ts";
import { findCallback } from "./understanding/find-callback.ts";
import { findGlobal, meaningsOfGlobals } from "./understanding/find-global.ts";
import { laterSlots } from "./understanding/later-slots.ts";
import { matchMeanings } from "./understanding/match-phrase.ts";
import { hasReservations, parseUtterance } from "./understanding/parse-utterance.ts";
import { plainWords } from "./understanding/plain-words.ts";
import { openQuestion } from "./understanding/question-context.ts";
import { afterCorrection, beginsWithCorrection, readAnswer, type Verbatim } from "./understanding/read-answer.ts";
import { meaningsOfExits } from "./understanding/read-choice.ts";
import { asksForCallAt, findRequest, isSoft } from "./understanding/requests.ts";
import { judgedAnswer } from "./understanding/second-opinion.ts";
import { readKeys } from "./understanding/values/read-keys.ts";
import { noteTaken, noteVolunteered } from "./understanding/volunteered.ts";
import { type WeighedRequest, weighRequest } from "./understanding/weigh-requests.ts";
import { collect, enterNode } from "./walk-flow.ts";

const TURNS_MAX = 200;

/** What the agent says when the call begins. */
export function openFlow(context: CallContext, state: FlowState): Outcome {
  return enterNode(context, state, context.plan.startId);
}

/** What follows from a turn of the callee. Pure: anything external is returned as `waitsFor`. */
export function respondToTurn(context: CallContext, from: FlowState, turn: CalleeTurn): Outcome {
  const state = { ...from, turns: from.turns + (turn.type === "said" || turn.type === "pressed" ? 1 : 0) };
  if (state.at.name === "ended") return { state, parts: [{ type: "end", reason: "finished" }], waitsFor: OVER };
  if (turn.type === "machine") return meetMachine(context, state, turn.kind);
  if (state.at.name === "ready") return openFlow(context, state);
  if (turn.type === "transfer_failed") return failTransfer(context, state);
  if (state.turns > (context.plan.settings.limits?.turnsMax ?? TURNS_MAX)) return leaveCall(context, state);
  switch (turn.type) {
    case "silent":
      return breakSilence(context, state, turn.count);
    case "unclear":
      return hearNothing(context, state);
    case "pressed":
      return hearKeys(context, state, turn.keys);
    case "listened":
      return goOnSpeaking(context, state, turn.text);
    case "said":
      return turn.text.trim() === ""
        ? hearNothing(context, state)
        : hearWords(context, state, understood(context, turn));
  }
}

/** The callee only listened: the unheard rest of the last reply is said. */
function goOnSpeaking(context: CallContext, state: FlowState, text: string): Outcome {
  const { at, unheard } = state;
  if (at.name === "asking")
    return { state: { ...state, at: { ...at, wasHeard: true } }, parts: unheard, waitsFor: LISTEN };
  if (at.name !== "conversing") return after(unheard, waitOn(context, state));
  if (unheard.length > 0) return { state, parts: unheard, waitsFor: LISTEN };
  // The rest of a model's reply is unknown, but the model knows what was heard of it.
  return text === ""
    ? hearNothing(context, state)
    : hearWords(context, state, understood(context, { type: "said", text, best: null }));
}

function hearNothing(context: CallContext, state: FlowState): Outcome {
  const { at } = state;
  if (at.name === "asking") return failAnswer(context, state, askOf(context, at), "not_heard");
  if (at.name === "conversing") return { state, parts: say(phrase(context, "not_heard"), true), waitsFor: LISTEN };
  return waitOn(context, state);
}

function breakSilence(context: CallContext, state: FlowState, count: number): Outcome {
  const { at } = state;
  const prompts = context.plan.settings.silence?.prompts ?? context.texts.silencePrompts;
  const wording = prompts[Math.min(Math.max(1, count), prompts.length) - 1] ?? "";
  const prompt = speak(context, { collected: {} }, wording);
  if (at.name === "asking") return askAgain(context, state, at, [prompt]);
  if (at.name === "conversing") return { state, parts: say(prompt, true), waitsFor: LISTEN };
  return waitOn(context, state);
}

function failTransfer(context: CallContext, state: FlowState): Outcome {
  const { at } = state;
  if (at.name !== "transferring") return waitOn(context, state);
  const node = nodeOf(context, at.nodeId);
  return node.type === "transfer" && node.failed !== undefined
    ? enterNode(context, state, node.failed)
    : leaveCall(context, state);
}

/** A callee who reaches the message without a voicemail hears it like any goodbye. */
function leaveMessage(context: CallContext, state: FlowState, voicemailId: string): Outcome {
  const message = enterNode(context, state, voicemailId);
  return {
    ...message,
    parts: message.parts.map((part) => (part.type === "end" ? { ...part, reason: "voicemail_left" } : part)),
  };
}

function meetMachine(context: CallContext, state: FlowState, kind: "voicemail" | "ivr" | "screening" | "fax"): Outcome {
  const { plan } = context;
  const close = (reason: "voicemail_hangup" | "fax"): Outcome => ({
    state: { ...state, at: { name: "ended" } },
    parts: [{ type: "end", reason }],
    waitsFor: OVER,
  });
  switch (kind) {
    case "fax":
      return close("fax");
    case "voicemail":
      return plan.voicemailId === null ? close("voicemail_hangup") : leaveMessage(context, state, plan.voicemailId);
    case "ivr":
      if (plan.settings.phoneMenu === undefined) return { state, parts: [], waitsFor: LISTEN };
      return enterNode(context, state, plan.settings.phoneMenu);
    case "screening": {
      const parts = say(identification(context, state), false);
      return { state, parts, waitsFor: LISTEN };
    }
  }
}

type Said = Extract<CalleeTurn, { type: "said" }> & Verbatim;

/** What was said, in the words by which it is understood. */
function understood(context: CallContext, turn: Extract<CalleeTurn, { type: "said" }>): Said {
  const { text, best } = turn;
  if (context.pack === null) return turn;
  const heard = best === null ? null : { ...best, answer: understoodAs(context, best.answer) };
  return { ...turn, text: understoodAs(context, text), best: heard, verbatim: text };
}

/** A plain answer of at most this many words is accepted as it is. */
const SETTLED_WORDS_MAX = 2;
/** Answers of at most this many words could refer to anything. */
const BARE_WORDS_MAX = 2;

/** Free text longer than this is an answer, whatever words it contains. */
const REQUEST_IN_FREE_TEXT_WORDS_MAX = 12;
/** What is said of oneself and now may have more words around it. */
const CLEAR_REQUEST_WORDS_MAX = 18;
const OF_ONESELF_NOW =
  /\b(?:i'll|i will|i want|i need|i'd|i would|i'm|i am|put me|get (?:him|her|them|me)|let me|can i)\b/i;

/** The callee said something, at any point of the flow. */
function hearWords(context: CallContext, state: FlowState, said: Said): Outcome {
  const { at } = state;
  const isFreeText = at.name === "conversing" || (at.name === "asking" && isOpen(context, at));
  const found = findRequest(said.text);
  // A story may contain the words of any request.
  const isClear = (found === "human" || found === "driving") && OF_ONESELF_NOW.test(said.text);
  const wordsMax = isClear ? CLEAR_REQUEST_WORDS_MAX : REQUEST_IN_FREE_TEXT_WORDS_MAX;
  const isStory = isFreeText && found !== "stop_calling" && plainWords(said.text).length > wordsMax;
  // A callee who has answered a question is the right person; an open answer may be about another one.
  const isAboutOthers = isFreeText && found === "not_person" && state.answered !== null;
  const request = isStory || isAboutOthers ? null : found;
  const globalId = findGlobal(context, said.text, isFreeText);
  if (request === "stop_calling") return byWords(state, "request", request, stopCalling(context, state, globalId));
  if (at.name === "asking") {
    return hearAnswer(context, noteVolunteered(state, said.text), at, said, request, globalId);
  }
  if (globalId !== null) {
    return byWords(state, "jump", globalId, enterNode(context, changeSubject(state), globalId));
  }
  if (at.name === "conversing") {
    const next = { ...state, at: { ...at, turns: at.turns + 1 } };
    return { state: next, parts: [], waitsFor: { type: "converse", nodeId: at.nodeId } };
  }
  return request === "goodbye" ? byWords(state, "request", request, leaveCall(context, state)) : waitOn(context, state);
}

/** The words themselves express the request, at any point of the flow. */
function byWords(
  { at }: FlowState,
  taken: Decision["taken"],
  result: Decision["result"],
  outcome: Outcome,
  by: AnswerEvidence = BY_WORDS,
): Outcome {
  return "nodeId" in at ? decided({ nodeId: at.nodeId, taken, result, ...by }, outcome) : outcome;
}

/** The callee pressed keys. */
function hearKeys(context: CallContext, state: FlowState, keys: string): Outcome {
  const { at } = state;
  if (at.name === "conversing") {
    const next = { ...state, at: { ...at, turns: at.turns + 1 } };
    return { state: next, parts: [], waitsFor: { type: "converse", nodeId: at.nodeId } };
  }
  if (at.name !== "asking") return waitOn(context, state);
  const ask = askOf(context, at);
  if (at.doubt?.type === "confirming" && (keys === "1" || keys === "2")) {
    const result = keys === "1" ? at.doubt.answer.value : false;
    return decided(
      { nodeId: ask.id, taken: "answer", result, ...BY_KEYS },
      keys === "1" ? goOnWith(context, state, at, at.doubt.answer) : reopenQuestion(context, state, at),
    );
  }
  if (at.doubt?.type === "choosing" && (keys === "1" || keys === "2")) {
    const answer = at.doubt.options[keys === "1" ? 0 : 1];
    return takeReading(context, state, at, { type: "answer", answer }, BY_KEYS) ?? reopenQuestion(context, state, at);
  }
  if (at.doubt?.type === "offering") {
    if (keys === "1") return decideOffer(context, state, at, true, "", BY_KEYS);
    return keys === "2"
      ? decideOffer(context, state, at, false, "", BY_KEYS)
      : failAnswer(context, state, ask, "unclear");
  }
  const reading = readKeys(at.digits + keys, ask);
  return takeReading(context, state, at, reading, BY_KEYS) ?? failAnswer(context, state, ask, "unclear");
}

function isOpen(context: CallContext, at: Asking): boolean {
  return askOf(context, at).answer === "free_text" && at.doubt === null;
}

/** Never again, and politely. A flow with its own words for it says those. */
function stopCalling(context: CallContext, state: FlowState, globalId: string | null): Outcome {
  if (globalId !== null) return after([{ type: "suppress" }], enterNode(context, changeSubject(state), globalId));
  const parts = [{ type: "suppress" } as const, ...say(phrase(context, "do_not_call"), false)];
  return {
    state: { ...state, at: { name: "ended" } },
    parts: [...parts, { type: "end", reason: "finished" }],
    waitsFor: OVER,
  };
}

/** Recognition writes this for many short words, such as "five". A callee who means it says it again or hangs up. */
const LONE_BYE = /^\W*(?:bye|by|buy)\W*$/i;

function hearAnswer(
  context: CallContext,
  state: FlowState,
  at: Asking,
  said: Said,
  found: CalleeRequest | null,
  globalId: string | null,
): Outcome {
  const ask = askOf(context, at);
  const isMisheard = at.failures === 0 && found === "goodbye" && LONE_BYE.test(said.text);
  // The very words of one of the answers are that answer, whatever else they could be.
  const [named] = at.doubt === null ? matchMeanings(said.text, meaningsOfExits(ask)) : [];
  if (named?.strength === 3 || isMisheard) return hearWeighed(context, state, at, said, weighRequest(null, null), null);
  if (found === null || globalId !== null || isOpen(context, at) || addressesModel(said.text)) {
    return hearWeighed(context, state, at, said, weighRequest(found, null), globalId);
  }
  return {
    state,
    parts: [],
    waitsFor: { type: "request_opinion", said, found, utterance: utterance(context, state, ask, said.text) },
  };
}

/** What was said, as the classifier of requests sees it. */
function utterance(context: CallContext, state: FlowState, ask: AskNode, said: string): JudgedUtterance {
  return { question: lastSaid(context, state, ask), answerKind: ask.answer, said };
}

/** The classifier of requests has answered, or there is none. */
export function hearJudgedRequest(
  context: CallContext,
  state: FlowState,
  { said, found }: Extract<WaitsFor, { type: "request_opinion" }>,
  opinion: RequestOpinion | null,
): Outcome {
  const { at } = state;
  if (at.name !== "asking") return waitOn(context, state);
  return hearWeighed(context, state, at, said, weighRequest(found, opinion), null);
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
  if (followed !== null && (request === null || !isSoft(request, said.text))) return followed;
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
    return correctEarlier(context, state, said) ?? askForOpinions(context, state, at, reading, said, weighed);
  }
  if (isSettled(reading, at, said)) {
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
  const comesFirst = request === null || (request !== "goodbye" && !isSoft(request, said.text));
  if (followed !== null && (isWanted === null || comesFirst)) return followed;
  if (!at.wasHeard && isBare(said.text)) return byWords(state, "ask_back", null, askAgain(context, state, at));
  if (isWanted === null) return failAnswer(context, state, askOf(context, at), "unclear");
  return decideOffer(context, state, at, isWanted, said.text, value === null ? BY_WORDS : by);
}

function decideOffer(
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

/** A plain answer in a word or two, or one to a doubt that was read out, needs no second opinion. */
function isSettled(reading: AnswerReading, at: Asking, { text }: Said): boolean {
  if (at.doubt !== null || reading.type === "part" || at.digits !== "") return true;
  return reading.type === "answer" && plainWords(text).length <= SETTLED_WORDS_MAX;
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
    const jumped = after(kept.parts, enterNode(context, changeSubject(kept.state), jump));
    return byWords(state, "jump", jump, jumped, by);
  }
  if (request === null) return null;
  return byWords(state, "request", request, answerRequest(context, state, at, request, text), by);
}

/** "Yes" to a question that was not heard answers something else. */
function isBare(text: string): boolean {
  return plainWords(text).length <= BARE_WORDS_MAX && findYesNo(text) !== null;
}

/** What is said around a yes or no and adds nothing to it. */
const COURTESIES =
  /^(?:no|yes|oh|well|sorry|wait|actually|please|thanks|thank|you|very|much|kindly|i|mean|am|afraid|really|just|so|and|then|okay|ok)$/;

function isOnlyYesNo(text: string): boolean {
  const words = longFormOf(wordsOf(text));
  const hits = findYesNoHits(words);
  return words.every(
    ({ text: word }, at) => COURTESIES.test(word) || hits.some(({ start, end }) => at >= start && at < end),
  );
}

/** Values whose read-back can be answered with another one. */
const CHANGEABLE = new Set<AskNode["answer"]>(["date", "time", "number"]);
/** These also consist of words with other meanings, and change only after a no. */
const CHANGEABLE_AFTER_NO = new Set<AskNode["answer"]>(["name", "phone", "digits", "email", "choice"]);

/**
 * "No, four" to a question that reads back what was collected ("on Friday at three, is that right?"): just that value
 * changes, and it is read back again. Null when nothing else is named.
 */
function changeReadBack(context: CallContext, state: FlowState, at: Asking, said: Said): Outcome | null {
  const ask = askOf(context, at);
  if (ask.answer !== "yes_no") return null;
  const heard = findYesNo(said.text)?.value ?? null;
  const text = heard === null ? said.text : (afterCorrection(said.text) ?? said.text);
  const names = placeholderNames(ask.text).filter((name) => (state.collected[name] ?? null) !== null);
  const changes = names.flatMap((name) => {
    const owner = [...context.plan.nodes.values()].find((node) => node.type === "ask" && node.saveAs === name);
    if (owner?.type !== "ask") return [];
    const mayChange = CHANGEABLE.has(owner.answer) || (heard === false && CHANGEABLE_AFTER_NO.has(owner.answer));
    if (!mayChange) return [];
    const dictated = String(state.collected[name]).replaceAll(/\D/g, "");
    const isDictated = owner.answer === "phone" || owner.answer === "digits";
    const open = openQuestion(context, state, owner);
    const reading = readAnswer(
      { text: isDictated ? said.text : text, best: null },
      isDictated ? { ...open, dictated } : open,
      context.reading,
    );
    // What is changed is read back again, so a likely reading is enough where digits were corrected.
    const isRead = reading.type === "answer" || (isDictated && reading.type === "unsure");
    const isOther = isRead && reading.answer.value !== state.collected[name];
    return isOther ? [{ name, owner, kind: owner.answer, value: reading.answer.value }] : [];
  });
  const [first] = changes;
  // The same words cannot be meant for two values: "four" may be the time, or how many come.
  if (first === undefined || (changes.some(({ kind }) => kind === "number") && changes.length > 1)) return null;
  const values = Object.fromEntries(changes.map(({ name, value }) => [name, value]));
  const kept = collect(
    changes.reduce((each, { owner, value }) => noteTaken(each, owner, value), state),
    values,
  );
  const why = changes.map(({ name, value }) => ({ judge: "slots", says: `changes ${name} to ${value}` }) as const);
  const taken =
    heard === true
      ? ({ taken: "ask_back", result: first.value } as const)
      : ({ taken: "answer", result: false } as const);
  return decided({ nodeId: ask.id, ...taken, ...BY_WORDS, why }, after(kept.parts, askAgain(context, kept.state, at)));
}

/** "No, Thursday" after the day was asked for: the previous answer is taken back, and the call continues from there. */
function correctEarlier(context: CallContext, state: FlowState, said: Said): Outcome | null {
  const { answered } = state;
  if (answered === null || answered.before.at.name !== "asking" || !beginsWithCorrection(said.text)) return null;
  const { at } = answered.before;
  const ask = askOf(context, at);
  if (ask.answer === "free_text" || ask.answer === "name") return null;
  // "No, thank you" declines what is asked now.
  if (ask.answer === "yes_no" && isOnlyYesNo(said.text)) return null;
  const question = openQuestion(context, answered.before, ask);
  const reading = readAnswer({ text: said.text, best: null }, question, context.reading);
  if (reading.type !== "answer") return null;
  const { turns, history, firstSaid, isDisclosed, languages } = state;
  const back = { ...answered.before, turns, history, firstSaid, isDisclosed, languages };
  const answer = speakValue(reading.answer.value, spokenKindOf(ask), context.speaking);
  const parts = [...restored(state, back, ask.saveAs), ...say(phrase(context, "corrected", { answer }), true)];
  return decided(
    { nodeId: ask.id, taken: "answer", result: reading.answer.value, ...BY_WORDS },
    after(parts, goOnWith(context, back, at, reading.answer)),
  );
}

/** Records the values that going back to an earlier question brings back or removes, except its own. */
function restored({ collected: now }: FlowState, { collected: before }: FlowState, own?: string): ReplyPart[] {
  return [...new Set([...Object.keys(now), ...Object.keys(before)])].flatMap((name): ReplyPart[] => {
    const value = before[name] ?? null;
    return name === own || (now[name] ?? null) === value ? [] : [{ type: "collected", name, value }];
  });
}

/** Shorter replies rarely answer more than what was asked, and are not worth waiting for a model. */
const VOLUNTEERED_WORDS_MIN = 6;

/** What was said may also be judged by others, and may be close to something that can be meant. */
function askForOpinions(
  context: CallContext,
  state: FlowState,
  at: Asking,
  reading: AnswerReading,
  { text, verbatim = text }: Said,
  request: WeighedRequest,
): Outcome {
  const ask = askOf(context, at);
  const exits = at.doubt === null ? meaningsOfExits(ask) : [];
  const candidates = [
    ...exits.map(({ id, phrases }) => ({ id: `exit:${id}`, phrases })),
    ...meaningsOfGlobals(context).map(({ id, phrases }) => ({ id: `global:${id}`, phrases })),
  ].filter(({ phrases }) => phrases.length > 0);
  const judged =
    at.doubt === null && !addressesModel(text) ? judgedAnswer(ask, lastSaid(context, state, ask), verbatim) : null;
  const isLong = plainWords(text).length >= VOLUNTEERED_WORDS_MIN;
  const mayVolunteer = context.asksModel && at.doubt === null && isLong && !addressesModel(text);
  const slots = mayVolunteer ? laterSlots(context, state, ask) : [];
  const isAnswered = judged === null && reading.type !== "none";
  if (isAnswered && (reading.type !== "answer" || slots.length === 0)) {
    return takeReading(context, state, at, reading) ?? failAnswer(context, state, ask, "unclear");
  }
  const isOpenToRequests = !isAnswered && request.why.length === 0 && !isOpen(context, at) && !addressesModel(text);
  const asked = isOpenToRequests ? utterance(context, state, ask, text) : null;
  if (!isAnswered && judged === null && asked === null && candidates.length === 0) {
    return failAnswer(context, state, ask, "unclear");
  }
  return {
    state,
    parts: [],
    waitsFor: { type: "opinions", text, reading, judged, slots, candidates, utterance: asked, request },
  };
}

/** What the callee heard last: the question, with what was said before it. */
function lastSaid(context: CallContext, state: FlowState, ask: AskNode): string {
  const question = plainText(speak(context, state, ask.text));
  const heard = state.history.findLast(({ role }) => role === "agent");
  return heard?.role === "agent" && heard.text.includes(question) ? heard.text : question;
}

/**
 * The flow waits for a tool, a judgement or permission to dial, and was interrupted: it keeps waiting. Entering the
 * node again asks for the same thing under the same id, so nothing is done twice.
 */
function waitOn(context: CallContext, state: FlowState): Outcome {
  const { at } = state;
  switch (at.name) {
    case "requesting": {
      const again = enterNode(context, { ...state, requests: state.requests - 1 }, at.nodeId);
      return { ...again, parts: [] };
    }
    case "judging":
    case "dialing": {
      const again = enterNode(context, state, at.nodeId);
      return { ...again, parts: [] };
    }
    // A callee who is being connected is not listened to, so this was cut off before it began.
    case "transferring": {
      const node = nodeOf(context, at.nodeId);
      if (node.type !== "transfer") return { state, parts: [], waitsFor: LISTEN };
      const again = enterNode(context, state, at.nodeId);
      return { ...again, parts: [] };
    }
    default:
      return { state, parts: [], waitsFor: LISTEN };
  }
}

function leaveCall(context: CallContext, state: FlowState): Outcome {
  const parts: ReplyPart[] = [...say(phrase(context, "farewell"), false), { type: "end", reason: "finished" }];
  return { state: { ...state, at: { name: "ended" } }, parts, waitsFor: OVER };
}
