import type { WorkPriority } from "@parley/threads/pool";
import type { RecognitionLoad } from "./recognizer-thread.ts";

const REMEMBERED_MS = 5_000;
/** This share of the requests waits less than what counts as late: callees who speak at the same moment are not a lack of recognizers. */
const USUAL = 0.9;

/** Measures what the recognizers do. Requests are told apart by their work, which is an object of its own each time. */
export class RecognizerMeter {
  readonly #nowMs: () => number;
  /** When requests that a callee waits for, or probably will, arrived; those that a process works on are no longer among them. */
  readonly #waitingSince = new Map<object, number>();
  /** When the work on a request began, or before that, when the request arrived. */
  readonly #begun = new WeakMap<object, { readonly atMs: number; readonly isWork: boolean }>();
  readonly #working = new Set<{ readonly speechMs: number; readonly startedMs: number }>();
  /** The waits of the last seconds. */
  #waits: { readonly endedMs: number; readonly waitedMs: number }[] = [];
  #requestedMs = 0;
  #speechMs = 0;
  #workMs = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A request has arrived. Returns the function to call when it was answered or given up. */
  request(work: object, speechMs: number, priority: WorkPriority): () => void {
    this.#requestedMs += speechMs;
    this.#begun.set(work, { atMs: this.#nowMs(), isWork: false });
    if (priority !== "background") this.#waitingSince.set(work, this.#nowMs());
    return () => this.#endWait(work);
  }

  /** A process starts to work on a request. Returns the function to call when it has finished, or was lost. */
  start(work: object, speechMs: number): () => void {
    this.#endWait(work);
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

  #endWait(work: object): void {
    const sinceMs = this.#waitingSince.get(work);
    this.#waitingSince.delete(work);
    if (sinceMs === undefined) return;
    const endedMs = this.#nowMs();
    this.#waits.push({ endedMs, waitedMs: endedMs - sinceMs });
  }

  read(): Omit<RecognitionLoad, "processes"> {
    const nowMs = this.#nowMs();
    this.#waits = this.#waits.filter(({ endedMs }) => endedMs > nowMs - REMEMBERED_MS);
    const waits = [
      ...this.#waits.map(({ waitedMs }) => waitedMs),
      ...[...this.#waitingSince.values()].map((sinceMs) => nowMs - sinceMs),
    ].sort((one, other) => one - other);
    const usualWaitMs = waits[Math.floor(USUAL * waits.length)] ?? 0;
    const overdue = [...this.#working].map(({ speechMs, startedMs }) => nowMs - startedMs - speechMs);
    return {
      lateMs: Math.max(usualWaitMs, ...overdue),
      requestedMs: this.#requestedMs,
      speechMs: this.#speechMs,
      workMs: this.#workMs,
    };
  }
}
