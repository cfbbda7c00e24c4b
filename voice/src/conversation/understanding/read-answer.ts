import type { AskNode } from "@parley/contract/flow-ask";
import { type AnswerReading, answerOf, NOT_UNDERSTOOD, type ReadingContext } from "./answer.ts";
import { findSlots } from "./find-slots.ts";
import { parseUtterance } from "./parse-utterance.ts";
import { plainWords } from "./plain-words.ts";
import type { OpenQuestion } from "./question-context.ts";
import { answerFor, meaningsOfExits } from "./read-choice.ts";
import { understandChoice } from "./understand-choice.ts";
import { readDictation } from "./values/read-dictation.ts";
import { isOnlyQuestions, readFreeText } from "./values/read-free-text.ts";
import { readQuantity } from "./values/read-quantity.ts";
import { readAnswerValue } from "./values/read-value.ts";

export interface Verbatim {
  /** What was said, word for word, where `text` has it in the English words by which it is understood. */
  readonly verbatim?: string;
}

export interface Said extends Verbatim {
  readonly text: string;
  /** The expected answer that recognition matched. */
  readonly best: { readonly answer: string; readonly score: number; readonly margin: number } | null;
}

/** Below these, recognition guessed. Lower accepts more answers directly, including more wrong ones. */
const SCORE_MIN = 0.5;
const MARGIN_MIN = 0.1;
/** From here on the audio alone is believed; below either, the answer is read back. */
const CLEAR_SCORE_MIN = 0.8;
const CLEAR_MARGIN_MIN = 0.3;
/** For so few words recognition is better at telling which answer it was than at transcribing it. */
const SHORT_WORDS_MAX = 3;

/**
 * Reads the answer to a question out of what was said. The words decide; the expected answer that the audio sounded like
 * settles what the words leave open, and never overrules them.
 */
export function readAnswer(
  { text, best, verbatim }: Said,
  question: OpenQuestion,
  context: ReadingContext,
): AnswerReading {
  const fromText = asSaid(readWords(text, question, context), question, text, verbatim);
  const sound = soundOf({ text, best });
  if (best === null || sound === "guess") return fromText;
  const fromSound = readWords(best.answer, question, context);
  if (fromSound.type !== "answer") return fromText;
  const audio = { ...fromSound, by: { evidence: "expected_answer", score: best.score } } as const;
  return weighAudio(text, fromText, audio, sound === "clear", question);
}

/** How much the expected answer that the audio sounded like is worth. Of more than a few words it says nothing. */
export function soundOf({ text, best }: Pick<Said, "text" | "best">): "clear" | "likely" | "guess" {
  if (best === null || best.score < SCORE_MIN || best.margin < MARGIN_MIN || !isShort(text)) return "guess";
  return best.score >= CLEAR_SCORE_MIN && best.margin >= CLEAR_MARGIN_MIN ? "clear" : "likely";
}

/** Free text is collected as it was said. */
function asSaid(reading: AnswerReading, { ask }: OpenQuestion, text: string, verbatim = text): AnswerReading {
  if (ask.answer !== "free_text" || reading.type !== "answer") return reading;
  return reading.answer.value === text.trim() ? { ...reading, answer: answerOf(ask, verbatim.trim()) } : reading;
}

/** The fifth judge: where the words leave it open and are too few to mean anything else, the audio breaks the tie. */
function weighAudio(
  text: string,
  words: AnswerReading,
  audio: Extract<AnswerReading, { type: "answer" }>,
  isClear: boolean,
  { ask }: OpenQuestion,
): AnswerReading {
  if (words.type === "answer") {
    // A single word is easily misheard: if the audio fits another answer better, it is read back.
    if (words.answer.value === audio.answer.value) return words;
    return { ...words, type: "unsure", why: [...(words.why ?? []), { judge: "audio", says: "sounds like another" }] };
  }
  if (words.type === "doubt") return words.options.some(({ value }) => value === audio.answer.value) ? audio : words;
  // A word or two that make no sense as written are what recognition writes for a short answer.
  if (hasMeaning(text, ask.answer === "yes_no" || ask.answer === "choice")) return words;
  if (isClear) return audio;
  return { ...audio, type: "unsure", why: [{ judge: "audio", says: "sounds a little like it" }] };
}

function isShort(text: string): boolean {
  return plainWords(text).length <= SHORT_WORDS_MAX;
}

/** Whether the words themselves say something that is not an answer: a question, a doubt, a refusal. */
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
      return (
        wordForWord(text, question.ask) ?? understandChoice(parseUtterance(text), question, findSlots(text, context))
      );
    case "number":
    case "date":
    case "time":
      return readQuantity(text, question, context);
    case "name":
      return isOnlyQuestions(text) ? NOT_UNDERSTOOD : readAnswerValue(text, ask, context);
    case "free_text":
      return readFreeText(text, question);
    case "phone":
    case "digits":
      return readDictation(text, ask, question);
    case "email":
      return readCorrected(text, ask, context) ?? readAnswerValue(text, ask, context);
  }
}

/** "I can't afford it right now" */
const AT_PRESENT = / (?:(?:right|just) now|at the moment|at present|for now)$/;

/** A phrase of exactly one exit, and nothing else: the flow itself says what it means. */
function wordForWord(text: string, ask: AskNode): AnswerReading | null {
  if (/\?\s*$/.test(text)) return null;
  const said = plainWords(text).join(" ");
  const exits = meaningsOfExits(ask).filter(({ phrases }) =>
    phrases.some((each) => [said, said.replace(AT_PRESENT, "")].includes(plainWords(each).join(" "))),
  );
  const [only] = exits;
  if (only === undefined || exits.length !== 1) return null;
  const grounds = { strength: "explicit", unexplained: 0, isPhrase: true } as const;
  return { type: "answer", answer: answerFor(ask, only.id), grounds };
}

function readCorrected(text: string, ask: AskNode, context: ReadingContext): AnswerReading | null {
  const corrected = afterCorrection(text);
  const reading = corrected === null ? NOT_UNDERSTOOD : readAnswerValue(corrected, ask, context);
  return reading.type === "answer" || reading.type === "doubt" ? reading : null;
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
