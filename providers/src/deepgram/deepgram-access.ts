import type { Clock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
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
export const CONNECT_WITHIN_MS = 5_000;

export function deepgramIdentity({ apiKey }: DeepgramAccess): VendorIdentity {
  return { provider: DEEPGRAM, title: "Deepgram", secrets: [apiKey] };
}

export function deepgramHeaders({ apiKey }: DeepgramAccess): Record<string, string> {
  return { Authorization: `Token ${apiKey}` };
}

/** The address of a WebSocket, with its parameters. */
export function deepgramUrl(access: DeepgramAccess, path: string, query: URLSearchParams): string {
  const base = (access.baseUrl ?? DEEPGRAM_BASE_URL).replace(/\/$/, "").replace(/^http/, "ws");
  return `${base}${path}?${query}`;
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

export function withTerms(query: URLSearchParams, name: string, terms: readonly string[] = []): void {
  for (const term of terms.slice(0, TERMS_MAX)) if (term.trim() !== "") query.append(name, term.trim());
}
