/** A place where rendered clips lie, by the names that `clipKey` makes. */
export interface ClipShelf {
  /** Whether it lies there, as far as is known. */
  has(key: string): boolean;
  /** A copy of it, or null when it is not there or cannot be read. */
  read(key: string): Promise<Int16Array | null>;
  /** Learns of what others put there meanwhile. */
  look(): Promise<void>;
}

/** Several places as one; the first that has a clip gives it. */
export function joinShelves(shelves: readonly ClipShelf[]): ClipShelf {
  return {
    has: (key) => shelves.some((shelf) => shelf.has(key)),
    async read(key) {
      for (const shelf of shelves) {
        const clip = shelf.has(key) ? await shelf.read(key) : null;
        if (clip !== null) return clip;
      }
      return null;
    },
    async look() {
      await Promise.all(shelves.map((shelf) => shelf.look()));
    },
  };
}
