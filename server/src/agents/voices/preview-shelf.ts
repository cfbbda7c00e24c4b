import { AppError } from "@parley/contract/errors";
import type { Timers } from "@parley/time/clock";
import { within } from "@parley/time/within";

export interface PreviewShelfParts {
  readonly clock: Timers;
  /** How long somebody waits for a voice. */
  readonly waitMs: number;
  /** For the previews that were heard last. */
  readonly bytesMax: number;
}

/**
 * Keeps what was spoken, and what is being spoken: whoever wants to hear the same waits for the same, and a voice that takes
 * longer than somebody waits is ready when it is asked for again.
 */
export class PreviewShelf {
  readonly #parts: PreviewShelfParts;
  readonly #speaking = new Map<string, Promise<Buffer>>();
  readonly #spoken = new Map<string, Buffer>();
  #bytes = 0;

  constructor(parts: PreviewShelfParts) {
    this.#parts = parts;
  }

  /** Throws `unavailable` when it takes too long; the speaking goes on. */
  async take(key: string, speak: () => Promise<Buffer>): Promise<Buffer> {
    const known = this.#spoken.get(key);
    if (known !== undefined) return known;
    const { clock, waitMs } = this.#parts;
    return within(clock, waitMs, this.#join(key, speak), () => {
      throw notYet();
    });
  }

  #join(key: string, speak: () => Promise<Buffer>): Promise<Buffer> {
    const speaking = this.#speaking.get(key);
    if (speaking !== undefined) return speaking;
    const begun = speak().then((wav) => {
      this.#keep(key, wav);
      return wav;
    });
    this.#speaking.set(key, begun);
    const forget = () => this.#speaking.delete(key);
    // Whoever waited has heard of the failure; nobody may be waiting any more.
    begun.then(forget, forget);
    return begun;
  }

  #keep(key: string, wav: Buffer): void {
    this.#spoken.set(key, wav);
    this.#bytes += wav.length;
    for (const [oldest, { length }] of this.#spoken) {
      if (this.#bytes <= this.#parts.bytesMax) return;
      this.#spoken.delete(oldest);
      this.#bytes -= length;
    }
  }
}

function notYet(): AppError {
  return new AppError("unavailable", "The voice is still being rendered; ask again in a few seconds.", {
    retryAfterSeconds: 5,
  });
}
