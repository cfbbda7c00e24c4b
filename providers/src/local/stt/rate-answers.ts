import type { ExpectedAnswerScore } from "@parley/voice/ports/speech-recognizer";
import { lengthOf, type WeighedAnswer } from "./weigh-answers.ts";

/**
 * A logistic curve over how much less likely the answer is than what the model wrote, for its length. Where it is even,
 * one of twelve things that are none of the answers is taken for one: `npm run bench -- speech` prints what other places
 * would trade.
 */
const STEEPNESS = 1.9;
const EVEN_AT = -2.15;

/**
 * The best answer with a score from 0 to 1 that means the same for short answers and long ones. It is ahead of the second
 * by as much of its score as the second is less likely.
 */
export function rateAnswers(weighed: readonly WeighedAnswer[]): ExpectedAnswerScore | null {
  const [first, second] = weighed;
  if (first === undefined) return null;
  const score = scoreOf(first);
  const odds = second === undefined ? 0 : Math.exp(second.logRatio - first.logRatio);
  return { answer: first.answer, score, margin: score * (1 - odds) };
}

function scoreOf({ logRatio, letters }: WeighedAnswer): number {
  return 1 / (1 + Math.exp(-STEEPNESS * (logRatio / lengthOf(letters) - EVEN_AT)));
}
