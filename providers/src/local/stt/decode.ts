import tokenizer from "llama-tokenizer-js";
import type { DecoderStep, EncodedSpeech, MoonshineModel } from "./moonshine-model.ts";
import { TOKEN_END, TOKEN_START, VOCABULARY } from "./moonshine-weights.ts";

export interface DecodedText {
  readonly tokens: readonly number[];
  /** Of the whole text and its end. */
  readonly logProbability: number;
  /** The step before each token, and before the end: for weighing other texts against this speech. */
  readonly steps: readonly DecoderStep[];
}

export interface DecodeLimits {
  /** Speech detection is certain, so the text may not be empty. */
  readonly mustSaySomething: boolean;
  /** More tokens than people can say in the time mean that the model loops. */
  readonly tokensMax: number;
  /** Checked between steps; a step that has started is finished. */
  readonly isUnwanted: () => Promise<boolean>;
}

/** Takes the most likely token at every step. Null if it was cancelled meanwhile. */
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

/** The logarithm of a token's probability, from one row of weights. */
function logProbabilityOf(logits: Float32Array, start: number, width: number, token: number): number {
  return (logits[start + token] as number) - logSumExp(logits, start, width);
}

/** What is lighter than the heaviest by more than this adds nothing that a 32-bit number could hold. */
const NEGLIGIBLE = -18;

/** Nearly all of a vocabulary is negligible at any position, and exponentials cost more than everything else here. */
export function logSumExp(logits: Float32Array, start: number, width: number): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = start; at < start + width; at++) if ((logits[at] as number) > highest) highest = logits[at] as number;
  let sum = 0;
  for (let at = start; at < start + width; at++) {
    const below = (logits[at] as number) - highest;
    if (below > NEGLIGIBLE) sum += Math.exp(below);
  }
  return highest + Math.log(sum);
}

/** The most likely token of a row, optionally excluding one. */
function heaviestToken(logits: Float32Array, start: number, width: number, except = -1): number {
  let best = except === 0 ? 1 : 0;
  for (let token = best + 1; token < width; token++) {
    if (token !== except && (logits[start + token] as number) > (logits[start + best] as number)) best = token;
  }
  return best;
}

/** The logarithm of the sum of two probabilities, given as logarithms. */
export function addLogs(one: number, other: number): number {
  const [high, low] = one > other ? [one, other] : [other, one];
  return low === Number.NEGATIVE_INFINITY ? high : high + Math.log1p(Math.exp(low - high));
}

/** Text as the model's tokens, without the start token. */
export function tokensOfText(text: string): number[] {
  return tokenizer.encode(text, false, true);
}

export function textOfTokens(tokens: readonly number[]): string {
  return tokenizer.decode([...tokens], false, false).trim();
}
