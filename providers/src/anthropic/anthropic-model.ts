import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import { adaptSdkModel } from "../language-model/adapt-sdk-model.ts";
import type { KeyedModelAccess } from "../language-model/model-access.ts";

const BASE_URL = "https://api.anthropic.com/v1";

/** A model of Anthropic, by its Messages API. */
export function createAnthropicModel(access: KeyedModelAccess): LanguageModel {
  const { model, apiKey, baseUrl = BASE_URL, fetch, clock } = access;
  return adaptSdkModel({
    provider: "anthropic",
    model: createAnthropic({ apiKey, baseURL: baseUrl, fetch }).messages(model),
    clock,
    secrets: [apiKey],
    // Thinking is silence on the line: as little of it as the model allows.
    callOptions: { reasoning: "none" },
    // The instructions are the same in every turn of a call; read from the cache, the first word comes sooner.
    instructionOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
  });
}
