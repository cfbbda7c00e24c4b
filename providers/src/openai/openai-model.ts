import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import { adaptSdkModel } from "../language-model/adapt-sdk-model.ts";
import type { KeyedModelAccess } from "../language-model/model-access.ts";

const BASE_URL = "https://api.openai.com/v1";

/** A model of OpenAI, by its Responses API. */
export function createOpenAiModel({
  model,
  apiKey,
  baseUrl = BASE_URL,
  fetch,
  clock,
}: KeyedModelAccess): LanguageModel {
  return adaptSdkModel({
    provider: "openai",
    model: createOpenAI({ apiKey, baseURL: baseUrl, fetch }).responses(model),
    clock,
    secrets: [apiKey],
    callOptions: {
      reasoning: leastReasoning(model),
      providerOptions: {
        openai: {
          // Otherwise OpenAI stores the conversation.
          store: false,
          // It is not used, and some models deny it to accounts that are not verified.
          reasoningSummary: null,
        },
      },
    },
    // By default this API refuses schemas that leave anything open, and customers write such schemas.
    strictTools: false,
  });
}

/**
 * Thinking is silence on the line: as little of it as the model allows. The package knows what most models allow and
 * raises "none" to that; it does not know these, and they refuse a request for less.
 */
function leastReasoning(model: string): "none" | "low" | "provider-default" {
  if (/^o\d/.test(model)) return "low";
  return /-(pro|codex|chat)\b/.test(model) ? "provider-default" : "none";
}
