import type { IncidentKind } from "@parley/contract/incidents";
import type { Timers } from "@parley/time/clock";
import { type Waited, waitFor } from "@parley/time/within";
import { type LanguageModel, type ModelPart, type ModelRequest, requestedFirst } from "../../ports/language-model.ts";
import { ProviderError } from "../../ports/provider-error.ts";

export interface ModelTimes {
  /** How long a model may take until its first word, unless it has a timeout of its own; then the next one is asked. */
  readonly firstPartMs: number;
  /** How long it may stop in the middle. */
  readonly nextPartMs: number;
  /** How long the callee hears nothing before a filler is said. */
  readonly fillerAfterMs: number;
}

const MODEL_TIMES: ModelTimes = { firstPartMs: 4000, nextPartMs: 4000, fillerAfterMs: 2000 };

/** A model with a timeout of its own reports what happened; this is only for one that does not. */
const OWN_TIME_GRACE_MS = 500;

/** The available models in the order in which they are asked, and what asking them requires. */
export interface ModelAccess {
  readonly models: readonly LanguageModel[];
  readonly timers: Timers;
  readonly times?: ModelTimes;
  readonly noteFault: NoteFault;
}

/** Called for every failure that did not end the conversation, with its kind. */
export type NoteFault = (
  fault: unknown,
  what: Extract<IncidentKind, "model_failed" | "tool_failed" | "agent_failed">,
) => void;

type ModelEvent =
  | { readonly type: "part"; readonly part: ModelPart }
  /** Nothing has arrived for some time, and it may take longer. Reported once. */
  | { readonly type: "slow" }
  /** The one that spoke broke off, or none was available. Nothing comes after it. */
  | { readonly type: "failed" };

/**
 * Asks the models in order, the requested one first, until one answers. Once one has begun to speak no other is asked,
 * because the callee has heard the beginning. Ends without an error when aborted.
 */
export async function* askModels(
  { models, timers, times = MODEL_TIMES, noteFault }: ModelAccess,
  request: Omit<ModelRequest, "signal">,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  let hasReportedSlow = false;
  for (const model of requestedFirst(models, request.model)) {
    const { firstPartWithinMs } = model;
    const firstPartMs = firstPartWithinMs === undefined ? times.firstPartMs : firstPartWithinMs + OWN_TIME_GRACE_MS;
    const attempt = new AbortController();
    const stop = () => attempt.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const onFailure = (failure: ProviderError) => noteFault(failure, "model_failed");
      const parts = model.reply({ ...request, signal: attempt.signal, onFailure })[Symbol.asyncIterator]();
      let hasBegun = false;
      let waitedMs = 0;
      let next = settle(parts, noteFault);
      for (;;) {
        const limitMs = hasBegun ? times.nextPartMs : firstPartMs;
        const isFillerDue = !hasBegun && !hasReportedSlow && times.fillerAfterMs < limitMs;
        const waited = await waitFor(timers, (isFillerDue ? times.fillerAfterMs : limitMs) - waitedMs, next, signal);
        if (waited.type === "aborted") return;
        if (waited.type === "late" && isFillerDue) {
          hasReportedSlow = true;
          waitedMs = times.fillerAfterMs;
          yield { type: "slow" };
          continue;
        }
        if (waited.type === "late") noteFault(stoppedAnswering(model.name, hasBegun), "model_failed");
        const part = partOf(waited);
        if (part === "over") return;
        if (part === "broken") break;
        hasBegun = true;
        waitedMs = 0;
        yield { type: "part", part };
        next = settle(parts, noteFault);
      }
      if (hasBegun) break;
    } finally {
      signal.removeEventListener("abort", stop);
      attempt.abort();
    }
  }
  if (!signal.aborted) yield { type: "failed" };
}

type Settled = IteratorResult<ModelPart, unknown> | "broken";

/** The next part, or that there is none. It never rejects, so it may be left unawaited. */
async function settle(parts: AsyncIterator<ModelPart, unknown>, noteFault: NoteFault): Promise<Settled> {
  try {
    return await parts.next();
  } catch (error) {
    if (error instanceof ProviderError) noteFault(error, "model_failed");
    return "broken";
  }
}

function stoppedAnswering(name: string, hasBegun: boolean): ProviderError {
  const what = hasBegun ? "stopped in the middle of its reply" : "said nothing in time";
  return new ProviderError(name, `${name} ${what}.`, { retryable: true });
}

function partOf(waited: Waited<Settled>): ModelPart | "over" | "broken" {
  if (waited.type !== "done" || waited.value === "broken") return "broken";
  return waited.value.done === true ? "over" : waited.value.value;
}
