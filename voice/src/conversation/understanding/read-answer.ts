import type { AskNode } from "@parley/contract/flow-ask";
import { type AnswerReading, NOT_UNDERSTOOD, type ReadingContext } from "./answer.ts";
import { plainWords } from "./plain-words.ts";
import { readAnswerValue } from "./read-value.ts";

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
/** With so many words beyond those of the answer, something else was said. */
const SURPLUS_WORDS_MAX = 3;

/** What a correction is looked for in. Elsewhere "no" and "sorry" are as good an answer as any. */
const CORRECTABLE = new Set<AskNode["answer"]>([
  "number",
  "date",
  "time",
  "phone",
  "email",
  "choice",
  "digits",
  "name",
]);

/**
 * Reads the answer to a question out of what was said, as it was written down and as the expected answer that it sounded
 * like. After a correction only what follows it counts, if it is an answer.
 */
export function readAnswer({ text, best }: Said, ask: AskNode, context: ReadingContext): AnswerReading {
  const corrected = CORRECTABLE.has(ask.answer) ? afterCorrection(text) : null;
  const fromCorrection = corrected === null ? NOT_UNDERSTOOD : readAnswerValue(corrected, ask, context);
  if (fromCorrection.type === "answer" || fromCorrection.type === "doubt") return fromCorrection;
  const fromText = readAnswerValue(text, ask, context);
  const fromSound = isTrusted(text, best) ? readAnswerValue(best.answer, ask, context) : NOT_UNDERSTOOD;
  if (fromSound.type !== "answer" || best === null) return fromText;
  const isSame = fromText.type === "answer" && fromText.answer.value === fromSound.answer.value;
  if (isSame) return fromText;
  const taken = { ...fromSound, by: { evidence: "expected_answer", score: best.score } } as const;
  if (fromText.type === "none" || fromText.type === "part") return taken;
  return plainWords(text).length <= SHORT_WORDS_MAX ? taken : fromText;
}

function isTrusted(text: string, best: Said["best"]): best is NonNullable<Said["best"]> {
  if (best === null || best.score < SCORE_MIN || best.margin < MARGIN_MIN) return false;
  return plainWords(text).length <= plainWords(best.answer).length + SURPLUS_WORDS_MAX;
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
