import type { Clock } from "@parley/time/clock";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import type { ProviderError } from "@parley/voice/ports/provider-error";

/** Which models failed lately. */
export interface RestingPlaces {
  /** Those that are well first, as they were given; then the others, the one that rests the shortest first. */
  inOrder(models: readonly LanguageModel[]): LanguageModel[];
  noteFailure(model: LanguageModel, failure: ProviderError): void;
  wakeUp(model: LanguageModel): void;
}

/** A vendor that asks to be left alone for a day is tried again all the same: limits are lifted, keys are changed. */
const REST_MAX_MS = 5 * 60_000;

/**
 * Remembers failures that will not pass at once: an outage, a limit, a reply that took too long. What is wrong with one
 * request says nothing about the next, and nobody rests for it.
 */
export function createRestingPlaces(clock: Pick<Clock, "now">, restMs: number): RestingPlaces {
  const restsUntilMs = new WeakMap<LanguageModel, number>();
  const restOf = (model: LanguageModel) => Math.max(0, (restsUntilMs.get(model) ?? 0) - clock.now());
  return {
    // Sorting keeps equals in their order.
    inOrder: (models) => models.toSorted((one, other) => restOf(one) - restOf(other)),
    noteFailure(model, { retryable, retryAfterMs }) {
      if (!retryable) return;
      const wishedMs = Math.max(restMs, retryAfterMs ?? 0);
      restsUntilMs.set(model, clock.now() + Math.min(wishedMs, REST_MAX_MS));
    },
    wakeUp: (model) => void restsUntilMs.delete(model),
  };
}
