import { createGoogle } from "@ai-sdk/google";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import { adaptSdkModel } from "../language-model/adapt-sdk-model.ts";
import type { KeyedModelAccess } from "../language-model/model-access.ts";

const BASE_URL = "https://generativelanguage.googleapis.com/v1beta";

/** A model of Google, by the Gemini API. */
export function createGoogleModel({
  model,
  apiKey,
  baseUrl = BASE_URL,
  fetch,
  clock,
}: KeyedModelAccess): LanguageModel {
  return adaptSdkModel({
    provider: "google",
    model: createGoogle({ apiKey, baseURL: baseUrl, fetch }).languageModel(model),
    clock,
    secrets: [apiKey],
    // Thinking is silence on the line: as little of it as the model allows.
    callOptions: { reasoning: "none" },
    // Gemini 3 and later sign their calls and require the signature back.
    keepsCallState: true,
  });
}
