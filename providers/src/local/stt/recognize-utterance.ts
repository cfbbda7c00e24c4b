import { durationMsOf, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { Recognition, RecognizedWord } from "@parley/voice/ports/speech-recognizer";
import { decodeGreedily, textOfTokens } from "./decode.ts";
import { rateAnswers, weighAnswers } from "./expected-answers.ts";
import type { MoonshineModel } from "./moonshine-model.ts";
import { MOONSHINE_RATE_HZ } from "./moonshine-weights.ts";
import { prepareUtterance } from "./prepare-utterance.ts";

/** An utterance of 8 kHz audio, and the request for it. Plain data, so that it can be sent between processes. */
export interface UtteranceWork {
  readonly samples: Int16Array;
  readonly expected: readonly string[];
  readonly isSpeechCertain: boolean;
}

/** Fast speakers say four words in a second, and few words take more than two tokens. */
const TOKENS_PER_SECOND = 8;
const TOKENS_AT_LEAST = 6;

/** Transcribes an utterance. Null if it was cancelled meanwhile, which is checked between the steps. */
export async function recognizeUtterance(
  model: MoonshineModel,
  work: UtteranceWork,
  isUnwanted: () => Promise<boolean>,
): Promise<Recognition | null> {
  const sound = prepareUtterance(work.samples);
  const seconds = sound.length / MOONSHINE_RATE_HZ;
  const speech = await model.encode(sound);
  const tokensMax = TOKENS_AT_LEAST + Math.ceil(seconds * TOKENS_PER_SECOND);
  const decoded = await decodeGreedily(model, speech, {
    mustSaySomething: work.isSpeechCertain,
    tokensMax,
    isUnwanted,
  });
  if (decoded === null || (await isUnwanted())) return null;
  const written = textOfTokens(decoded.tokens);
  const text = decoded.tokens.length < tokensMax ? written : withoutLoops(written);
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

/** Notes, copyright signs and letters of other scripts: the network knows them from subtitles and writes them for music. */
const NOT_SPEECH = /[♪♫©]|(?!\p{Script=Latin})\p{Letter}/u;

/** What it writes for any short, meaningless audio. Said by a person it is written with more confidence. */
const FILLER = /^\W*you\W*$/i;
const FILLER_CONFIDENCE_MAX = 0.5;

/** Whether the network wrote what no one said, as it does for music, tones and knocks. */
export function isMadeUp(text: string, confidence: number): boolean {
  return NOT_SPEECH.test(text) || (FILLER.test(text) && confidence < FILLER_CONFIDENCE_MAX);
}

/** Up to eight words, four times or more. */
const LOOP = /\b((?:[\w']+[^\w']+){0,7}?[\w']+)(?:[^\w']+\1\b){3,}/gi;

/**
 * The network sometimes repeats the same words until it is stopped. They were said once, if at all. Only for text that was
 * stopped: people do repeat themselves, and digits.
 */
export function withoutLoops(text: string): string {
  return text.replace(LOOP, "$1");
}

/**
 * The model does not report when a word was spoken; letters take about equally long, and so do the gaps between words.
 */
function spreadWords(text: string, durationMs: number): readonly RecognizedWord[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0);
  let before = 0;
  return words.map((word) => {
    const startMs = Math.round((before / letters) * durationMs);
    before += word.length + 1;
    return { text: word, startMs, endMs: Math.round((before / letters) * durationMs) };
  });
}
