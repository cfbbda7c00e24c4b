import type { Clock } from "@parley/time/clock";
import {
  type LanguageModel,
  type ModelPart,
  type ModelRequest,
  requestedFirst,
} from "@parley/voice/ports/language-model";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { unlessAborted } from "./unless-aborted.ts";

export interface FallbackOptions {
  /** How long each model may take until its first word or call. */
  readonly firstTokenTimeoutMs: number;
  /** From the request to the last part, over all models. */
  readonly totalTimeoutMs: number;
  readonly clock: Clock;
  /** How long a model that failed is asked after the others, so that not every turn waits for it. */
  readonly restMs?: number;
  /** Called on every failure, including those that the callee never notices. */
  readonly onFailure?: (failure: ProviderError) => void;
}

const REST_MS = 30_000;

/**
 * One model composed of several. The requested one is asked before the others, and the next when one fails, or says
 * nothing in time, before any part of its reply was sent. After that a failure is final, because a sentence cannot be
 * restarted in other words.
 */
export function withFallback(models: readonly LanguageModel[], options: FallbackOptions): LanguageModel {
  if (models.length === 0) throw new Error("there must be at least one model");
  const resting = createRestingPlaces(options.clock, options.restMs ?? REST_MS);

  async function* reply(request: ModelRequest): AsyncGenerator<ModelPart, void, undefined> {
    request.signal.throwIfAborted();
    const total = new AbortController();
    const seconds = options.totalTimeoutMs / 1000;
    const cancelTotal = options.clock.setTimer(options.totalTimeoutMs, () => total.abort());
    let failure: ProviderError | null = null;
    try {
      for (const model of resting.inOrder(requestedFirst(models, request.model))) {
        if (failure !== null) request.onFailure?.(failure);
        request.onAsked?.(model.name);
        let wentOut = false;
        try {
          for await (const part of attempt(model, request, total.signal)) {
            wentOut ||= part.type !== "tool_call_started";
            yield part;
          }
          resting.wakeUp(model);
          return;
        } catch (error) {
          request.signal.throwIfAborted();
          failure = total.signal.aborted
            ? timedOut(model, `did not end its reply within ${seconds} s`)
            : asFailure(model, error);
        }
        resting.noteFailure(model, failure);
        options.onFailure?.(failure);
        if (wentOut || total.signal.aborted) break;
      }
      throw failure;
    } finally {
      cancelTotal();
    }
  }

  /** Asks one model, until its reply, its time or the total time is over. Its request never outlives the loop. */
  async function* attempt(
    model: LanguageModel,
    request: ModelRequest,
    total: AbortSignal,
  ): AsyncGenerator<ModelPart, void, undefined> {
    const life = new AbortController();
    const endings = [request.signal, total];
    const onEnd = () => life.abort(endings.find(({ aborted }) => aborted)?.reason);
    for (const signal of endings) signal.addEventListener("abort", onEnd, { once: true });
    const seconds = options.firstTokenTimeoutMs / 1000;
    const cancelFirst = options.clock.setTimer(options.firstTokenTimeoutMs, () =>
      life.abort(timedOut(model, `said nothing within ${seconds} s`)),
    );
    const parts = model.reply({ ...request, signal: life.signal })[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await unlessAborted(parts.next(), life.signal);
        if (next.done) return;
        cancelFirst();
        yield next.value;
      }
    } finally {
      cancelFirst();
      for (const signal of endings) signal.removeEventListener("abort", onEnd);
      life.abort();
      // Not awaited: a model that does not stop when it is aborted must not delay the next one.
      parts.return?.().catch(() => undefined);
    }
  }

  return {
    name: models.map(({ name }) => name).join(", else "),
    firstPartWithinMs: Math.min(models.length * options.firstTokenTimeoutMs, options.totalTimeoutMs),
    reply,
  };
}

function asFailure(model: LanguageModel, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError(model.name, `${model.name} failed in an unexpected way.`, {
    retryable: false,
    cause: error,
  });
}

function timedOut(model: LanguageModel, what: string): ProviderError {
  return new ProviderError(model.name, `${model.name} ${what}.`, { retryable: true });
}

/** Which models failed recently. */
interface RestingPlaces {
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
function createRestingPlaces(clock: Pick<Clock, "now">, restMs: number): RestingPlaces {
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
