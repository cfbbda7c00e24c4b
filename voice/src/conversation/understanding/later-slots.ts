import type { AskNode } from "@parley/contract/flow-ask";
import { edgesOf } from "@parley/flow/graph";
import { plainText } from "../../ports/speech-notation.ts";
import { findDate } from "../../text/values-in-speech/find-date.ts";
import { findTime } from "../../text/values-in-speech/find-time.ts";
import { type CallContext, nodeOf, speak } from "../call-context.ts";
import type { FlowState } from "../flow-state.ts";
import { type CollectedValue, valueOfExit } from "./answer.ts";
import { findSlots } from "./find-slots.ts";
import { matchExits, stemsOf } from "./match-exits.ts";
import { parseUtterance } from "./parse-utterance.ts";
import { plainWords } from "./plain-words.ts";
import { openQuestion } from "./question-context.ts";
import { isDayBehind } from "./values/asked-moment.ts";
import { findMentions } from "./values/find-mentions.ts";
import { readName } from "./values/read-name.ts";
import { isInRange } from "./values/read-value.ts";

/**
 * Later questions of the flow that what was said now may answer. A language model says which value belongs to which of
 * them; a value counts only if the callee's own words contain it, as the rules read them.
 */
export interface LaterSlot {
  readonly nodeId: string;
  readonly kind: "name" | "date" | "time" | "number" | "amount" | "place" | "choice";
  readonly question: string;
  /** Of a choice. */
  readonly options: readonly string[];
}

/** More questions make the model slower, and are rarely answered in one sentence. */
const SLOTS_MAX = 8;

/** The questions after this one without an answer so far, nearest first. */
export function laterSlots(context: CallContext, state: FlowState, ask: AskNode): LaterSlot[] {
  const slots: LaterSlot[] = [];
  const reached = new Set([ask.id]);
  // Iterating over a set that grows visits what was added, each id once.
  for (const id of reached) {
    const node = nodeOf(context, id);
    for (const { to } of edgesOf(node)) if (to !== undefined) reached.add(to);
    const kind = node.type === "ask" && node.id !== ask.id ? kindOf(node) : null;
    if (node.type !== "ask" || kind === null || isKnown(state, node)) continue;
    const options = kind === "choice" ? node.exits.map(({ when }) => when) : [];
    slots.push({ nodeId: node.id, kind, question: plainText(speak(context, state, node.text)), options });
    if (slots.length === SLOTS_MAX) break;
  }
  return slots;
}

function isKnown({ collected }: FlowState, { saveAs }: AskNode): boolean {
  return saveAs !== undefined && (collected[saveAs] ?? null) !== null;
}

const ASKS_FOR_MONEY = /\b(?:how much|amount|dollars?|euros?|pounds|price|sum|budget|pay|donate)\b/i;
const ASKS_FOR_PLACE =
  /\bwhere\b|\b(?:which|what) (?:place|room|address|street|entrance|floor|door|building|city|town)\b/i;

/** Consent, dictated numbers and opinions are always asked for: null. */
function kindOf({ answer, text, saveAs, exits }: AskNode): LaterSlot["kind"] | null {
  if (saveAs === undefined && exits.length === 0) return null;
  switch (answer) {
    case "name":
    case "date":
    case "time":
    case "choice":
      return answer;
    case "number":
      return ASKS_FOR_MONEY.test(text) ? "amount" : "number";
    case "free_text":
      return ASKS_FOR_PLACE.test(text) ? "place" : null;
    default:
      return null;
  }
}

const NAME_WORDS_MAX = 4;
const PLACE_WORDS_MAX = 10;
/** What a name or a place is written with, and nothing that could be markup. */
const PLAIN_TEXT = /^[\p{L}\p{M}\p{N}'\u2019., -]{1,80}$/u;

/**
 * The value of a slot if the callee's plain statements contain it: a day, a time, a number or an option that the rules
 * find in them too, or a name or a place word for word. Null for anything else.
 */
export function supportedValue(
  context: CallContext,
  state: FlowState,
  { nodeId, kind }: LaterSlot,
  value: unknown,
  words: string,
): CollectedValue {
  const ask = nodeOf(context, nodeId);
  if (ask.type !== "ask") return null;
  switch (kind) {
    case "date":
    case "time":
      return isMomentSaid(context, state, ask, value, words) ? String(value) : null;
    case "number":
    case "amount":
      return typeof value === "number" && isNumberSaid(context, state, ask, value, words) ? value : null;
    case "name":
      return isSaid(value, words, NAME_WORDS_MAX) && readName(value) !== null ? value.trim() : null;
    case "place":
      return isSaid(value, words, PLACE_WORDS_MAX) && !isMoment(context, value) ? value.trim() : null;
    case "choice":
      return typeof value === "number" && isOptionSaid(ask, value - 1, words) ? valueOfExit(ask, value - 1) : null;
  }
}

/** A day or a time that is named, and that is not one that the agent named. */
function isMomentSaid(
  context: CallContext,
  state: FlowState,
  ask: AskNode,
  value: unknown,
  words: string,
): value is string {
  if (typeof value !== "string") return false;
  const { known } = openQuestion(context, state, ask);
  const slots = findSlots(words, context.reading);
  if (ask.answer === "time") return slots.times.includes(value) && !known.times.includes(value);
  const isBehind = isDayBehind(ask, ask.text);
  const past = isBehind ? findDate(words, { ...context.reading, prefer: "past" }) : null;
  const dates = isBehind ? [past?.value, ...(past?.others ?? [])] : slots.dates;
  return dates.includes(value) && !known.dates.includes(value);
}

function isNumberSaid(context: CallContext, state: FlowState, ask: AskNode, value: number, words: string): boolean {
  if (!isInRange(value, ask)) return false;
  const time = findTime(words);
  const isTime = ({ start, end }: { readonly start: number; readonly end: number }) =>
    time !== null && start < time.end && end > time.start;
  return findMentions(words, openQuestion(context, state, ask), context.reading).some(
    (mention) => !isTime(mention) && [mention.value, ...mention.others].includes(value),
  );
}

function isSaid(value: unknown, words: string, wordsMax: number): value is string {
  if (typeof value !== "string" || !PLAIN_TEXT.test(value.trim())) return false;
  const wanted = plainWords(value);
  if (wanted.length === 0 || wanted.length > wordsMax) return false;
  return ` ${plainWords(words).join(" ")} `.includes(` ${wanted.join(" ")} `);
}

function isMoment({ reading }: CallContext, text: string): boolean {
  return findDate(text, reading) !== null || findTime(text) !== null;
}

function isOptionSaid(ask: AskNode, exit: number, words: string): boolean {
  const { clauses } = parseUtterance(words);
  return matchExits(clauses, ask, stemsOf(ask.text)).some((match) => match.exit === exit && !match.isNegated);
}
