import type { SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import { baseLanguageOf, DEEPGRAM, type DeepgramAccess, FLUX_LANGUAGES } from "./deepgram-access.ts";
import { createDeepgramFluxRecognizer } from "./deepgram-flux-recognizer.ts";
import { createDeepgramNovaRecognizer } from "./deepgram-nova-recognizer.ts";

export interface DeepgramRecognizerOptions extends DeepgramAccess {
  /** `auto` (the default), `flux`, or the name of a model of Flux or Nova. */
  readonly model?: string;
}

/**
 * Deepgram as a recognizer: Flux, which finds turns by itself, in the languages that it knows, and Nova-3 in all
 * others, unless a model is named. Needs `PARLEY_DEEPGRAM_API_KEY`; the languages are `DEEPGRAM_LANGUAGES`.
 */
export function createDeepgramRecognizer({ model = "auto", ...access }: DeepgramRecognizerOptions): SpeechRecognizer {
  const isNamed = model !== "auto" && model !== "flux";
  const flux = createDeepgramFluxRecognizer(isNamed ? { ...access, model } : access);
  const nova = createDeepgramNovaRecognizer(isNamed ? { ...access, model } : access);

  function chosenFor(language: string): SpeechRecognizer {
    if (model === "auto") return FLUX_LANGUAGES.has(baseLanguageOf(language)) ? flux : nova;
    return model.startsWith("flux") ? flux : nova;
  }

  return {
    name: DEEPGRAM,
    open: (request) => chosenFor(request.language).open(request),
    async close() {
      await Promise.all([flux.close(), nova.close()]);
    },
  };
}
