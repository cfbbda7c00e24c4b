import { withFallback } from "@parley/providers/language-model/with-fallback";
import { LANGUAGE_MODEL_PROVIDERS } from "@parley/providers/registry";
import { type Clock, systemClock } from "@parley/time/clock";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import type { ProviderError } from "@parley/voice/ports/provider-error";
import type { ModelChoice, ModelSettings } from "../../platform/config/model-settings.ts";
import { createOutboundFetch } from "../../platform/outbound-http/outbound-fetch.ts";
import { openModelDoor } from "./model-door.ts";

export interface OpenLanguageModel {
  readonly model: LanguageModel;
  /** Calls off what is under way and closes every connection. */
  close(): void;
}

export interface OpenLanguageModelOptions {
  readonly clock?: Clock;
  /** Hears of every failure of a model, also when another one answered in its place. */
  readonly onFailure?: (failure: ProviderError) => void;
}

/** Nobody listens to one reply for longer. */
const TOTAL_TIMEOUT_MS = 60_000;

/** Opens the models that the settings choose, as one. Null when they choose none. Each thread opens its own. */
export async function openLanguageModel(
  { choices, firstTokenTimeoutMs }: ModelSettings,
  { clock = systemClock, onFailure }: OpenLanguageModelOptions = {},
): Promise<OpenLanguageModel | null> {
  if (choices.length === 0) return null;
  const ownHosts = choices.flatMap(({ baseUrl }) => (baseUrl === null ? [] : [new URL(baseUrl).hostname]));
  const door = openModelDoor({ clock, ownHosts });
  const fetch = createOutboundFetch(door);
  const models = await Promise.all(choices.map((choice) => openChoice(choice, fetch, clock)));
  const model = withFallback(models, {
    firstTokenTimeoutMs,
    totalTimeoutMs: TOTAL_TIMEOUT_MS,
    clock,
    ...(onFailure ? { onFailure } : {}),
  });
  return { model, close: () => door.close() };
}

function openChoice({ provider, ...access }: ModelChoice, fetch: typeof globalThis.fetch, clock: Clock) {
  const found = LANGUAGE_MODEL_PROVIDERS.find(({ name }) => name === provider);
  if (!found) throw new Error(`the settings chose a provider that does not exist: ${provider}`);
  return found.open({ ...access, fetch, clock });
}
