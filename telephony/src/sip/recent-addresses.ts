/** More machines than any operator's trunks have; names may come to mean others over the months. */
const ADDRESSES_MAX = 1_000;

/** The addresses that were noted last, so many and no more. */
export class RecentAddresses {
  readonly #addresses = new Set<string>();

  note(address: string): void {
    this.#addresses.delete(address);
    this.#addresses.add(address);
    const [oldest] = this.#addresses;
    if (this.#addresses.size > ADDRESSES_MAX && oldest !== undefined) this.#addresses.delete(oldest);
  }

  has(address: string): boolean {
    return this.#addresses.has(address);
  }
}
