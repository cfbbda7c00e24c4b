import type { Clock } from "@parley/time/clock";
import { waitFor } from "@parley/time/within";
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
  /** After this long without a sign of a model the next one is asked beside it, and the first to answer replies. */
  readonly askNextAfterMs?: number;
  /** How long a model may stop within its reply while another one could go on with it. */
  readonly nextPartTimeoutMs?: number;
  /** From the request to the last part, over all models. */
  readonly totalTimeoutMs: number;
  readonly clock: Clock;
  /** How long a model that failed is asked after the others, so that not every turn waits for it. */
  readonly restMs?: number;
  /** Called on every failure, including those that the callee never notices. */
  readonly onFailure?: (failure: ProviderError) => void;
}

/** People say "hello?" after two or three seconds; most models begin within half a second. */
const ASK_NEXT_AFTER_MS = 1_000;
/** Models write dozens of words a second. A false alarm costs a request to the next model, and a longer wait is heard. */
const NEXT_PART_TIMEOUT_MS = 1_000;
const REST_MS = 30_000;

/** A model that was asked for one reply. */
interface Attempt {
  readonly model: LanguageModel;
  readonly askedMs: number;
  /** Rejects when the model failed, ran out of time or was stopped. */
  next(): Promise<IteratorResult<ModelPart, unknown>>;
  /** Its first part, or why there is none. Never rejects. */
  readonly first: Promise<FirstPart>;
  /** It has begun to answer: the time to its first part is no longer limited. */
  noteBegun(): void;
  stop(): void;
}

type FirstPart = { readonly attempt: Attempt } & (
  | { readonly result: IteratorResult<ModelPart, unknown> }
  | { readonly error: unknown }
);

/**
 * One model composed of several. The requested one is asked before the others; the next one beside it when it gives no sign for a
 * second, and immediately when it fails. The first to answer replies, and the others are stopped. One that breaks off after a part
 * of its text is followed by the next, which goes on after the words that were sent. After a call a failure is final.
 */
export function withFallback(models: readonly LanguageModel[], options: FallbackOptions): LanguageModel {
  if (models.length === 0) throw new Error("there must be at least one model");
  const { clock, askNextAfterMs = ASK_NEXT_AFTER_MS, nextPartTimeoutMs = NEXT_PART_TIMEOUT_MS } = options;
  const resting = createRestingPlaces(clock, options.restMs ?? REST_MS);

  async function* reply(request: ModelRequest): AsyncGenerator<ModelPart, void, undefined> {
    request.signal.throwIfAborted();
    const total = new AbortController();
    const cancelTotal = clock.setTimer(options.totalTimeoutMs, () => total.abort());
    const waiting = resting.inOrder(requestedFirst(models, request.model));
    const asked = new Set<Attempt>();
    const text = new TextSent();

    /** Throws what is final. */
    const noteFailure = ({ model }: Attempt, error: unknown, isFinal: boolean): void => {
      request.signal.throwIfAborted();
      const seconds = options.totalTimeoutMs / 1000;
      const failure = total.signal.aborted
        ? timedOut(model, `did not end its reply within ${seconds} s`)
        : asFailure(model, error);
      resting.noteFailure(model, failure);
      options.onFailure?.(failure);
      if (isFinal || total.signal.aborted) throw failure;
      request.onFailure?.(failure);
    };
    const ask = (): void => {
      const model = waiting.shift();
      if (model === undefined) return;
      request.onAsked?.(model.name);
      asked.add(begin(model, text.continued(request), total.signal));
    };

    async function firstToAnswer(): Promise<Attempt & { readonly result: IteratorResult<ModelPart, unknown> }> {
      ask();
      for (;;) {
        const latestMs = Math.max(...[...asked].map(({ askedMs }) => askedMs));
        const [next] = waiting;
        const mayAskNext = next !== undefined && !resting.isResting(next);
        const waitMs = mayAskNext ? Math.max(0, latestMs + askNextAfterMs - clock.now()) : null;
        const waited = await waitFor(clock, waitMs, Promise.race([...asked].map(({ first }) => first)));
        if (waited.type !== "done") ask();
        else if ("result" in waited.value) return { ...waited.value.attempt, result: waited.value.result };
        else {
          const { attempt, error } = waited.value;
          end(attempt);
          noteFailure(attempt, error, waiting.length === 0 && asked.size === 0);
          ask();
        }
      }
    }

    function end(attempt: Attempt): void {
      asked.delete(attempt);
      attempt.stop();
    }

    /** A model that was asked before the one that answered was too slow. One that was asked after it lost nothing but the race. */
    function dismissOthers(answering: Attempt): void {
      for (const attempt of [...asked].filter(({ model }) => model !== answering.model)) {
        end(attempt);
        if (attempt.askedMs >= answering.askedMs) {
          request.onLost?.(attempt.model.name);
          // It may still be needed if the reply breaks off.
          waiting.push(attempt.model);
        } else {
          const seconds = (clock.now() - attempt.askedMs) / 1000;
          const failure = timedOut(attempt.model, `had said nothing after ${seconds} s, when another model answered`);
          noteFailure(attempt, failure, false);
        }
      }
    }

    try {
      for (;;) {
        const answering = await firstToAnswer();
        request.onAnswering?.(answering.model.name);
        dismissOthers(answering);
        let { result } = answering;
        let hasCalled = false;
        let isReplying = false;
        try {
          for (; !result.done; result = await nextOf(answering, isReplying && waiting.length > 0)) {
            const part = result.value;
            answering.noteBegun();
            // A call takes as long as its input is, and comes as a whole.
            isReplying = part.type === "text";
            hasCalled ||= part.type === "tool_call" || part.type === "finished";
            yield* text.send(part, waiting.length > 0);
          }
          yield* text.rest();
          resting.wakeUp(answering.model);
          return;
        } catch (error) {
          text.drop();
          for (const attempt of [...asked]) end(attempt);
          noteFailure(answering, error, hasCalled || waiting.length === 0);
        }
      }
    } finally {
      cancelTotal();
      for (const attempt of [...asked]) end(attempt);
    }
  }

  async function nextOf(attempt: Attempt, isReplaceable: boolean): Promise<IteratorResult<ModelPart, unknown>> {
    const waited = await waitFor(clock, isReplaceable ? nextPartTimeoutMs : null, attempt.next());
    if (waited.type === "done") return waited.value;
    throw timedOut(attempt.model, `stopped within its reply for ${nextPartTimeoutMs / 1000} s`);
  }

  /** Asks one model, until its reply, its time or the total time is over. Its request never outlives `stop`. */
  function begin(model: LanguageModel, request: ModelRequest, total: AbortSignal): Attempt {
    const life = new AbortController();
    const endings = [request.signal, total];
    const onEnd = () => life.abort(endings.find(({ aborted }) => aborted)?.reason);
    for (const signal of endings) signal.addEventListener("abort", onEnd, { once: true });
    const seconds = options.firstTokenTimeoutMs / 1000;
    const cancelFirst = clock.setTimer(options.firstTokenTimeoutMs, () =>
      life.abort(timedOut(model, `said nothing within ${seconds} s`)),
    );
    const parts = model.reply({ ...request, signal: life.signal })[Symbol.asyncIterator]();
    const next = () => unlessAborted(parts.next(), life.signal);
    const attempt: Attempt = {
      model,
      askedMs: clock.now(),
      next,
      first: next().then(
        (result) => ({ attempt, result }),
        (error: unknown) => ({ attempt, error }),
      ),
      noteBegun: cancelFirst,
      stop() {
        cancelFirst();
        for (const signal of endings) signal.removeEventListener("abort", onEnd);
        life.abort();
        // Not awaited: a model that does not stop when it is aborted must not delay the next one.
        parts.return?.().catch(() => undefined);
      },
    };
    return attempt;
  }

  return {
    name: models.map(({ name }) => name).join(", else "),
    firstPartWithinMs: Math.min(models.length * options.firstTokenTimeoutMs, options.totalTimeoutMs),
    reply,
  };
}

/** A word in letters that are written with spaces between words, as far as it was received. */
const LAST_WORD = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}'’]+$/u;

/** The text of a reply, passed on word by word while another model may have to go on with it. */
class TextSent {
  #sent = "";
  #kept = "";

  *send(part: ModelPart, isReplaceable: boolean): Generator<ModelPart, void, undefined> {
    if (part.type !== "text") {
      yield* this.rest();
      yield part;
      return;
    }
    const text = this.#kept + part.text;
    this.#kept = isReplaceable ? (LAST_WORD.exec(text)?.[0] ?? "") : "";
    yield* this.#pass(text.slice(0, text.length - this.#kept.length));
  }

  /** No more comes after it. */
  *rest(): Generator<ModelPart, void, undefined> {
    const text = this.#kept;
    this.#kept = "";
    yield* this.#pass(text);
  }

  /** A word that was never finished. */
  drop(): void {
    this.#kept = "";
  }

  /** What the next model is asked for. */
  continued(request: ModelRequest): ModelRequest {
    if (this.#sent.trim() === "") return request;
    const note =
      "You have already begun this reply, and the other person has heard the beginning. " +
      "Go on directly after these words, without repeating any of them:";
    return { ...request, instructions: `${request.instructions}\n\n${note}\n${this.#sent}` };
  }

  *#pass(text: string): Generator<ModelPart, void, undefined> {
    this.#sent += text;
    if (text !== "") yield { type: "text", text };
  }
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
  isResting(model: LanguageModel): boolean;
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
    isResting: (model) => restOf(model) > 0,
  };
}
