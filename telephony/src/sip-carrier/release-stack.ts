import type { Clock } from "@parley/time/clock";
import { waitFor } from "@parley/time/within";

/** Each release is given so long; one that hangs does not keep the others. */
const RELEASE_MAX_MS = 2_500;

/** What was acquired, given back in reverse order and once. */
export class ReleaseStack {
  readonly #clock: Clock;
  readonly #reportError: (error: unknown) => void;
  readonly #releases: (() => void | Promise<void>)[] = [];
  #running: Promise<void> | null = null;

  constructor(clock: Clock, reportError: (error: unknown) => void) {
    this.#clock = clock;
    this.#reportError = reportError;
  }

  /** What is acquired after everything was given back goes back at once. */
  add(release: () => void | Promise<void>): void {
    this.#releases.push(release);
    if (this.#running !== null) this.#running = this.#running.then(() => this.#runAll());
  }

  /** Resolves when everything is given back, or had its time. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    for (let release = this.#releases.pop(); release !== undefined; release = this.#releases.pop()) {
      try {
        const released = release();
        if (released !== undefined) await waitFor(this.#clock, RELEASE_MAX_MS, released);
      } catch (error) {
        this.#reportError(error);
      }
    }
  }
}
