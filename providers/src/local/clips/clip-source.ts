/** A source of rendered clips, by key. */
export interface ClipSource {
  /** Whether it has the clip, as of the last refresh. */
  has(key: string): boolean;
  /** A copy of the clip, or null when it is missing or cannot be read. */
  read(key: string): Promise<Int16Array | null>;
  /** Finds clips that other threads and processes have added. */
  refresh(): Promise<void>;
}

/** Several sources as one. A clip is read from the first source that has it. */
export function joinClipSources(sources: readonly ClipSource[]): ClipSource {
  return {
    has: (key) => sources.some((source) => source.has(key)),
    async read(key) {
      for (const source of sources) {
        const clip = source.has(key) ? await source.read(key) : null;
        if (clip !== null) return clip;
      }
      return null;
    },
    async refresh() {
      await Promise.all(sources.map((source) => source.refresh()));
    },
  };
}
