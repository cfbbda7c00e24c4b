import type { AskNode } from "@parley/contract/flow-ask";
import { placeholderNames } from "@parley/flow/placeholders";
import { findDate } from "../../text/values-in-speech/find-date.ts";
import { findEmail } from "../../text/values-in-speech/find-email.ts";
import { findNumber } from "../../text/values-in-speech/find-number.ts";
import { findTime } from "../../text/values-in-speech/find-time.ts";
import { wordsOf } from "../../text/values-in-speech/words.ts";
import { type CallContext, nodeOf } from "../call-context.ts";
import type { FlowState } from "../flow-state.ts";
import { type AnswerReading, answerOf, type CollectedValue, NOT_UNDERSTOOD } from "./answer.ts";
import { matchExits, stemsOf } from "./match-exits.ts";
import { type Clause, parseUtterance, type SignalKind } from "./parse-utterance.ts";
import { plainWords } from "./plain-words.ts";
import { openQuestion } from "./question-context.ts";
import { answerFor } from "./read-choice.ts";
import { readQuantity } from "./values/read-quantity.ts";
import { isInRange, readAnswerValue } from "./values/read-value.ts";
import { stemOf } from "./word-forms.ts";

/**
 * What the callee volunteered, so that later questions need not ask for it: the plain statements and requests of
 * earlier turns. What was denied, wondered about or only possible is not kept.
 */
export interface Volunteered {
  /** The plain statements and requests among what was said. */
  readonly words: string;
  /** The questions among it, which may propose a day or a time: "Do you have anything on Thursday?" Empty if there are none. */
  readonly asked: string;
  readonly said: string;
  /** Answers that were already taken from it. */
  readonly taken: readonly Taken[];
  /** What a language model or the local judge found in it. Omitted if neither was asked. */
  readonly filled?: readonly FilledSlot[];
}

/** The answer to a later question that was found in the callee's words. Null if a language model found none. */
export interface FilledSlot {
  readonly nodeId: string;
  readonly value: CollectedValue;
  readonly by: "model" | "judge";
}

interface Taken {
  readonly nodeId: string;
  readonly kind: AskNode["answer"];
  readonly value: CollectedValue;
}

/** More of them are from another part of the conversation. */
const VOLUNTEERED_MAX = 6;

/** What keeps a clause from being a fact. Another person may be named in one: "with my neighbor". */
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
  const join = (kept: readonly Clause[]) =>
    kept.map(({ tokens }) => text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0)).join(", ");
  const said = clauses.filter(({ tokens }) => tokens.length > 0);
  const words = join(said.filter(isFact));
  const asked = join(said.filter(mayPropose));
  if (words === "" && asked === "") return state;
  const added: Volunteered = { words, asked, said: text, taken: [] };
  return { ...state, volunteered: [...state.volunteered, added].slice(-VOLUNTEERED_MAX) };
}

/** Keeps what was found in what was said last. Without a plain statement in it, nothing is kept. */
export function noteFilled(state: FlowState, said: string, filled: readonly FilledSlot[]): FlowState {
  const last = state.volunteered.at(-1);
  if (last === undefined || last.said !== said || filled.length === 0) return state;
  return { ...state, volunteered: [...state.volunteered.slice(0, -1), { ...last, filled }] };
}

/** A polite question is a request: "Can we move it to Friday?" */
function isFact({ signals }: Clause): boolean {
  const isWish = signals.some(({ kind }) => kind === "polite_request");
  return !signals.some(({ kind }) => NO_FACT.has(kind) && !(isWish && kind === "question"));
}

/** What asks whether a day or a time is to be had: "Is anything free on Friday?", "Would Friday work?" */
const ASKS_FOR_ROOM =
  /\b(?:anything|something|slots?|openings?|spaces?|room|free|available|availability|possible|okay|all right|works?|suits?|fit|squeeze|instead|say|(?:do you|have you|has he|has she) (?:still )?(?:have|got)|(?:is|are) there (?:any|a|an|still))\b/;

function mayPropose(clause: Clause): boolean {
  const { signals, tokens } = clause;
  // "Friday at nine?" asks by the voice alone.
  const isOnlyRaised = signals.every(({ kind, words }) => kind !== "question" || words === "?");
  return (
    !isFact(clause) &&
    signals.every(({ kind }) => kind === "question" || !NO_FACT.has(kind)) &&
    (isOnlyRaised || ASKS_FOR_ROOM.test(tokens.map(({ text }) => text).join(" ")))
  );
}

/** An answer was accepted: what was said about it before no longer counts for that question. */
export function noteTaken(state: FlowState, { id, answer }: AskNode, value: CollectedValue): FlowState {
  const taken: Taken = { nodeId: id, kind: answer, value };
  return { ...state, volunteered: state.volunteered.map((each) => ({ ...each, taken: [...each.taken, taken] })) };
}

/** Whether two findings in the same words are the same one: "in the garden" and "the garden". */
function isSameValue(one: CollectedValue, other: CollectedValue): boolean {
  if (typeof one !== "string" || typeof other !== "string") return one === other;
  const [first, second] = [one, other].map((each) => ` ${plainWords(each).join(" ")} `) as [string, string];
  return first.includes(second) || second.includes(first);
}

/** What the callee said before that answers a question, newest first. */
export function volunteeredAnswer(context: CallContext, state: FlowState, ask: AskNode): AnswerReading {
  for (const each of state.volunteered.toReversed()) {
    const byRules = isSpent(each, ask) ? NOT_UNDERSTOOD : readVolunteered(context, state, ask, each);
    const isTaken =
      byRules.type === "answer" &&
      MOMENTS.has(ask.answer) &&
      each.taken.some(({ kind, value }) => kind === ask.answer && value === byRules.answer.value);
    const reading = withFilled(isTaken ? NOT_UNDERSTOOD : byRules, ask, each);
    if (reading.type !== "none") return reading;
  }
  return NOT_UNDERSTOOD;
}

/**
 * What the rules found, together with a language model or the judge. They resolve and raise doubts; what they found alone, or
 * what the model did not find, is read back at once.
 */
function withFilled(reading: AnswerReading, ask: AskNode, { filled = [], taken }: Volunteered): AnswerReading {
  const slot = filled.find(({ nodeId }) => nodeId === ask.id);
  if (slot === undefined || taken.some(({ nodeId }) => nodeId === ask.id)) return reading;
  const isUsed = slot.value !== null && taken.some(({ kind, value }) => kind === ask.answer && value === slot.value);
  const why = (says: string) => [{ judge: "opinion", says }] as const;
  if (isUsed) return reading;
  if (slot.value === null) {
    if (reading.type !== "answer") return reading;
    return { type: "unsure", answer: reading.answer, why: why("the language model did not find it") };
  }
  const answer = answerOf(ask, slot.value);
  const by = { evidence: slot.by, score: null } as const;
  const finder = slot.by === "model" ? "the language model" : "the judge";
  switch (reading.type) {
    case "answer":
      if (isSameValue(reading.answer.value, slot.value)) return reading;
      return { type: "doubt", options: [reading.answer, answer], why: why(`${finder} disagrees`) };
    case "doubt":
      if (!reading.options.some(({ value }) => value === slot.value)) return reading;
      return { type: "unsure", answer, by, why: why(`${finder} decides between the two`) };
    case "none":
      return { type: "unsure", answer, by, why: why(`${finder} finds it`) };
    default:
      return reading;
  }
}

const MOMENTS: ReadonlySet<AskNode["answer"]> = new Set(["date", "time"]);
/** Between two days or times of which one question asks for the first and another for the second. */
const TWO_MOMENTS = /\b(?:to|till|until|through|leav\w*|return\w*|back|check\w* out|pick\w* up|collect\w*|home)\b/i;

/**
 * Whether nothing more is to be taken from what was said. A number counts by what it is a number of, and a choice by its own
 * words, so several questions may find theirs; of anything else there is one, or two days of which the second is still open.
 */
function isSpent({ words, taken }: Volunteered, { id, answer }: AskNode): boolean {
  if (taken.some(({ nodeId }) => nodeId === id)) return true;
  if (answer === "number" || answer === "choice") return false;
  const isTaken = taken.some(({ kind }) => kind === answer);
  return isTaken && !(MOMENTS.has(answer) && TWO_MOMENTS.test(words));
}

function readVolunteered(
  context: CallContext,
  state: FlowState,
  ask: AskNode,
  { words, asked, said }: Volunteered,
): AnswerReading {
  switch (ask.answer) {
    case "date":
    case "time": {
      const stated = readMoment(context, state, ask, words);
      return stated.type === "none" ? toReadBack(readMoment(context, state, ask, momentIn(asked, context))) : stated;
    }
    case "number":
      return certainOnly(readCounted(words, ask));
    case "phone":
      return certainOnly(readAnswerValue(words, ask, context.reading));
    case "email":
      return findEmail(words) === null ? NOT_UNDERSTOOD : readAnswerValue(words, ask, context.reading);
    case "name":
    case "free_text": {
      const found = personIn(words, ask, context) ?? reasonIn(said, ask) ?? placeIn(words, ask, context);
      return found === null ? NOT_UNDERSTOOD : { type: "answer", answer: answerOf(ask, found) };
    }
    case "choice":
      return readChoice(words, ask);
    default:
      return NOT_UNDERSTOOD;
  }
}

/** A day or a time other than those mentioned to the callee. */
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

/** A question from the first day or time in it on, without the words that ask. */
function momentIn(asked: string, { reading }: CallContext): string {
  const starts = [findDate(asked, reading), findTime(asked)].flatMap((found) => (found === null ? [] : [found.start]));
  return starts.length === 0 ? "" : asked.slice(Math.min(...starts));
}

/** What was only asked about is a proposal at best. */
function toReadBack(reading: AnswerReading): AnswerReading {
  if (reading.type !== "answer") return reading;
  return { type: "unsure", answer: reading.answer, why: [{ judge: "slots", says: "it was named in a question" }] };
}

/** Of "move it from Tuesday to Thursday", the latter. */
function wishedFor(words: string): string {
  return words.replace(/\bfrom\b.{1,40}?\b(?=to\b)/i, " ");
}

function certainOnly(reading: AnswerReading): AnswerReading {
  return reading.type === "answer" ? reading : NOT_UNDERSTOOD;
}

const MONEY = /^(?:dollars?|bucks|euros?|pounds|quid|percent)$/;

/** The number of what the question asks for: "eighty dollars", "a table for four", "two adults and three children". */
function readCounted(words: string, ask: AskNode): AnswerReading {
  const values = new Set<number>();
  for (let from = 0; from < words.length; ) {
    const found = findNumber(words.slice(from));
    if (found === null) break;
    const isCounted = countsAsked(words.slice(0, from + found.start), words.slice(from + found.end), ask);
    if (isCounted && isInRange(found.value, ask)) values.add(found.value);
    from += Math.max(found.end, found.start + 1);
  }
  const [value] = values;
  return value === undefined || values.size > 1 ? NOT_UNDERSTOOD : { type: "answer", answer: answerOf(ask, value) };
}

function countsAsked(before: string, after: string, { text }: AskNode): boolean {
  const [next] = wordsOf(after);
  if (next !== undefined && next.gap !== "stop" && next.gap !== "comma") {
    if (MONEY.test(next.text))
      return /\b(?:much|amount|dollars?|euros?|pounds|pay|give|price|sum|budget)\b/i.test(text);
    if (stemsOf(text).has(stemOf(next.text))) return true;
    if (next.text !== "people" && !/^(?:at|on|in|please|and|for|of|to)$/.test(next.text)) return false;
  }
  if (/[$€£]\s*$/.test(before)) return /\b(?:much|amount|dollars?|pay|give|sum|budget)\b/i.test(text);
  const isParty = /\b(?:for|party of|group of|we are|we're|we'll be|there are|there will be|there'll be)\s+$/i.test(
    before,
  );
  return isParty && /\bhow many (?:people|persons?|guests|of you|seats|places|adults|will)\b/i.test(text);
}

/** A choice by its own words, said as they are. */
function readChoice(words: string, ask: AskNode): AnswerReading {
  const { clauses } = parseUtterance(words);
  const found = matchExits(clauses, ask, stemsOf(ask.text)).filter(
    ({ strength, isNegated }) => strength !== "scattered" && !isNegated,
  );
  const [exit, other] = new Set(found.map((match) => match.exit));
  return exit === undefined || other !== undefined ? NOT_UNDERSTOOD : { type: "answer", answer: answerFor(ask, exit) };
}

const TITLE = "(?:[Mm]rs?|[Mm]s|[Mm]iss|[Mm]ister|[Mm]issus|[Dd]r|[Dd]octor|[Pp]rofessor)";
/** Up to three words that are a name, because of a title, a capital, or a word that announces one. */
const TITLED = new RegExp(`\\b${TITLE}\\.? [\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+)?`, "u");
/** At the beginning of a sentence these have a capital too. */
const NO_NAME =
  "(?!(?:Give|Leave|Ask|Tell|Call|Ring|Put|Bring|Take|Send|Let|Just|And|But|Then|Or|So|Please|Yes|No|He|She|They|I|We|It|You|The|That|This|There|My|Our|Your|Her|His)\\b)";
const CAPITALS = `${NO_NAME}\\p{Lu}[\\p{L}'-]+(?: ${NO_NAME}\\p{Lu}[\\p{L}'-]+){0,2}`;

/** Someone who belongs to the callee, with a name if one is said: "my sister", "my neighbor Luis". */
const RELATED = new RegExp(
  `\\bmy (?:late |older |younger |little |big )?(?:wife|husband|partner|son|daughter|mother|mom|mum|father|dad|brother|sister|grand(?:mother|father|son|daughter|ma|pa)|gran|aunt|uncle|cousin|niece|nephew|(?:mother|father|son|daughter|brother|sister)[ -]in[ -]law|neighbou?r|friend|mate|boss|assistant|colleague|cleaner|carer|nurse|nanny|babysitter|flatmate|roommate|landlord|girlfriend|boyfriend|fianc[eé]e?|lawyer|accountant)\\b(?:,? ${CAPITALS})?`,
  "u",
);

/** A name where someone is to be met or to be given something: "give it to Tom next door", "ask for Priya". */
const GIVEN = new RegExp(`\\b(?:to|with|for|ask for|under|tell|call|at) (${CAPITALS})`, "u");

/** A person who is named as what the question asks for: "with my neighbor Mrs Patterson" before "Which neighbor?". */
function personIn(words: string, { text }: AskNode, { reading }: CallContext): string | null {
  if (/\b(?:your|full|first|last) name\b/i.test(text)) {
    return new RegExp(`\\b(?:[Mm]y name(?:'s| is)|[Tt]his is) (${CAPITALS})`, "u").exec(words)?.[1] ?? null;
  }
  const asked = namedAs(words, text);
  if (asked !== null || !ASKS_FOR_PERSON.test(text)) return asked;
  const titled = TITLED.exec(words)?.[0];
  if (titled !== undefined) return titled;
  const given = GIVEN.exec(words)?.[1];
  // Days and months have capitals too.
  if (given !== undefined && findDate(given, reading) === null) return given;
  return /\bwho\b/i.test(text) ? (RELATED.exec(words)?.[0] ?? null) : null;
}

const ASKS_FOR_PERSON =
  /\b(?:who|whom|whose|name of|(?:which|what) (?:neighbou?r|person|colleague|doctor|relative|friend|name))\b/i;

/** What stands behind the very noun that the question asks about. */
function namedAs(words: string, text: string): string | null {
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
  const found = named.exec(after) ?? new RegExp(`^\\s*,?\\s*(${TITLED.source})`, "u").exec(after);
  return (found?.[1] ?? found?.[2])?.trim() ?? null;
}

/** A reason, where one is asked for: "because my car broke down", "I have to cancel, my car broke down". */
function reasonIn(said: string, { text }: AskNode): string | null {
  if (!/\b(?:why|reason|how come|what made)\b/i.test(text)) return null;
  const named = /\b((?:because|since|due to|on account of)\b[^.?!;]{4,})/i.exec(said)?.[1];
  if (named !== undefined) return named.trim();
  const [, ...rest] = said.split(/[,.;]\s+/);
  const reason = rest.find((each) => REASON.test(each) && !NO_REASON.test(each) && !/\?\s*$/.test(each));
  return reason === undefined ? null : reason.trim().replace(/[.!]+$/, "");
}

/** A statement about oneself or what is one's own, beside the answer. */
const REASON =
  /^(?:(?:my|our|his|her|their|the) [\p{L}'-]+|we(?:['’](?:re|ve)| are| have| had| got| lost| moved| broke| can['’]t| don['’]t)|i(?:['’](?:m|ve)| am| have| had| got| lost| broke| moved| changed| found| fell| caught| can['’]t| couldn['’]t| don['’]t| didn['’]t| need| already)|(?:he|she|they)(?:['’](?:s|re|ve)| is| are| has| have| was| were| had)|there(?:['’]s| is| was| are)|it(?:['’]s| is| was)) \S.{2,}$/iu;
/** What only softens the answer or agrees. */
const NO_REASON =
  /^(?:i(?:['’]m| am) (?:sure|sorry|afraid|not sure|coming|fine|good|okay|ok|happy)|i don['’]t (?:know|think|mind)|it(?:['’]s| is) (?:fine|okay|ok|good|great|right|all ?right|alright|perfect)|i already (?:said|told))\b/i;

/** Where something is or should go, where that is asked: "leave it behind the shed". */
function placeIn(words: string, { text }: AskNode, { reading }: CallContext): string | null {
  if (!/\bwhere\b|\b(?:which|what) (?:place|room|address|street|entrance|floor|door|building)\b/i.test(text))
    return null;
  const found = [...words.matchAll(PLACE)].map(([place]) => place.trim());
  return found.findLast((place) => findDate(place, reading) === null && findTime(place) === null) ?? null;
}

const PLACE =
  /\b(?:in|at|on|behind|under|beside|next to|by|near|inside|outside|opposite|in front of|round the|around the|with) (?:the|my|our|a) [\p{L}'-]+(?: (?:of|in|by|on|at|behind) (?:the|my|our) [\p{L}'-]+| (?:door|gate|room|street|road|shed|desk|box|entrance|house|garage|office|floor|porch|garden))*/giu;

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
