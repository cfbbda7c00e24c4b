import type { RecognitionLoad } from "./recognizer-thread.ts";

/** Measures what the recognizers do. Requests are told apart by their work, which is an object of its own each time. */
export class RecognizerMeter {
  readonly #nowMs: () => number;
  /** When requests that a callee waits for arrived; those that a process works on are no longer among them. */
  readonly #waitingSince = new Map<object, number>();
  /** When the work on a request began, or before that, when the request arrived. */
  readonly #begun = new WeakMap<object, { readonly atMs: number; readonly isWork: boolean }>();
  readonly #working = new Set<{ readonly speechMs: number; readonly startedMs: number }>();
  #requestedMs = 0;
  #speechMs = 0;
  #workMs = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A request has arrived. Returns the function to call when it was answered or given up. */
  request(work: object, speechMs: number, isUrgent: boolean): () => void {
    this.#requestedMs += speechMs;
    this.#begun.set(work, { atMs: this.#nowMs(), isWork: false });
    if (isUrgent) this.#waitingSince.set(work, this.#nowMs());
    return () => this.#waitingSince.delete(work);
  }

  /** A process starts to work on a request. Returns the function to call when it has finished, or was lost. */
  start(work: object, speechMs: number): () => void {
    this.#waitingSince.delete(work);
    // A request that was lost with its process is worked on again.
    if (this.#begun.get(work)?.isWork !== true) this.#begun.set(work, { atMs: this.#nowMs(), isWork: true });
    const started = { speechMs, startedMs: this.#nowMs() };
    this.#working.add(started);
    return () => {
      this.#working.delete(started);
      this.#speechMs += speechMs;
      this.#workMs += this.#nowMs() - started.startedMs;
    };
  }

  /** How long a request has been worked on, without the time in which it waited for a process. */
  workMsOf(work: object): number {
    return this.#nowMs() - (this.#begun.get(work)?.atMs ?? this.#nowMs());
  }

  read(): Omit<RecognitionLoad, "processes"> {
    const nowMs = this.#nowMs();
    const waits = [...this.#waitingSince.values()].map((sinceMs) => nowMs - sinceMs);
    const overdue = [...this.#working].map(({ speechMs, startedMs }) => nowMs - startedMs - speechMs);
    return {
      lateMs: Math.max(0, ...waits, ...overdue),
      requestedMs: this.#requestedMs,
      speechMs: this.#speechMs,
      workMs: this.#workMs,
    };
  }
}
