/**
 * Events for one listener, in order. What happens before it listens is kept for it. Delivery is always in a microtask of
 * its own, so that a listener may act on what it hears without meeting a half-finished step.
 */
export class EventQueue<Event> {
  readonly #reportError: (error: unknown) => void;
  readonly #waiting: Event[] = [];
  #listener: ((event: Event) => void) | null = null;
  #isScheduled = false;

  constructor(reportError: (error: unknown) => void) {
    this.#reportError = reportError;
  }

  emit(event: Event): void {
    this.#waiting.push(event);
    this.#schedule();
  }

  listen(listener: (event: Event) => void): void {
    this.#listener = listener;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#listener === null || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    this.#isScheduled = false;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      try {
        this.#listener?.(event);
      } catch (error) {
        this.#reportError(error);
      }
    }
  }
}
