import type { CalleeTurn, Decision } from "../ports/brain.ts";
import { findYesNo } from "../text/from-speech/find-yes-no.ts";
import { BY_KEYS, BY_WORDS } from "./answers/answer.ts";
import { beginsWithCorrection } from "./answers/correction.ts";
import { readAnswer } from "./answers/read-answer.ts";
import { meaningsOfExits } from "./answers/read-choice.ts";
import { readKeys } from "./answers/read-keys.ts";
import { askAgain, askOf, repeatQuestion } from "./ask-question.ts";
import { type CallScope, phrase, say, spokenKindOf } from "./call-scope.ts";
import type { Asking, FlowState } from "./flow-state.ts";
import { identification } from "./identification.ts";
import { type CalleeIntent, findIntent } from "./intents/callee-intents.ts";
import { findGlobal, meaningsOfGlobals } from "./intents/find-global.ts";
import { matchMeanings } from "./intents/match-phrase.ts";
import { plainWords } from "./intents/plain-words.ts";
import { leaveCall } from "./leave-call.ts";
import { after, decided, LISTEN, type Outcome, OVER } from "./outcome.ts";
import { failAnswer, goOnWith, readReply, reopenQuestion, takeReading } from "./take-answer.ts";
import { speakValue } from "./texts/speak-value.ts";
import { waitOn } from "./wait-on.ts";
import { disclosureText, enterNode } from "./walk-flow.ts";

type Said = Extract<CalleeTurn, { type: "said" }>;

/** Answers of so few words that they could be meant for anything. */
const BARE_WORDS_MAX = 2;

/** The callee said something, wherever the flow is. */
export function hearWords(scope: CallScope, state: FlowState, said: Said): Outcome {
  const { at } = state;
  const intent = findIntent(plainWords(said.text));
  const isFreeText = at.name === "conversing" || (at.name === "asking" && isOpen(scope, at));
  const globalId = findGlobal(scope, said.text, isFreeText);
  if (intent === "stop_calling") return byWords(state, "request", intent, stopCalling(scope, state, globalId));
  if (at.name === "asking") return hearAnswer(scope, state, at, said, intent, globalId);
  if (globalId !== null) {
    return byWords(state, "jump", globalId, enterNode(scope, { ...state, answered: null }, globalId));
  }
  if (at.name === "conversing") {
    const next = { ...state, at: { ...at, turns: at.turns + 1 } };
    return { state: next, parts: [], waitsFor: { type: "converse", nodeId: at.nodeId } };
  }
  return intent === "goodbye" ? byWords(state, "request", intent, leaveCall(scope, state)) : waitOn(scope, state);
}

/** The words themselves said what is wanted, wherever the flow stands. */
function byWords({ at }: FlowState, taken: Decision["taken"], result: Decision["result"], outcome: Outcome): Outcome {
  return "nodeId" in at ? decided({ nodeId: at.nodeId, taken, result, ...BY_WORDS }, outcome) : outcome;
}

/** The callee pressed keys. */
export function hearKeys(scope: CallScope, state: FlowState, keys: string): Outcome {
  const { at } = state;
  if (at.name === "conversing") {
    const next = { ...state, at: { ...at, turns: at.turns + 1 } };
    return { state: next, parts: [], waitsFor: { type: "converse", nodeId: at.nodeId } };
  }
  if (at.name !== "asking") return waitOn(scope, state);
  const ask = askOf(scope, at);
  if (at.doubt?.type === "confirming" && (keys === "1" || keys === "2")) {
    const result = keys === "1" ? at.doubt.answer.value : false;
    return decided(
      { nodeId: ask.id, taken: "answer", result, ...BY_KEYS },
      keys === "1" ? goOnWith(scope, state, at, at.doubt.answer) : reopenQuestion(scope, state, at),
    );
  }
  if (at.doubt?.type === "choosing" && (keys === "1" || keys === "2")) {
    const answer = at.doubt.options[keys === "1" ? 0 : 1];
    return takeReading(scope, state, at, { type: "answer", answer }, BY_KEYS) ?? reopenQuestion(scope, state, at);
  }
  const reading = readKeys(at.digits + keys, ask);
  return takeReading(scope, state, at, reading, BY_KEYS) ?? failAnswer(scope, state, ask, "unclear");
}

function isOpen(scope: CallScope, at: Asking): boolean {
  return askOf(scope, at).answer === "free_text" && at.doubt === null;
}

/** Never again, and politely. Who flows have words for it hears those. */
function stopCalling(scope: CallScope, state: FlowState, globalId: string | null): Outcome {
  if (globalId !== null) return after([{ type: "suppress" }], enterNode(scope, { ...state, answered: null }, globalId));
  const parts = [{ type: "suppress" } as const, ...say(phrase(scope, "do_not_call"), false)];
  return {
    state: { ...state, at: { name: "ended" } },
    parts: [...parts, { type: "end", reason: "finished" }],
    waitsFor: OVER,
  };
}

function hearAnswer(
  scope: CallScope,
  state: FlowState,
  at: Asking,
  said: Said,
  intent: CalleeIntent | null,
  globalId: string | null,
): Outcome {
  const ask = askOf(scope, at);
  // The very words of one of the answers are that answer, whatever else they could be.
  const [named] = at.doubt === null ? matchMeanings(said.text, meaningsOfExits(ask)) : [];
  const isNamed = named?.strength === 3;
  if (!isNamed && globalId !== null) {
    return byWords(state, "jump", globalId, enterNode(scope, { ...state, answered: null }, globalId));
  }
  if (!isNamed && intent !== null) return byWords(state, "request", intent, followIntent(scope, state, at, intent));
  if (!at.wasHeard && isBare(said.text)) return byWords(state, "ask_back", null, askAgain(scope, state, at));
  const reading = readReply(scope, at, said);
  if (reading === "refused") return byWords(state, "answer", false, reopenQuestion(scope, state, at));
  return (
    takeReading(scope, state, at, reading) ??
    correctEarlier(scope, state, said) ??
    rankOrFail(scope, state, at, said.text)
  );
}

/** "Yes" to a question that was never heard answers something else. */
function isBare(text: string): boolean {
  return plainWords(text).length <= BARE_WORDS_MAX && findYesNo(text) !== null;
}

function followIntent(scope: CallScope, state: FlowState, at: Asking, intent: CalleeIntent): Outcome {
  switch (intent) {
    case "repeat":
      return repeatQuestion(scope, state, at);
    case "anybody_there":
      return askAgain(scope, state, at, [phrase(scope, "here")]);
    case "wait":
      return { state, parts: say(phrase(scope, "take_your_time"), true), waitsFor: LISTEN };
    case "who_calls": {
      const text = identification(scope, state);
      return askAgain(scope, state, at, text === state.firstSaid && isFirstQuestion(scope, state, at) ? [] : [text]);
    }
    case "is_machine":
      return askAgain(scope, state, at, [disclosureText(scope) ?? identification(scope, state)]);
    case "human":
      return askAgain(scope, state, at, [phrase(scope, "no_human")]);
    case "goodbye":
    case "stop_calling":
      return leaveCall(scope, state);
  }
}

/** Where the call opens with a question, the question says who calls. */
function isFirstQuestion(scope: CallScope, state: FlowState, at: Asking): boolean {
  return askOf(scope, at).type === "ask" && state.answered === null && state.turns <= 1;
}

/** "No, Thursday" after the day was asked for: the answer before is taken back, and the call goes on from there. */
function correctEarlier(scope: CallScope, state: FlowState, said: Said): Outcome | null {
  const { answered } = state;
  if (answered === null || answered.before.at.name !== "asking" || !beginsWithCorrection(said.text)) return null;
  const { at } = answered.before;
  const ask = askOf(scope, at);
  if (ask.answer === "free_text" || ask.answer === "name") return null;
  const reading = readAnswer({ text: said.text, best: null }, ask, scope.reading);
  if (reading.type !== "answer") return null;
  const { turns, history, firstSaid, isDisclosed } = state;
  const back = { ...answered.before, turns, history, firstSaid, isDisclosed };
  const answer = speakValue(reading.answer.value, spokenKindOf(ask), scope.speaking);
  return decided(
    { nodeId: ask.id, taken: "answer", result: reading.answer.value, ...BY_WORDS },
    after(say(phrase(scope, "corrected", { answer }), true), goOnWith(scope, back, at, reading.answer)),
  );
}

/** Rules are at their end: what was said may still be near to something that can be meant. */
function rankOrFail(scope: CallScope, state: FlowState, at: Asking, text: string): Outcome {
  const ask = askOf(scope, at);
  const exits = at.doubt === null ? meaningsOfExits(ask) : [];
  const candidates = [
    ...exits.map(({ id, phrases }) => ({ id: `exit:${id}`, phrases })),
    ...meaningsOfGlobals(scope).map(({ id, phrases }) => ({ id: `global:${id}`, phrases })),
  ].filter(({ phrases }) => phrases.length > 0);
  if (candidates.length === 0) return failAnswer(scope, state, ask, "unclear");
  return { state, parts: [], waitsFor: { type: "rank", text, candidates } };
}
