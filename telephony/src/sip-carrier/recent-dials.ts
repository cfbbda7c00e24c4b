/** Remembers which dials were placed here, as many as fit: a dial placed again rings nobody. */
export class RecentDials {
  readonly #dialIds = new Set<string>();
  readonly #max: number;

  constructor(max = 100_000) {
    this.#max = max;
  }

  /** False when it was admitted before. */
  admit(dialId: string): boolean {
    if (this.#dialIds.has(dialId)) return false;
    this.#dialIds.add(dialId);
    if (this.#dialIds.size > this.#max) {
      const [oldest] = this.#dialIds;
      if (oldest !== undefined) this.#dialIds.delete(oldest);
    }
    return true;
  }

  /** Nothing was sent for it after all. */
  forget(dialId: string): void {
    this.#dialIds.delete(dialId);
  }
}
