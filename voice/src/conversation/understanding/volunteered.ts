import type { AskNode } from "@parley/contract/flow-ask";
import { placeholderNames } from "@parley/flow/placeholders";
import { findDate } from "../../text/from-speech/find-date.ts";
import { findEmail } from "../../text/from-speech/find-email.ts";
import { findNumber } from "../../text/from-speech/find-number.ts";
import { findTime } from "../../text/from-speech/find-time.ts";
import { wordsOf } from "../../text/from-speech/words.ts";
import { type CallContext, nodeOf } from "../call-context.ts";
import type { FlowState } from "../flow-state.ts";
import { type AnswerReading, answerOf, NOT_UNDERSTOOD } from "./answer.ts";
import { stemsOf } from "./match-exits.ts";
import { type Clause, parseUtterance, type SignalKind } from "./parse-utterance.ts";
import { openQuestion } from "./question-context.ts";
import { readQuantity } from "./values/read-quantity.ts";
import { readAnswerValue } from "./values/read-value.ts";
import { stemOf } from "./word-forms.ts";

/**
 * What the callee said without being asked for it, and later questions need not ask again: the plain statements and
 * wishes of earlier turns. What was denied, wondered about or only possible is not kept.
 */
export interface Volunteered {
  readonly words: string;
  /** Kinds of answers that were already taken from it. */
  readonly taken: readonly AskNode["answer"][];
}

/** More of them are from another part of the conversation. */
const VOLUNTEERED_MAX = 6;

/** What makes a clause no fact. Somebody else may be named in one: "with my neighbor". */
const NO_FACT: ReadonlySet<SignalKind> = new Set([
  "negation",
  "condition",
  "doubt",
  "counterfactual",
  "question",
  "hearsay",
  "past",
  "fragment",
]);

/** Keeps what was said in a turn, newest last. */
export function noteVolunteered(state: FlowState, text: string): FlowState {
  const { clauses } = parseUtterance(text);
  const words = clauses
    .filter((clause) => clause.tokens.length > 0 && isFact(clause))
    .map(({ tokens }) => text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0))
    .join(", ");
  if (words === "") return state;
  return { ...state, volunteered: [...state.volunteered, { words, taken: [] }].slice(-VOLUNTEERED_MAX) };
}

/** A polite question is a wish: "Can we move it to Friday?" */
function isFact({ signals }: Clause): boolean {
  const isWish = signals.some(({ kind }) => kind === "polite_request");
  return !signals.some(({ kind }) => NO_FACT.has(kind) && !(isWish && kind === "question"));
}

/** An answer of this kind was taken: what was said about it before does not count any more. */
export function withoutKind(state: FlowState, kind: AskNode["answer"]): FlowState {
  const volunteered = state.volunteered.map((each) => ({ ...each, taken: [...each.taken, kind] }));
  return { ...state, volunteered };
}

/** What the callee said before that answers a question, newest first. */
export function volunteeredAnswer(context: CallContext, state: FlowState, ask: AskNode): AnswerReading {
  for (const { words, taken } of state.volunteered.toReversed()) {
    const reading = taken.includes(ask.answer) ? NOT_UNDERSTOOD : readVolunteered(context, state, ask, words);
    if (reading.type !== "none") return reading;
  }
  return NOT_UNDERSTOOD;
}

function readVolunteered(context: CallContext, state: FlowState, ask: AskNode, words: string): AnswerReading {
  switch (ask.answer) {
    case "date":
    case "time":
      return readMoment(context, state, ask, words);
    case "number":
      return namesCounted(words, ask)
        ? certainOnly(readQuantity(words, openQuestion(context, state, ask), context.reading))
        : NOT_UNDERSTOOD;
    case "phone":
      return certainOnly(readAnswerValue(words, ask, context.reading));
    case "email":
      return findEmail(words) === null ? NOT_UNDERSTOOD : readAnswerValue(words, ask, context.reading);
    case "name":
    case "free_text": {
      const said = personIn(words, ask) ?? reasonIn(words, ask);
      return said === null ? NOT_UNDERSTOOD : { type: "answer", answer: answerOf(ask, said) };
    }
    default:
      return NOT_UNDERSTOOD;
  }
}

/** A day or a time that is not one the callee was told of. */
function readMoment(context: CallContext, state: FlowState, ask: AskNode, words: string): AnswerReading {
  const { reading } = context;
  const isNamed = ask.answer === "date" ? findDate(words, reading) !== null : findTime(words) !== null;
  if (!isNamed) return NOT_UNDERSTOOD;
  const question = openQuestion(context, state, ask);
  const known = ask.answer === "date" ? question.known.dates : question.known.times;
  const found = readQuantity(wishedFor(words), question, reading);
  if (found.type === "answer") return known.includes(String(found.answer.value)) ? NOT_UNDERSTOOD : found;
  return found.type === "doubt" ? found : NOT_UNDERSTOOD;
}

/** Of "move it from Tuesday to Thursday", the latter. */
function wishedFor(words: string): string {
  return words.replace(/\bfrom\b.{1,40}?\b(?=to\b)/i, " ");
}

function certainOnly(reading: AnswerReading): AnswerReading {
  return reading.type === "answer" ? reading : NOT_UNDERSTOOD;
}

const MONEY = /^(?:dollars?|bucks|euros?|pounds|quid|percent)$/;

/** Whether a number in the words is one of what the question asks for: "eighty dollars", "a table for four". */
function namesCounted(words: string, ask: AskNode): boolean {
  const found = findNumber(words);
  if (found === null) return false;
  const stems = stemsOf(ask.text);
  const [next] = wordsOf(words.slice(found.end));
  if (next !== undefined && next.gap !== "stop" && next.gap !== "comma") {
    if (MONEY.test(next.text)) return /\b(?:much|amount|dollars?|euros?|pounds|pay|give|price|sum)\b/i.test(ask.text);
    if (stems.has(stemOf(next.text))) return true;
  }
  if (/[$€£]\s*$/.test(words.slice(0, found.start))) return /\b(?:much|amount|dollars?|pay|give|sum)\b/i.test(ask.text);
  const isParty = /\b(?:for|party of|group of|we are|we'll be|there are|there will be)\s+$/i.test(
    words.slice(0, found.start),
  );
  return isParty && /\bhow many (?:people|persons?|guests|of you|seats|places|adults)\b/i.test(ask.text);
}

const TITLE = "(?:mr|mrs|ms|miss|mister|missus|dr|doctor|professor)";
/** Up to three words that are a name, because of a title, a capital, or a word that announces one. */
const TITLED = new RegExp(`\\b${TITLE}\\.? [\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+)?`, "iu");
const CAPITALS = "\\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+){0,2}";

/** A person who is named as what the question asks for: "with my neighbor Mrs Patterson" before "Which neighbor?". */
function personIn(words: string, { text }: AskNode): string | null {
  if (/\b(?:your|full|first|last) name\b/i.test(text)) {
    return new RegExp(`\\b[Mm]y name(?:'s| is) (${CAPITALS})`, "u").exec(words)?.[1] ?? null;
  }
  const asked =
    /\b(?:which|what|whose|who is (?:your|the|that)|name of (?:your|the|that))\s+(?:is (?:your|the)\s+)?([\p{L}]+)/iu.exec(
      text,
    )?.[1];
  if (asked === undefined) return null;
  const stem = stemOf(asked.toLowerCase());
  const person = wordsOf(words).find((word) => stemOf(word.text) === stem);
  if (person === undefined) return null;
  const after = words.slice(person.end);
  const named = new RegExp(`^\\s*,?\\s*(?:is |called |named |it's |that's )?(?:(${TITLED.source})|(${CAPITALS}))`, "u");
  const found = named.exec(after) ?? new RegExp(`^\\s*,?\\s*(${TITLED.source})`, "iu").exec(after);
  return (found?.[1] ?? found?.[2])?.trim() ?? null;
}

/** A reason, where one is asked for: "because my car broke down". */
function reasonIn(words: string, { text }: AskNode): string | null {
  if (!/\b(?:why|reason)\b/i.test(text)) return null;
  return /\b(because\b.{4,})$/i.exec(words)?.[1] ?? null;
}

/** Nodes that are passed on the way from a question to where its answer is read back. */
const STEPS_MAX = 8;

/**
 * Whether the flow itself reads the answer to a question back before anything is done with it: a yes-or-no question that
 * names it, with nothing but questions and sentences on the way.
 */
export function isReadBackLater(context: CallContext, ask: AskNode): boolean {
  let id = ask.next;
  for (let step = 0; ask.saveAs !== undefined && id !== undefined && step < STEPS_MAX; step += 1) {
    const node = nodeOf(context, id);
    if (node.type === "ask" && node.answer === "yes_no") return placeholderNames(node.text).includes(ask.saveAs);
    id =
      node.type === "say" || node.type === "set" || (node.type === "ask" && node.exits.length === 0)
        ? node.next
        : undefined;
  }
  return false;
}
