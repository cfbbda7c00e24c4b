import { durationMsOf, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import { decodeGreedily } from "./decode-greedily.ts";
import { isMadeUp } from "./made-up-words.ts";
import type { MoonshineModel } from "./moonshine-model.ts";
import { MOONSHINE_RATE_HZ } from "./moonshine-weights.ts";
import { prepareUtterance } from "./prepare-utterance.ts";
import { rateAnswers } from "./rate-answers.ts";
import { spreadWords } from "./spread-words.ts";
import { textOfTokens } from "./tokens-of-text.ts";
import { weighAnswers } from "./weigh-answers.ts";

/** An utterance of 8 kHz sound, and what is asked about it. Plain data, so that it can travel between processes. */
export interface UtteranceWork {
  readonly samples: Int16Array;
  readonly expected: readonly string[];
  readonly isSpeechCertain: boolean;
}

/** Fast speakers say four words in a second, and few words take more than two tokens. */
const TOKENS_PER_SECOND = 8;
const TOKENS_AT_LEAST = 6;

/** Says what an utterance says. Null when it became unwanted meanwhile, which is asked between the steps. */
export async function recognizeUtterance(
  model: MoonshineModel,
  work: UtteranceWork,
  isUnwanted: () => Promise<boolean>,
): Promise<Recognition | null> {
  const sound = prepareUtterance(work.samples);
  const seconds = sound.length / MOONSHINE_RATE_HZ;
  const speech = await model.encode(sound);
  const decoded = await decodeGreedily(model, speech, {
    mustSaySomething: work.isSpeechCertain,
    tokensMax: TOKENS_AT_LEAST + Math.ceil(seconds * TOKENS_PER_SECOND),
    isUnwanted,
  });
  if (decoded === null || (await isUnwanted())) return null;
  const text = textOfTokens(decoded.tokens);
  const confidence = Math.exp(decoded.logProbability / (decoded.tokens.length + 1));
  if (isMadeUp(text, confidence)) return { text: "", words: [], best: null, confidence };
  const isAsked = work.expected.length > 0 && decoded.tokens.length > 0;
  const weighed = isAsked ? await weighAnswers(model, speech, decoded, work.expected, isUnwanted) : [];
  if (weighed === null) return null;
  return {
    text,
    words: spreadWords(text, durationMsOf(work.samples.length, TELEPHONE_RATE_HZ)),
    best: rateAnswers(weighed),
    confidence,
  };
}
