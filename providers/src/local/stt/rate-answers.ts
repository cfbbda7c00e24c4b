import type { ExpectedAnswerScore } from "@parley/voice/ports/speech-recognizer";
import type { WeighedAnswer } from "./weigh-answers.ts";

/** How fast the score falls with each step of the ratio; half a point at a ratio per token of 0.7 or so. */
const STEEPNESS = 1;

/** The best answer with a score from 0 to 1, which is 1 when the model would have written the same by itself. */
export function rateAnswers(weighed: readonly WeighedAnswer[]): ExpectedAnswerScore | null {
  const [first, second] = weighed.map((answer) => ({ answer: answer.answer, score: scoreOf(answer) }));
  if (first === undefined) return null;
  return { ...first, margin: first.score - (second?.score ?? 0) };
}

/** A longer answer has more places to differ, so that the ratio counts for each token. */
function scoreOf({ logRatio, tokens }: WeighedAnswer): number {
  return Math.exp((STEEPNESS * logRatio) / (tokens + 1));
}
