import type { Clock } from "@parley/time/clock";
import type { SpeechSynthesizer, SpeechVoice } from "@parley/voice/ports/speech-synthesizer";
import { createOpenAiCompatibleSynthesizer } from "../openai-compatible/openai-compatible-synthesizer.ts";

export interface OpenAiSynthesizerOptions {
  readonly apiKey: string;
  readonly clock: Clock;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly speed?: number;
  /** How to speak, in words: "calm and friendly". */
  readonly instructions?: string;
  readonly fetch?: typeof fetch;
}

const BASE_URL = "https://api.openai.com/v1";
const MODEL = "gpt-4o-mini-tts";

/** Each speaks every language that the model knows, which is what "mul" says. */
export const OPENAI_VOICES: readonly SpeechVoice[] = [
  voice("marin", "Clear and natural"),
  voice("cedar", "Warm and natural"),
  voice("alloy", "Neutral and balanced"),
  voice("ash", "Calm and even"),
  voice("ballad", "Expressive"),
  voice("coral", "Bright and friendly"),
  voice("echo", "Deep and steady"),
  voice("fable", "Lively"),
  voice("nova", "Energetic"),
  voice("onyx", "Low and serious"),
  voice("sage", "Soft and calm"),
  voice("shimmer", "Light"),
  voice("verse", "Versatile"),
];

function voice(id: string, description: string): SpeechVoice {
  return { id, language: "mul", description };
}

/**
 * OpenAI's voices, streamed. Needs PARLEY_OPENAI_API_KEY. The API returns no word times.
 */
export function createOpenAiSynthesizer({ baseUrl, model, ...options }: OpenAiSynthesizerOptions): SpeechSynthesizer {
  return createOpenAiCompatibleSynthesizer({
    ...options,
    baseUrl: baseUrl ?? BASE_URL,
    model: model ?? MODEL,
    voices: OPENAI_VOICES,
    // Without a header to wait for, the first audio comes a little earlier.
    format: "pcm",
    name: "openai",
    title: "OpenAI",
  });
}
