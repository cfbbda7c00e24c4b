/** Vectors of phrases that come again and again. What was not asked for longest is forgotten first. */
export class KnownVectors {
  readonly #sizeMax: number;
  readonly #vectors = new Map<string, Float32Array>();

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get(phrase: string): Float32Array | undefined {
    const vector = this.#vectors.get(phrase);
    if (vector === undefined) return undefined;
    this.#vectors.delete(phrase);
    this.#vectors.set(phrase, vector);
    return vector;
  }

  has(phrase: string): boolean {
    return this.#vectors.has(phrase);
  }

  set(phrase: string, vector: Float32Array): void {
    this.#vectors.delete(phrase);
    this.#vectors.set(phrase, vector);
    for (const oldest of this.#vectors.keys()) {
      if (this.#vectors.size <= this.#sizeMax) break;
      this.#vectors.delete(oldest);
    }
  }
}
