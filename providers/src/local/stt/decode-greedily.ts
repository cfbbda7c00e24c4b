import { heaviestToken, logProbabilityOf } from "./log-softmax.ts";
import type { DecoderStep, EncodedSpeech, MoonshineModel } from "./moonshine-model.ts";
import { TOKEN_END, TOKEN_START, VOCABULARY } from "./moonshine-weights.ts";

export interface DecodedText {
  readonly tokens: readonly number[];
  /** Of the whole text and its end. */
  readonly logProbability: number;
  /** The step before each token, and before the end: for whoever weighs other texts against this speech. */
  readonly steps: readonly DecoderStep[];
}

export interface DecodeLimits {
  /** Speech detection is sure, so that the text may not be empty. */
  readonly mustSaySomething: boolean;
  /** More tokens than people can say in the time are a model going round in circles. */
  readonly tokensMax: number;
  /** Asked between steps; a step that has begun is finished. */
  readonly isUnwanted: () => Promise<boolean>;
}

/** Takes the heaviest token at every step. Null when it became unwanted meanwhile. */
export async function decodeGreedily(
  model: MoonshineModel,
  speech: EncodedSpeech,
  { mustSaySomething, tokensMax, isUnwanted }: DecodeLimits,
): Promise<DecodedText | null> {
  const tokens: number[] = [];
  let logProbability = 0;
  let step = await model.begin(speech, TOKEN_START);
  const steps = [step];
  for (;;) {
    if (await isUnwanted()) return null;
    const forbidden = mustSaySomething && tokens.length === 0 ? TOKEN_END : -1;
    const token = heaviestToken(step.logits, 0, VOCABULARY, forbidden);
    logProbability += logProbabilityOf(step.logits, 0, VOCABULARY, token);
    if (token === TOKEN_END) break;
    tokens.push(token);
    if (tokens.length >= tokensMax) break;
    step = await model.step(speech, step.memory, token);
    steps.push(step);
  }
  return { tokens, logProbability, steps };
}
