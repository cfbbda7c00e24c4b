import type { AskNode } from "@parley/contract/flow-ask";
import { findNumber } from "../../text/from-speech/find-number.ts";
import { wordsOf } from "../../text/from-speech/words.ts";
import { type AnswerReading, type Finding, NOT_UNDERSTOOD, type ReadingContext } from "./answer.ts";
import { findSlots } from "./find-slots.ts";
import { stemOf, stemsOf } from "./match-exits.ts";
import { addressesModel, type Clause, parseUtterance, type SignalKind, type Utterance } from "./parse-utterance.ts";
import { plainWords } from "./plain-words.ts";
import type { OpenQuestion } from "./question-context.ts";
import { readAnswerValue } from "./read-value.ts";
import { understandChoice } from "./understand-choice.ts";

export interface Said {
  readonly text: string;
  /** The expected answer that recognition took it for. */
  readonly best: { readonly answer: string; readonly score: number; readonly margin: number } | null;
}

/** Below these, recognition guessed. Lower takes more answers at once, and more wrong ones. */
const SCORE_MIN = 0.5;
const MARGIN_MIN = 0.1;
/** Of so few words recognition is better at telling which answer it was than at writing it down. */
const SHORT_WORDS_MAX = 3;

/** What a correction is looked for in. Elsewhere "no" and "sorry" are as good an answer as any. */
const CORRECTABLE = new Set<AskNode["answer"]>(["number", "date", "time", "phone", "email", "digits", "name"]);

/**
 * Reads the answer to a question out of what was said. The words decide; the expected answer that the audio sounded like
 * settles what the words leave open, and never overrules them.
 */
export function readAnswer({ text, best }: Said, question: OpenQuestion, context: ReadingContext): AnswerReading {
  if (addressesModel(text)) return NOT_UNDERSTOOD;
  const fromText = readWords(text, question, context);
  if (best === null || best.score < SCORE_MIN || best.margin < MARGIN_MIN) return fromText;
  const fromSound = readWords(best.answer, question, context);
  if (fromSound.type !== "answer") return fromText;
  const audio = { ...fromSound, by: { evidence: "expected_answer", score: best.score } } as const;
  return weighAudio(text, fromText, audio, question);
}

/** The fifth judge: where the words leave it open and are too few to mean anything else, the audio breaks the tie. */
function weighAudio(
  text: string,
  words: AnswerReading,
  audio: Extract<AnswerReading, { type: "answer" }>,
  { ask }: OpenQuestion,
): AnswerReading {
  if (words.type === "answer" || !isShort(text)) return words;
  if (words.type === "doubt") return words.options.some(({ value }) => value === audio.answer.value) ? audio : words;
  // A word or two that make no sense as written are what recognition writes for a short answer.
  return hasMeaning(text, ask.answer === "yes_no" || ask.answer === "choice") ? words : audio;
}

function isShort(text: string): boolean {
  return plainWords(text).length <= SHORT_WORDS_MAX;
}

/** Whether the words themselves say something that is no answer: a question, a doubt, a refusal. */
function hasMeaning(text: string, mayBeRefused: boolean): boolean {
  return parseUtterance(text).clauses.some(
    ({ signals, yesNo }) =>
      (mayBeRefused && yesNo.length > 0) || signals.some(({ kind, words }) => kind !== "fragment" && words !== "?"),
  );
}

function readWords(text: string, question: OpenQuestion, context: ReadingContext): AnswerReading {
  const { ask } = question;
  switch (ask.answer) {
    case "yes_no":
    case "choice":
      return understandChoice(parseUtterance(text), question, findSlots(text, context));
    case "number":
    case "date":
    case "time":
      return readQuantity(text, question, context);
    case "name":
    case "free_text":
      return isNoStatement(text)
        ? NOT_UNDERSTOOD
        : (readCorrected(text, ask, context) ?? readAnswerValue(text, ask, context));
    default:
      return readCorrected(text, ask, context) ?? readAnswerValue(text, ask, context);
  }
}

/** A question, a doubt or a sentence that was broken off, where anything else would be an answer. */
function isNoStatement(text: string): boolean {
  const { clauses } = parseUtterance(text);
  return (
    clauses.length > 0 &&
    clauses.some(({ signals }) => signals.some(({ kind }) => kind === "question" || kind === "fragment")) &&
    clauses.every(
      ({ tokens, signals }) =>
        tokens.length < 4 || signals.some(({ kind }) => kind === "question" || kind === "fragment" || kind === "doubt"),
    )
  );
}

function readCorrected(text: string, ask: AskNode, context: ReadingContext): AnswerReading | null {
  const corrected = CORRECTABLE.has(ask.answer) ? afterCorrection(text) : null;
  const reading = corrected === null ? NOT_UNDERSTOOD : readAnswerValue(corrected, ask, context);
  return reading.type === "answer" || reading.type === "doubt" ? reading : null;
}

/** What keeps a number, a day or a time from being an answer. */
const AGAINST_VALUE: ReadonlySet<SignalKind> = new Set([
  "condition",
  "counterfactual",
  "question",
  "hearsay",
  "doubt",
  "third_person",
  "past",
  "fragment",
]);

/** A number, a day or a time: the clause that has it must offer it, not rule it out, wonder about it or tell a story. */
function readQuantity(text: string, question: OpenQuestion, context: ReadingContext): AnswerReading {
  const { ask } = question;
  const utterance = parseUtterance(text);
  const corrected = readCorrected(text, ask, context);
  const isValue = (clause: Clause) => readAnswerValue(textOf(utterance, clause), ask, context).type !== "none";
  const holders = utterance.clauses.filter(isValue);
  const refused = holders.filter(({ signals }) => signals.some(({ kind }) => kind === "negation"));
  const reading = corrected ?? readAnswerValue(withoutClauses(utterance, refused), ask, context);
  if (reading.type === "none" || reading.type === "part") return reading;
  const why = utterance.clauses.flatMap((clause): Finding[] =>
    clause.signals
      .filter(({ kind, words }) => isAgainstValue(kind, words, holders.includes(clause)))
      .map(({ kind, words }) => ({ judge: "parse", says: `${kind}: ${words}` })),
  );
  const offered = new Set(
    holders
      .filter((clause) => !refused.includes(clause))
      .flatMap((clause) => {
        const each = readAnswerValue(textOf(utterance, clause), ask, context);
        return each.type === "answer" ? [each.answer.value] : [];
      }),
  );
  if (corrected === null && offered.size > 1 && ask.answer === "number") {
    why.push({ judge: "match", says: `names ${[...offered].join(" and ")}` });
  }
  const counted = ask.answer === "number" && corrected === null ? countedThing(text, question) : null;
  if (counted !== null) why.push({ judge: "match", says: `counts ${counted}` });
  if (why.length === 0 || reading.type !== "answer") return reading;
  return { type: "unsure", answer: reading.answer, why };
}

/** Anywhere in the sentence, or only in the clause with the value. */
const AGAINST_ANYWHERE: ReadonlySet<SignalKind> = new Set(["condition", "hearsay", "fragment", "range"]);
/** So little doubt is said out of politeness. */
const SMALL_DOUBT = /^(?:i think|i guess|i suppose|i believe|i reckon|i imagine|probably|maybe|perhaps|let us say)$/;

function isAgainstValue(kind: SignalKind, words: string, isHolder: boolean): boolean {
  if (words === "?" || (kind === "doubt" && SMALL_DOUBT.test(words))) return false;
  return AGAINST_ANYWHERE.has(kind) || kind === "doubt" || (isHolder && AGAINST_VALUE.has(kind));
}

function textOf({ text }: Utterance, { tokens }: Clause): string {
  return text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0);
}

function withoutClauses(utterance: Utterance, left: readonly Clause[]): string {
  return left.reduce((text, clause) => text.replace(textOf(utterance, clause), " "), utterance.text);
}

/** Words after a number that do not make it the number of something else. */
const AFTER_NUMBER = new Set(
  "out stars star points point please thanks thank and or is was would i i'm i'd for from definitely because since but percent maybe maximum tops exactly sharp about then if so no yes probably overall really at on in to the it its that you we honestly right my as easily solid say said hundred thousand".split(
    " ",
  ),
);

/** What a number counts, where that is not what was asked for: "I stayed three nights". */
function countedThing(text: string, { text: asked }: OpenQuestion): string | null {
  const found = findNumber(text);
  if (found === null) return null;
  const [next] = wordsOf(text.slice(found.end));
  if (next === undefined || next.gap === "stop" || next.gap === "comma") return null;
  if (next.text === "of" && /^\s*of (?:the|my|your|those|these|our)\b/i.test(text.slice(found.end))) return "of";
  if (next.text === "of" || AFTER_NUMBER.has(next.text)) return null;
  return stemsOf(asked).has(stemOf(next.text)) ? null : next.text;
}

/** What people say when what they said before was wrong. */
const MARKERS =
  /\b(?:no,? wait|wait,? no|i mean|i meant|scratch that|correction|or rather|make (?:that|it)|let's say|no,? sorry|sorry,? no|sorry|actually|rather|nope|no|not\b[^,.;]{1,30}(?:,|\bbut\b))[\s,.]+/gi;

/** What comes after the last correction in an utterance, or null when nothing was corrected. */
export function afterCorrection(text: string): string | null {
  const last = [...text.matchAll(MARKERS)].at(-1);
  if (last === undefined) return null;
  const rest = text.slice(last.index + last[0].length).trim();
  return rest === "" ? null : rest;
}

/** Whether an utterance begins by taking something back. */
export function beginsWithCorrection(text: string): boolean {
  const [first] = text.trim().matchAll(MARKERS);
  return first !== undefined && /^(?:um|uh|oh|er|well|ah)?[\s,]*$/i.test(text.trim().slice(0, first.index));
}
