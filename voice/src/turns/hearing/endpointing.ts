import type { Expectation } from "../../ports/brain.ts";
import type { ExpectedAnswerScore } from "../../ports/speech-recognizer.ts";
import { longestDigits } from "../../text/values-in-speech/find-digits.ts";
import { findYesNo } from "../../text/values-in-speech/find-yes-no.ts";
import { wordsOf } from "../../text/values-in-speech/words.ts";
import type { TurnSettings } from "../turn-settings.ts";
import { type CalleePace, completeAnswerHoldMs, freeSpeechHoldMs } from "./callee-pace.ts";
import { endsUnfinished, lowerCaseWords, withoutPoliteness } from "./spoken-phrases.ts";

interface Hold {
  /** How long the callee must have been silent before the turn is over. */
  readonly holdMs: number;
  readonly because: "complete_answer" | "partial_answer" | "free_speech" | "unfinished" | "digits" | "missing_digits";
}

export interface HoldQuestion {
  /** Everything said in this turn. */
  readonly text: string;
  readonly best: ExpectedAnswerScore | null;
  readonly expectation: Pick<Expectation, "kind" | "answers" | "length">;
  readonly pace: CalleePace;
  readonly settings: TurnSettings;
}

/** Extra words that do not turn an expected answer into another one: "yes I will", "no not really". */
const SURPLUS_WORDS_MAX = 2;
/** Longer sentences say something besides. */
const SENTENCE_WORDS_MAX = 6;
const EMAIL_LIKE = /@\S+\.\S|\bat\b.+\bdot\b\s*\w/i;
const SENTENCE_END = /[.?!]\s*$/;

/** How long to wait for the callee to continue, by what was said so far. The first matching rule decides. */
export function judgeHold(question: HoldQuestion): Hold {
  const { text, best, expectation, pace, settings } = question;
  const words = lowerCaseWords(text);
  if (endsUnfinished(words)) return { holdMs: settings.unfinishedHoldMs, because: "unfinished" };
  if (isDictated(expectation.kind)) return judgeDictated(question);
  if (isCompleteAnswer(words, best, expectation.answers, settings) || soundsComplete(text, words, expectation)) {
    return { holdMs: completeAnswerHoldMs(pace, settings), because: "complete_answer" };
  }
  if (isPrefixOfAnswer(words, expectation.answers)) {
    return { holdMs: settings.partialAnswerHoldMs, because: "partial_answer" };
  }
  return { holdMs: freeSpeechHoldMs(pace, SENTENCE_END.test(text), settings), because: "free_speech" };
}

/** Whether these words are one of the answers that the agent asked for. */
export function isCompleteAnswer(
  words: readonly string[],
  best: ExpectedAnswerScore | null,
  answers: readonly string[],
  settings: TurnSettings,
): boolean {
  if (words.length === 0) return false;
  const said = withoutPoliteness(words).join(" ");
  const spelled = answers.map((answer) => withoutPoliteness(lowerCaseWords(answer)).join(" "));
  if (said !== "" && spelled.includes(said)) return true;
  if (best === null || best.score < settings.answerScoreMin || best.margin < settings.answerMarginMin) return false;
  const answerWords = lowerCaseWords(best.answer);
  // The recognizer scores audio and may be sure of an answer of which only the beginning was transcribed.
  return !isStrictPrefix(words, answerWords) && words.length <= answerWords.length + SURPLUS_WORDS_MAX;
}

/** A short sentence that says yes or no, or ends with an expected answer, in more words than were expected. */
function soundsComplete(
  text: string,
  words: readonly string[],
  { kind, answers }: HoldQuestion["expectation"],
): boolean {
  if (!SENTENCE_END.test(text) || words.length > SENTENCE_WORDS_MAX) return false;
  if (kind === "yes_no" && findYesNo(text)?.others.length === 0) return true;
  return answers.some((answer) => {
    const expected = lowerCaseWords(answer);
    return expected.length > 0 && expected.every((word, index) => words.at(index - expected.length) === word);
  });
}

function isPrefixOfAnswer(words: readonly string[], answers: readonly string[]): boolean {
  return words.length > 0 && answers.some((answer) => isStrictPrefix(words, lowerCaseWords(answer)));
}

function isStrictPrefix(words: readonly string[], answer: readonly string[]): boolean {
  return words.length < answer.length && words.every((word, index) => word === answer[index]);
}

/** What people say piece by piece, with pauses in between. */
function isDictated(kind: Expectation["kind"]): boolean {
  return kind === "digits" || kind === "phone" || kind === "email";
}

function judgeDictated({ text, expectation, pace, settings }: HoldQuestion): Hold {
  if (expectation.kind === "email") {
    return EMAIL_LIKE.test(text)
      ? { holdMs: freeSpeechHoldMs(pace, true, settings), because: "free_speech" }
      : { holdMs: settings.missingDigitsHoldMs, because: "missing_digits" };
  }
  const digits = digitsIn(text);
  // "What?" is not the beginning of a number.
  if (digits.length === 0)
    return { holdMs: freeSpeechHoldMs(pace, SENTENCE_END.test(text), settings), because: "free_speech" };
  const { length } = expectation;
  const isComplete = length !== null && digits.some((each) => each.length >= length);
  return isComplete
    ? { holdMs: settings.digitsHoldMs, because: "digits" }
    : { holdMs: settings.missingDigitsHoldMs, because: "missing_digits" };
}

/** The digits that were dictated so far, in every reading. */
function digitsIn(text: string): readonly string[] {
  const reading = longestDigits(wordsOf(text))?.reading;
  return reading === undefined ? [] : [reading.value, ...reading.others];
}
