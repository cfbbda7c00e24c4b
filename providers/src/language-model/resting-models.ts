import type { Clock } from "@parley/time/clock";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import type { ProviderError } from "@parley/voice/ports/provider-error";

/** Which models failed recently. */
export interface RestingPlaces {
  /** The healthy ones first, in the given order; then the others, the shortest rest first. */
  inOrder(models: readonly LanguageModel[]): LanguageModel[];
  noteFailure(model: LanguageModel, failure: ProviderError): void;
  wakeUp(model: LanguageModel): void;
}

/** A vendor that asks for a day's rest is tried again earlier: limits are lifted, keys are changed. */
const REST_MAX_MS = 5 * 60_000;

/**
 * Remembers failures that last: an outage, a limit, a reply that took too long. A problem with one request says nothing
 * about the next and causes no rest.
 */
export function createRestingPlaces(clock: Pick<Clock, "now">, restMs: number): RestingPlaces {
  const restsUntilMs = new WeakMap<LanguageModel, number>();
  const restOf = (model: LanguageModel) => Math.max(0, (restsUntilMs.get(model) ?? 0) - clock.now());
  return {
    // The sort is stable.
    inOrder: (models) => models.toSorted((one, other) => restOf(one) - restOf(other)),
    noteFailure(model, { retryable, retryAfterMs }) {
      if (!retryable) return;
      const wishedMs = Math.max(restMs, retryAfterMs ?? 0);
      restsUntilMs.set(model, clock.now() + Math.min(wishedMs, REST_MAX_MS));
    },
    wakeUp: (model) => void restsUntilMs.delete(model),
  };
}
