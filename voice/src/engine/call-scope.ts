/** Releases all resources of one call in reverse order, even if one release fails. */
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

  /** Stores a release function until the end of the call; runs it immediately if the call has already ended. */
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
