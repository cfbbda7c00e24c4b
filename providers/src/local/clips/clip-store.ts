/** A store of rendered clips, by key. */
export interface ClipStore {
  /** Whether it has the clip, as of the last refresh. */
  has(key: string): boolean;
  /** A copy of the clip, or null when it is missing or cannot be read. */
  read(key: string): Promise<Int16Array | null>;
  /** Finds clips that other threads and processes have added. */
  refresh(): Promise<void>;
}

/** Several stores as one. A clip is read from the first store that has it. */
export function joinClipStores(stores: readonly ClipStore[]): ClipStore {
  return {
    has: (key) => stores.some((store) => store.has(key)),
    async read(key) {
      for (const store of stores) {
        const clip = store.has(key) ? await store.read(key) : null;
        if (clip !== null) return clip;
      }
      return null;
    },
    async refresh() {
      await Promise.all(stores.map((store) => store.refresh()));
    },
  };
}
