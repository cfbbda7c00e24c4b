import { STANDARD_LANGUAGES, standardTexts } from "@parley/flow/standard-texts";
import { codeOf, identifyLanguage } from "../languages/identification/identify-language.ts";
import type { CalleeTurn, Expectation, ReplyPart } from "../ports/brain.ts";
import { inLanguage } from "../ports/speech-notation.ts";
import { findYesNo } from "../text/values-in-speech/find-yes-no.ts";
import { askAgain, askOf } from "./ask-question.ts";
import { type CallContext, phrase, say, speak, speechOf, understoodAs } from "./call-context.ts";
import { expectedYesNo } from "./expectation.ts";
import type { FlowState } from "./flow-state.ts";
import { offerHelp } from "./leave-question.ts";
import { after, decided, LISTEN, type Outcome } from "./outcome.ts";
import { openFlow, respondToTurn } from "./respond-to-turn.ts";
import { identification } from "./small-talk.ts";
import { failAnswer } from "./take-answer.ts";
import { BY_KEYS, BY_WORDS } from "./understanding/answer.ts";
import { plainWords } from "./understanding/plain-words.ts";
import { findRequest } from "./understanding/requests.ts";
import { disclosureText } from "./walk-flow.ts";

/**
 * The language of the callee. A callee who answers in another language than the agent is asked, in that language, whether
 * to go on in it, if the flow is translated and the engine hears and speaks it. Otherwise the callee is told which
 * language the agent speaks, and gets the help that the flow has for callees who are not understood. What was said in
 * another language is never taken as an answer. Each language is answered once: afterwards it is an answer that was not
 * understood, like any other.
 */

type Said = Extract<CalleeTurn, { type: "said" }>;

/** A callee who says neither yes nor no is asked this often. */
const OFFERS_MAX = 2;
/** A recognizer that reports a language may be wrong about fewer words. */
const REPORTED_WORDS_MIN = 3;

/** The context of the language that is spoken now. */
export function currentContext(context: CallContext, { languages }: FlowState): CallContext {
  return context.others.find(({ language }) => language === languages.current) ?? context;
}

/** The context of the language that the agent spoke last: the one it offered, or else that of the call now. */
export function spokenContext(context: CallContext, state: FlowState): CallContext {
  const { offer } = state.languages;
  return context.others.find(({ language }) => language === offer?.language) ?? currentContext(context, state);
}

/** What is expected now, with the language in which it is expected. */
export function expectationInLanguage(context: CallContext, state: FlowState, expected: Expectation): Expectation {
  const { current, offer } = state.languages;
  const offered = context.others.find(({ language }) => language === offer?.language);
  if (offered !== undefined) return { ...expectedYesNo(offered), language: offered.language };
  return current === null ? expected : { ...expected, language: current };
}

/** What follows from a turn of the callee, in whatever language. `context` is that of the agent's own language. */
export function respondInLanguage(context: CallContext, state: FlowState, turn: CalleeTurn): Outcome {
  const { languages } = state;
  const current = currentContext(context, state);
  if (turn.type === "machine") return respondToTurn(current, withoutOffer(state), turn);
  if (languages.offer !== null) return hearOffer(context, state, languages.offer, turn);
  const isTalking = state.at.name === "asking" || state.at.name === "conversing";
  if (turn.type !== "said" || !isTalking || turn.text.trim() === "") return respondToTurn(current, state, turn);
  const wanted = requestedLanguage(context, current, turn);
  const spoken = languageOf(turn, current);
  const language = wanted ?? spoken?.language ?? null;
  const isNoticed =
    wanted !== null || spoken?.evidence === "strong" || (language !== null && languages.suspected === language);
  const next = withLanguages(state, { suspected: language });
  if (language === null || !isNoticed) return respondToTurn(current, next, turn);
  const noticed = noteTurn(withLanguages(next, { noticed: [...new Set([...languages.noticed, language])] }));
  const isKnown = languages.noticed.includes(language);
  const outcome = answerLanguage(context, current, noticed, language, isKnown);
  const parts: ReplyPart[] = isKnown ? [] : [{ type: "language_noticed", language }];
  if (outcome !== null) return after(parts, withDecision(state, "other_language", outcome));
  const { at } = noticed;
  return at.name === "asking"
    ? failAnswer(current, noticed, askOf(current, at), "unclear")
    : respondToTurn(current, next, turn);
}

/** Null if the language was answered before. */
function answerLanguage(
  context: CallContext,
  current: CallContext,
  state: FlowState,
  language: string,
  isKnown: boolean,
): Outcome | null {
  if (language === codeOf(context.language)) return offer(context, state, context, 1);
  const other = context.others.find((each) => codeOf(each.language) === language);
  if (isKnown) return null;
  if (other !== undefined) return offer(context, state, other, 1);
  const again = state.at.name === "asking" ? repeatCurrent(current, state) : { state, parts: [], waitsFor: LISTEN };
  return after(sayOnly(context, current, language), offerHelp(current, state) ?? again);
}

/** Asks in the other language whether to go on in it. Back to the agent's own language, nothing is asked. */
function offer(context: CallContext, state: FlowState, other: CallContext, asked: number): Outcome {
  if (other === context) return changeTo(context, state, context);
  const next = withLanguages(state, { offer: { language: other.language, asked }, suspected: null });
  return { state: next, parts: saidIn(other, other.texts.languages.offer), waitsFor: LISTEN };
}

function hearOffer(
  context: CallContext,
  state: FlowState,
  { language, asked }: NonNullable<FlowState["languages"]["offer"]>,
  turn: CalleeTurn,
): Outcome {
  const other = context.others.find((each) => each.language === language);
  const current = currentContext(context, state);
  if (other === undefined || turn.type === "transfer_failed") return respondToTurn(current, withoutOffer(state), turn);
  const answered = turn.type === "said" || turn.type === "pressed" ? noteTurn(state) : state;
  const answer = answerToOffer(current, other, turn);
  if (answer === null && asked < OFFERS_MAX) return offer(context, answered, other, asked + 1);
  const by = turn.type === "pressed" ? BY_KEYS : BY_WORDS;
  const outcome =
    answer === true
      ? changeTo(context, withoutOffer(answered), other)
      : repeatCurrent(current, withLanguages(answered, { suspected: null, offer: null }));
  const { at } = state;
  if (!("nodeId" in at)) return outcome;
  return decided(
    { nodeId: at.nodeId, taken: "request", result: answer === true ? language : "same_language", ...by },
    outcome,
  );
}

/** A callee who answers in the other language wants it, unless the answer is no. */
function answerToOffer(current: CallContext, other: CallContext, turn: CalleeTurn): boolean | null {
  if (turn.type === "pressed") return turn.keys === "1" ? true : turn.keys === "2" ? false : null;
  if (turn.type !== "said") return null;
  const inOther = findYesNo(understoodAs(other, turn.text));
  if (inOther !== null) return inOther.value;
  const inOwn = findYesNo(understoodAs(current, turn.text));
  if (inOwn !== null) return inOwn.value;
  return languageOf(turn, current)?.language === codeOf(other.language) ? true : null;
}

/**
 * Goes on in another language. Where nothing was answered yet, the call begins again: what was said so far, who is
 * calling and that it is recorded, was not understood. Back in the agent's own language, only what was not heard yet is
 * said again.
 */
function changeTo(own: CallContext, from: FlowState, to: CallContext): Outcome {
  const changed = withLanguages(from, { current: to === own ? null : to.language, suspected: null, offer: null });
  const { at } = changed;
  const opening = openFlow(to, { ...changed, isDisclosed: false, firstSaid: null });
  const state = { ...changed, firstSaid: opening.state.firstSaid };
  const introduction = state.introductionOwed.length === 0 ? [] : [identification(to, state)];
  if (to === own && introduction.length === 0) return repeatCurrent(own, state);
  const isSame = "nodeId" in at && "nodeId" in opening.state.at && at.nodeId === opening.state.at.nodeId;
  const isOnlySpeech = opening.waitsFor.type === "listen" && opening.parts.every(({ type }) => SPOKEN.has(type));
  if (isSame && isOnlySpeech && state.answered === null) return opening;
  const disclosure = disclosureText(to);
  const texts = [phrase(to, "again"), ...introduction, ...(disclosure === null ? [] : [disclosure])];
  return after(
    texts.filter((text) => text !== "").flatMap((text) => say(text, true)),
    repeatCurrent(to, { ...state, isDisclosed: true }),
  );
}

const SPOKEN: ReadonlySet<ReplyPart["type"]> = new Set(["say", "entered"]);

function repeatCurrent(context: CallContext, state: FlowState): Outcome {
  const { at } = state;
  if (at.name === "asking") return askAgain(context, state, at);
  if (at.name === "conversing") return { state, parts: [], waitsFor: { type: "converse", nodeId: at.nodeId } };
  return { state, parts: [], waitsFor: LISTEN };
}

/** Which language the agent speaks, said in the callee's if the voice can, and otherwise in the agent's own. */
function sayOnly(context: CallContext, current: CallContext, language: string): ReplyPart[] {
  const tag = context.spoken.find((each) => codeOf(each) === language);
  if (tag === undefined || !STANDARD_LANGUAGES.includes(language)) return say(phrase(current, "other_language"), true);
  const name = new Intl.DisplayNames(tag, { type: "language" }).of(codeOf(current.language)) ?? current.language;
  const text = standardTexts(tag).languages.only.replace("{{language}}", name);
  return say(text, true).map((part) => markedIn(part, tag));
}

function saidIn(context: CallContext, text: string): ReplyPart[] {
  return say(speak(context, { collected: {} }, text), true).map((part) => markedIn(part, context.language));
}

function markedIn(part: ReplyPart, language: string): ReplyPart {
  return part.type === "say" ? { ...part, speech: inLanguage(speechOf(part), language) } : part;
}

/**
 * The language of a turn, if it is another one than the agent speaks now. Words are weighed first; what the recognizer
 * reports is believed about languages whose words are not known here, and supports what the words suggest.
 */
function languageOf(turn: Said, { language: own }: CallContext): ReturnType<typeof identifyLanguage> {
  const found = identifyLanguage(turn.text, own);
  const reported = turn.language === undefined ? null : codeOf(turn.language);
  if (reported === null || reported === codeOf(own) || reported === "mul") return found;
  if (found !== null) return found.language === reported ? { ...found, evidence: "strong" } : found;
  if (IDENTIFIED.has(reported)) return null;
  const isLong = plainWords(turn.text).length >= REPORTED_WORDS_MIN;
  return { language: reported, evidence: isLong ? "strong" : "weak" };
}

/** Languages that are identified by their words: a report without any of them is a name, or a mistake. */
const IDENTIFIED: ReadonlySet<string> = new Set(["en", "de", "es", "fr", "it", "pt"]);

/** "Do you speak Spanish?", said in the language of the agent. */
function requestedLanguage(context: CallContext, current: CallContext, { text }: Said): string | null {
  if (context.others.length === 0 || findRequest(understoodAs(current, text)) !== "other_language") return null;
  const names = new Intl.DisplayNames(current.language, { type: "language" });
  const said = plainWords(text);
  const wanted = [context, ...context.others].find(
    (each) => each !== current && said.includes((names.of(codeOf(each.language)) ?? "").toLowerCase()),
  );
  return wanted === undefined ? null : codeOf(wanted.language);
}

function withDecision({ at }: FlowState, result: string, outcome: Outcome): Outcome {
  return "nodeId" in at ? decided({ nodeId: at.nodeId, taken: "request", result, ...BY_WORDS }, outcome) : outcome;
}

function withLanguages(state: FlowState, changes: Partial<FlowState["languages"]>): FlowState {
  return { ...state, languages: { ...state.languages, ...changes } };
}

function withoutOffer(state: FlowState): FlowState {
  return withLanguages(state, { offer: null });
}

function noteTurn(state: FlowState): FlowState {
  return { ...state, turns: state.turns + 1 };
}
