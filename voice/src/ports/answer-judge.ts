import type { AskNode } from "@parley/contract/flow-ask";

/**
 * The port to a model that reads a question, its possible answers and what the callee said, and determines which of
 * them was meant. It gives a second opinion: it may confirm or doubt what the rules found, and never decides alone.
 */
export interface AnswerJudge {
  readonly name: string;
  /** Rejects with a ProviderError if the model is unavailable, or with the signal's reason. */
  judge(answer: JudgedAnswer, signal?: AbortSignal): Promise<AnswerOpinion>;
  /**
   * What the callee wants besides answering the question, such as hearing it again. Null if no model for that is
   * installed. Rejects like `judge`.
   */
  judgeRequest?(utterance: JudgedUtterance, signal?: AbortSignal): Promise<RequestOpinion | null>;
  /** A question has been asked: reads it and its exits before the answer, which is then judged faster. */
  readAhead?(asked: AskedQuestion): void;
}

export interface AskedQuestion {
  /** The question as it was asked. */
  readonly question: string;
  readonly exits: readonly { readonly when: string; readonly phrases: readonly string[] }[];
}

export interface JudgedAnswer extends AskedQuestion {
  readonly answerKind: "yes_no" | "choice";
  readonly said: string;
}

/** How likely each answer was meant, in the order of the exits, and how likely none was. They add up to 1. */
export interface AnswerOpinion {
  readonly exits: readonly number[];
  readonly none: number;
}

/** What a callee may want at any question, besides answering it. The order is that of the network's output. */
export const CALLEE_REQUESTS = [
  "stop_calling",
  "deceased",
  "wrong_number",
  "not_person",
  "other_language",
  "child",
  "human",
  "scam",
  "number_source",
  "is_machine",
  "who_calls",
  "why",
  "driving",
  "call_later",
  "how_long",
  "how_much",
  "speak_up",
  "slower",
  "repeat",
  "wait",
  "anybody_there",
  "insult",
  "goodbye",
] as const;
export type CalleeRequest = (typeof CALLEE_REQUESTS)[number];

export interface JudgedUtterance {
  /** The question as it was asked. */
  readonly question: string;
  readonly answerKind: AskNode["answer"];
  readonly said: string;
}

/** How likely each request was made, and how likely none was. They add up to 1. */
export interface RequestOpinion {
  readonly requests: Readonly<Record<CalleeRequest, number>>;
  readonly none: number;
}
