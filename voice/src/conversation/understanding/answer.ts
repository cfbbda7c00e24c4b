import type { AskNode } from "@parley/contract/flow-ask";
import { ANSWER_RULES } from "@parley/flow/checks/answers";
import type { Decision } from "../../ports/brain.ts";
import type { Period } from "./values/find-period.ts";

/** A value as it is collected: dates as `2026-01-31`, times as `09:30`, yes and no as true and false. */
export type CollectedValue = string | number | boolean | null;

/** An answer that was understood. */
export interface Answer {
  readonly value: CollectedValue;
  /** Which of the question's exits it takes, null if none matches. */
  readonly exit: number | null;
}

/** What an answer was derived from, and how certain that is, if known. */
export type AnswerEvidence = Pick<Decision, "evidence" | "score">;

export const BY_WORDS: AnswerEvidence = { evidence: "words", score: null };
export const BY_KEYS: AnswerEvidence = { evidence: "keys", score: null };

/** One judge's opinion on an utterance, for the journal. */
export interface Finding {
  readonly judge: "parse" | "match" | "slots" | "opinion" | "audio" | "read_back" | "requests";
  readonly says: string;
}

/** What the words of an answer rest on, at questions whose answers are known beforehand. */
export interface Grounds {
  /**
   * - explicit: a yes or no, or the words of the answer and nothing else.
   * - named: its words, together, among others. scattered: one by one.
   * - echoed: words of the question.
   */
  readonly strength: "explicit" | "named" | "scattered" | "echoed";
  /** Words that say something else. */
  readonly unexplained: number;
  /** It is one of the phrases of the answer, word for word. */
  readonly isPhrase?: boolean;
}

/** The interpretation of words or keys. Without evidence it is in the words. */
export type AnswerReading =
  | {
      readonly type: "answer";
      readonly answer: Answer;
      readonly grounds?: Grounds;
      readonly by?: AnswerEvidence;
      readonly why?: readonly Finding[];
    }
  /** Likely this one, but something speaks against accepting it directly. */
  | {
      readonly type: "unsure";
      readonly answer: Answer;
      /** Derived from what was said, such as a sum: even if it was meant as the answer, it may be another value. */
      readonly isDerived?: true;
      readonly grounds?: Grounds;
      readonly by?: AnswerEvidence;
      readonly why?: readonly Finding[];
    }
  /** It may be either of these, likelier first. */
  | {
      readonly type: "doubt";
      readonly options: readonly [Answer, Answer];
      readonly by?: AnswerEvidence;
      readonly why?: readonly Finding[];
    }
  /** Part of a day or a time, such as a month: the rest is asked for. */
  | { readonly type: "period"; readonly period: Period }
  /** The beginning of a longer row of digits. */
  | { readonly type: "part"; readonly digits: string }
  | { readonly type: "none" };

export const NOT_UNDERSTOOD: AnswerReading = { type: "none" };

/** What dates and times are relative to. */
export interface ReadingContext {
  readonly nowMs: number;
  /** Where the callee is, as an IANA name. */
  readonly timeZone: string;
  /** Whether 3/4 is the third of April. */
  readonly isDayFirst: boolean;
}

/** The answer with this value, and its exit. */
export function answerOf(ask: AskNode, value: CollectedValue): Answer {
  const { canonical } = ANSWER_RULES[ask.answer];
  const written = typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
  const wanted = canonical(written);
  const exit = wanted === null ? -1 : ask.exits.findIndex(({ when }) => canonical(when) === wanted);
  return { value, exit: exit < 0 ? null : exit };
}

/** The value that an exit stands for. */
export function valueOfExit(ask: AskNode, exit: number): CollectedValue {
  const when = ask.exits[exit]?.when.trim() ?? "";
  if (ask.answer === "yes_no") return when.toLowerCase() === "yes";
  return ask.answer === "number" ? Number(when) : when;
}
