import type { DecodedText } from "./decode-greedily.ts";
import { logProbabilityOf } from "./log-softmax.ts";
import type { EncodedSpeech, MoonshineModel } from "./moonshine-model.ts";
import { TOKEN_END, TOKEN_START, VOCABULARY } from "./moonshine-weights.ts";
import { tokensOfText } from "./tokens-of-text.ts";
import { writtenForms } from "./written-forms.ts";

export interface WeighedAnswer {
  readonly answer: string;
  /** The logarithm of how much less likely it is than what the model would write by itself; 0 when they are equal. */
  readonly logRatio: number;
  readonly tokens: number;
}

interface Form {
  readonly answer: string;
  readonly tokens: readonly number[];
}

/** Weighing costs a decoder pass over all forms at once; the rest have hardly a chance after their first token. */
const FORMS_MAX = 16;

/** How well each of the expected answers fits the speech, best first. Answers that had no chance are left out. */
export async function weighAnswers(
  model: MoonshineModel,
  speech: EncodedSpeech,
  decoded: DecodedText,
  answers: readonly string[],
): Promise<readonly WeighedAnswer[]> {
  const forms = mostLikely(decoded.firstLogits, answers.flatMap(formsOf));
  if (forms.length === 0) return [];
  const width = Math.max(...forms.map(({ tokens }) => tokens.length)) + 1;
  const rows = forms.map(({ tokens }) => [TOKEN_START, ...tokens, ...Array(width - 1 - tokens.length).fill(TOKEN_END)]);
  const logits = await model.weigh(speech, rows);
  const best = new Map<string, WeighedAnswer>();
  forms.forEach(({ answer, tokens }, row) => {
    const logRatio = Math.min(0, weightOf(logits, row * width, tokens) - decoded.logProbability);
    const known = best.get(answer);
    if (known === undefined || logRatio > known.logRatio) best.set(answer, { answer, logRatio, tokens: tokens.length });
  });
  return [...best.values()].sort((one, other) => other.logRatio - one.logRatio);
}

function weightOf(logits: Float32Array, firstPosition: number, tokens: readonly number[]): number {
  return [...tokens, TOKEN_END].reduce(
    (sum, token, index) => sum + logProbabilityOf(logits, (firstPosition + index) * VOCABULARY, VOCABULARY, token),
    0,
  );
}

function formsOf(answer: string): Form[] {
  return writtenForms(answer).map((text) => ({ answer, tokens: tokensOfText(text) }));
}

function mostLikely(firstLogits: Float32Array, forms: readonly Form[]): readonly Form[] {
  const firstWeight = ({ tokens }: Form) => firstLogits[tokens[0] ?? 0] as number;
  return [...forms].sort((one, other) => firstWeight(other) - firstWeight(one)).slice(0, FORMS_MAX);
}
