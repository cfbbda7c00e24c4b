import type { LegEvent } from "./carrier.ts";

export type ListenerErrorReporter = (error: unknown, dialId: string) => void;

interface Listening {
  readonly listener: (event: LegEvent) => void;
}

/**
 * The guarantees of every leg to its listeners: events in order, the ones before the first listener kept
 * for it, nothing after `ended`, and no listener able to harm another or the leg.
 *
 * Delivery always happens in its own microtask. A listener may therefore hang up, listen again or stop listening
 * while an event is being delivered, and all listeners still see the same order.
 */
export class LegEvents {
  readonly #dialId: string;
  readonly #reportListenerError: ListenerErrorReporter;
  readonly #listening = new Set<Listening>();
  readonly #undelivered: LegEvent[] = [];
  #hasBeenListenedTo = false;
  #deliveryIsDue = false;
  #hasEnded = false;

  constructor(dialId: string, reportListenerError: ListenerErrorReporter = warnOfListenerError) {
    this.#dialId = dialId;
    this.#reportListenerError = reportListenerError;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  emit(event: LegEvent): void {
    if (this.#hasEnded) return;
    if (event.type === "ended") this.#hasEnded = true;
    this.#undelivered.push(event);
    this.#deliverSoon();
  }

  onEvent(listener: (event: LegEvent) => void): () => void {
    const listening = { listener };
    this.#listening.add(listening);
    this.#hasBeenListenedTo = true;
    this.#deliverSoon();
    return () => {
      this.#listening.delete(listening);
    };
  }

  #deliverSoon(): void {
    if (this.#deliveryIsDue || !this.#hasBeenListenedTo || this.#undelivered.length === 0) return;
    this.#deliveryIsDue = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    for (let event = this.#undelivered.shift(); event !== undefined; event = this.#undelivered.shift()) {
      for (const listening of [...this.#listening]) {
        if (this.#listening.has(listening)) this.#call(listening, event);
      }
    }
    this.#deliveryIsDue = false;
  }

  #call(listening: Listening, event: LegEvent): void {
    try {
      listening.listener(event);
    } catch (error) {
      this.#reportListenerError(error, this.#dialId);
    }
  }
}

function warnOfListenerError(error: unknown, dialId: string): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.emitWarning("A listener of a call leg threw.", {
    type: "LegListenerWarning",
    detail: `${dialId}: ${detail}`,
  });
}
