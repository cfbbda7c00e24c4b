import type { Clock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { HeardWord } from "../speech/call-transcript.ts";
import { objectsIn, usableTerms, type VendorMessage } from "../speech/streaming-recognizer.ts";
import type { VendorIdentity } from "../websocket/vendor-status.ts";

/** What every adapter to Deepgram needs. The operator's settings: `PARLEY_DEEPGRAM_API_KEY`, and nothing else. */
export interface DeepgramAccess {
  readonly apiKey: string;
  readonly clock: Clock;
  /** `https:` or `http:`, for servers of the operator. */
  readonly baseUrl?: string;
}

/** The name of all its adapters. */
export const DEEPGRAM = "deepgram";

const DEEPGRAM_BASE_URL = "https://api.deepgram.com";

export function deepgramIdentity({ apiKey }: DeepgramAccess): VendorIdentity {
  return { provider: DEEPGRAM, title: "Deepgram", secrets: [apiKey] };
}

/** Where a WebSocket is opened, with its parameters and the key. */
export function deepgramAddress(
  { apiKey, baseUrl = DEEPGRAM_BASE_URL }: DeepgramAccess,
  path: string,
  query: URLSearchParams,
) {
  const base = baseUrl.replace(/\/$/, "").replace(/^http/, "ws");
  return { url: `${base}${path}?${query}`, headers: { Authorization: `Token ${apiKey}` } };
}

/** What Nova-3 understands, by Deepgram's list of models and languages. */
const NOVA_3_LANGUAGES: ReadonlySet<string> = new Set(
  (
    "be bg bn bs ca cs da da-DK de de-CH el en en-US en-AU en-GB en-IN en-NZ es es-419 et fi fr fr-CA hi hr hu id it ja kn ko ko-KR " +
    "lt lv mk mr ms multi nl nl-BE no pl pt pt-BR pt-PT ro ru sk sl sr sv sv-SE ta te th th-TH tl tr uk vi zh zh-CN zh-HK zh-Hans zh-Hant zh-TW"
  ).split(" "),
);

export const FLUX_LANGUAGES: ReadonlySet<string> = new Set([
  "en",
  "es",
  "fr",
  "de",
  "hi",
  "ru",
  "pt",
  "ja",
  "it",
  "nl",
]);

/** The languages that one of the models understands, as ISO 639-1 codes. */
export const DEEPGRAM_LANGUAGES: readonly string[] = [...NOVA_3_LANGUAGES].filter((code) => code.length === 2);

/** The code for a BCP 47 tag. Models other than Nova-3 are left to judge by themselves. */
export function novaLanguage(model: string, tag: string): string {
  const language = baseLanguageOf(tag);
  if (!model.startsWith("nova-3")) return tag;
  const code = [tag, language === "nb" || language === "nn" ? "no" : language === "fil" ? "tl" : language].find(
    (each) => NOVA_3_LANGUAGES.has(each),
  );
  if (code === undefined) {
    throw new ProviderError(DEEPGRAM, `Deepgram's model ${model} does not understand the language ${tag}.`, {
      retryable: false,
    });
  }
  return code;
}

/** The model for a language, with the hint that it takes. */
export function fluxModel(
  wanted: string | undefined,
  tag: string,
): { readonly model: string; readonly hint: string | null } {
  const language = baseLanguageOf(tag);
  const model = wanted ?? (language === "en" ? "flux-general-en" : "flux-general-multi");
  if (model === "flux-general-en" ? language !== "en" : !FLUX_LANGUAGES.has(language)) {
    const advice = FLUX_LANGUAGES.has(language) ? "flux-general-multi" : "Nova-3";
    throw new ProviderError(
      DEEPGRAM,
      `Deepgram's model ${model} does not understand the language ${tag}. Use ${advice} for it.`,
      { retryable: false },
    );
  }
  return { model, hint: model === "flux-general-en" ? null : language };
}

export function baseLanguageOf(tag: string): string {
  return tag.split("-")[0]?.toLowerCase() ?? "";
}

/** Deepgram takes this many terms; further ones are of little use. */
const TERMS_MAX = 100;

export function withTerms(query: URLSearchParams, name: string, terms: readonly string[] | undefined): void {
  for (const term of usableTerms(terms, { countMax: TERMS_MAX })) query.append(name, term);
}

/** The words of a message. Words without times are spread over the stretch of audio that was transcribed. */
export function wordsIn(holder: VendorMessage, fromMs: number, toMs: number): HeardWord[] {
  const list = objectsIn(holder, "words");
  const stepMs = (toMs - fromMs) / Math.max(1, list.length);
  return list.map((item, index) => {
    const text = typeof item.punctuated_word === "string" ? item.punctuated_word : item.word;
    if (typeof text !== "string") throw new TypeError("a word is not a text");
    const startMs = typeof item.start === "number" ? item.start * 1000 : fromMs + index * stepMs;
    const endMs = typeof item.end === "number" ? item.end * 1000 : startMs + stepMs;
    const confidence = typeof item.confidence === "number" ? item.confidence : 1;
    return { text, startMs, endMs, confidence };
  });
}

/** The most frequent language of a message, if it names any. */
export function languageIn(holder: VendorMessage): string | undefined {
  const { languages } = holder;
  const first: unknown = Array.isArray(languages) ? languages[0] : undefined;
  return typeof first === "string" ? first : undefined;
}
