/**
 * The port to a model that reads a question, its possible answers and what the callee said, and determines which of
 * them was meant. It gives a second opinion: it may confirm or doubt what the rules found, and never decides alone.
 */
export interface AnswerJudge {
  readonly name: string;
  /** Rejects with a ProviderError if the model is unavailable, or with the signal's reason. */
  judge(answer: JudgedAnswer, signal?: AbortSignal): Promise<AnswerOpinion>;
}

export interface JudgedAnswer {
  /** The question as it was asked. */
  readonly question: string;
  readonly answerKind: "yes_no" | "choice";
  readonly exits: readonly { readonly when: string; readonly phrases: readonly string[] }[];
  readonly said: string;
}

/** How likely each answer was meant, in the order of the exits, and how likely none was. They add up to 1. */
export interface AnswerOpinion {
  readonly exits: readonly number[];
  readonly none: number;
}
