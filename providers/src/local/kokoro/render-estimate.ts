/** Speech is about this long: letters per second, and the silence that every clip is rendered with. */
const LETTERS_PER_SECOND = 15;
const SILENCE_SECONDS = 0.7;
/** Before anything was measured: a second of sound takes about two of one core that others use too. */
const FIRST_FACTOR = 2.5;
const LOADING_MS = 4_000;
/** How much the latest clip counts. */
const WEIGHT = 0.2;

/** How long rendering takes on this machine, learned from what it took. */
export class RenderEstimate {
  #factor = FIRST_FACTOR;

  /** How many seconds one second of sound takes. */
  get factor(): number {
    return this.#factor;
  }

  learn(text: string, tookMs: number): void {
    this.#factor += WEIGHT * (tookMs / 1000 / soundSeconds(text) - this.#factor);
  }

  forecastMs(texts: readonly string[], isLoaded: boolean): number {
    const seconds = texts.reduce((sum, text) => sum + soundSeconds(text), 0);
    return (isLoaded || texts.length === 0 ? 0 : LOADING_MS) + 1000 * seconds * this.#factor;
  }
}

function soundSeconds(text: string): number {
  return SILENCE_SECONDS + text.length / LETTERS_PER_SECOND;
}
