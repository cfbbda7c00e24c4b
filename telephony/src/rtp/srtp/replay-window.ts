/** RFC 3711 section 3.3.2 requires at least 64; a reordering network with 10 ms packets is better served by more. */
const WINDOW = 128;

/** Packet indices already received. One below the window is rejected, because it can no longer be checked. */
export class ReplayWindow {
  readonly #seen = new Float64Array(WINDOW).fill(-1);
  #highest = -1;

  isNew(index: number): boolean {
    return index > this.#highest - WINDOW && this.#seen[index % WINDOW] !== index;
  }

  /** Only once the packet has proved genuine. */
  add(index: number): void {
    this.#seen[index % WINDOW] = index;
    if (index > this.#highest) this.#highest = index;
  }
}
