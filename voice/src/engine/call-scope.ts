/** Everything that one call has taken hold of. It is given back in reverse order, all of it, also when one fails. */
export class CallScope {
  readonly #releases: (() => void)[] = [];
  readonly #onFailure: (error: unknown) => void;
  #isClosed = false;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Keeps the release of something until the call is over; runs it at once when it is over already. */
  hold(release: () => void): void {
    if (this.#isClosed) this.#run(release);
    else this.#releases.push(release);
  }

  close(): void {
    this.#isClosed = true;
    for (let release = this.#releases.pop(); release !== undefined; release = this.#releases.pop()) this.#run(release);
  }

  #run(release: () => void): void {
    try {
      release();
    } catch (error) {
      this.#onFailure(error);
    }
  }
}
