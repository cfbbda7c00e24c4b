import type { CalleeTurn, ReplyPart } from "../ports/brain.ts";
import { askAgain, askOf } from "./ask-question.ts";
import { type CallContext, nodeOf, phrase, say, speak, understoodAs } from "./call-context.ts";
import { changeSubject, type FlowState } from "./flow-state.ts";
import { byWords, decideOffer, hearAnswer, isOpen, type Said } from "./hear-answer.ts";
import { after, decided, LISTEN, type Outcome, OVER } from "./outcome.ts";
import { honestAnswer, honestyBefore, identification } from "./small-talk.ts";
import { failAnswer, goOnWith, reopenQuestion, takeReading } from "./take-answer.ts";
import { BY_KEYS } from "./understanding/answer.ts";
import { findGlobal } from "./understanding/find-global.ts";
import { plainWords } from "./understanding/plain-words.ts";
import { findRequest } from "./understanding/requests.ts";
import { readKeys } from "./understanding/values/read-keys.ts";
import { noteVolunteered } from "./understanding/volunteered.ts";
import { enterNode, waitOn } from "./walk-flow.ts";

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
    ? enterNode(context, state, node.failed, "failed")
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

/** What was said, in the words by which it is understood. */
function understood(context: CallContext, turn: Extract<CalleeTurn, { type: "said" }>): Said {
  const { text, best } = turn;
  if (context.pack === null) return turn;
  const heard = best === null ? null : { ...best, answer: understoodAs(context, best.answer) };
  return { ...turn, text: understoodAs(context, text), best: heard, verbatim: text };
}

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
  const named = findGlobal(context, said.text, isFreeText);
  // "Is this a real person?" asks who is speaking, and not for a person.
  const globalId = found === "is_machine" && named !== null && connectsPerson(context, named) ? null : named;
  if (request === "stop_calling") return byWords(state, "request", request, stopCalling(context, state, globalId));
  if (at.name === "asking") {
    return hearAnswer(context, noteVolunteered(state, said.text), at, said, request, globalId);
  }
  if (globalId !== null) {
    const honesty = found === "is_machine" ? honestyBefore(context, globalId) : [];
    return byWords(state, "jump", globalId, after(honesty, enterNode(context, changeSubject(state), globalId)));
  }
  if (at.name === "conversing") {
    const next = { ...state, at: { ...at, turns: at.turns + 1 } };
    // No model decides whether the callee learns that a machine is speaking.
    if (request === "is_machine") return { state: next, parts: say(honestAnswer(context), true), waitsFor: LISTEN };
    return { state: next, parts: [], waitsFor: { type: "converse", nodeId: at.nodeId } };
  }
  return request === "goodbye" ? byWords(state, "request", request, leaveCall(context, state)) : waitOn(context, state);
}

/** Whether callees reach a node by asking for a person. */
function connectsPerson(context: CallContext, nodeId: string): boolean {
  const node = nodeOf(context, nodeId);
  return "global" in node && (node.global?.phrases ?? []).some((each) => findRequest(each) === "human");
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

function leaveCall(context: CallContext, state: FlowState): Outcome {
  const parts: ReplyPart[] = [...say(phrase(context, "farewell"), false), { type: "end", reason: "finished" }];
  return { state: { ...state, at: { name: "ended" } }, parts, waitsFor: OVER };
}
