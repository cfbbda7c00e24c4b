import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import { adaptSdkModel } from "../language-model/adapt-sdk-model.ts";
import type { OwnModelAccess } from "../language-model/model-access.ts";

/**
 * A model at any URL that speaks OpenAI's chat completions, such as Ollama or vLLM. Only widely supported parameters
 * are sent: how much a model thinks is configured at the server.
 */
export function createOpenAiCompatibleModel({ model, apiKey, baseUrl, fetch, clock }: OwnModelAccess): LanguageModel {
  return adaptSdkModel({
    provider: "openai-compatible",
    model: createOpenAICompatible({
      name: "openaiCompatible",
      baseURL: baseUrl,
      fetch,
      includeUsage: true,
      ...(apiKey === null ? {} : { apiKey }),
    }).chatModel(model),
    clock,
    secrets: apiKey === null ? [] : [apiKey],
    keepsCallState: true,
    hidesThoughts: true,
  });
}
