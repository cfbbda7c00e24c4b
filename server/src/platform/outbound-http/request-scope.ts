import type { Clock } from "@parley/time/clock";
import { OutboundFailure } from "./outbound-failure.ts";

export interface RequestScopeOptions {
  readonly clock: Clock;
  /** For everything, from the name to the last byte. */
  readonly totalMs: number;
  /** The caller's signal; it may live longer than the request. */
  readonly signal: AbortSignal | undefined;
}

/**
 * The life of one request. Whatever ends it (its timeout, the caller, the end of the service) aborts one signal with the
 * failure as its reason, and every part of the request listens to that signal alone.
 */
export class RequestScope {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #releases: (() => void)[] = [];

  constructor({ clock, totalMs, signal }: RequestScopeOptions) {
    this.#clock = clock;
    this.#releases.push(clock.setTimer(totalMs, () => this.fail(timedOut("The whole reply did not come", totalMs))));
    if (!signal) return;
    const abort = () =>
      this.fail(new OutboundFailure("aborted", "The request was called off.", { cause: signal.reason }));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    this.#releases.push(() => signal.removeEventListener("abort", abort));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Gives a part of the request its own, shorter time. The work must end when the scope's signal aborts. */
  async within<T>(limitMs: number, missing: string, work: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    const cancel = this.#clock.setTimer(limitMs, () => this.fail(timedOut(missing, limitMs)));
    try {
      const result = await work();
      this.signal.throwIfAborted();
      return result;
    } catch (error) {
      // What a part says about being torn down is an echo of the reason.
      this.signal.throwIfAborted();
      throw error;
    } finally {
      cancel();
    }
  }

  /** Runs when the scope ends, however it ends. */
  onEnd(release: () => void): void {
    this.#releases.push(release);
  }

  fail(failure: OutboundFailure): void {
    this.#controller.abort(failure);
    this.end();
  }

  /** Releases timers and listeners. Harmless when repeated. */
  end(): void {
    for (const release of this.#releases.splice(0).reverse()) release();
  }
}

function timedOut(missing: string, limitMs: number): OutboundFailure {
  return new OutboundFailure("timed_out", `${missing} within ${limitMs / 1000} seconds.`);
}
