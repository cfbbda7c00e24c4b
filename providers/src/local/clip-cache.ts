import type { SpeechRequest, SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { LRUCache } from "lru-cache";

export interface ClipCacheOptions {
  /** What the clips may take together, in bytes of audio and text. A second of telephone audio is 16,000. */
  readonly bytesMax: number;
}

/** A clip that is being rendered, for as long as a caller waits for it. */
interface Flight {
  readonly clip: Promise<Int16Array>;
  readonly controller: AbortController;
  waiting: number;
}

/** A character of a key takes up to two bytes; the rest is what a map and an array cost beside their contents. */
const BYTES_PER_CHARACTER = 2;
const OVERHEAD_BYTES = 200;

/** Clips that were rendered before, by voice, rate and text. A clip that several callers request at once is rendered once. */
export class ClipCache {
  readonly #synthesizer: SpeechSynthesizer;
  readonly #clips: LRUCache<string, Int16Array>;
  readonly #flights = new Map<string, Flight>();

  constructor(synthesizer: SpeechSynthesizer, { bytesMax }: ClipCacheOptions) {
    this.#synthesizer = synthesizer;
    this.#clips = new LRUCache({ maxSize: bytesMax, sizeCalculation: bytesOf });
  }

  get bytes(): number {
    return this.#clips.calculatedSize;
  }

  get clips(): number {
    return this.#clips.size;
  }

  /** Returns a copy. Rejects as the synthesizer does, and then nothing is cached. */
  async clipOf(request: SpeechRequest): Promise<Int16Array> {
    request.signal?.throwIfAborted();
    const key = JSON.stringify([request.voiceId, request.sampleRateHz, request.text]);
    const known = this.#clips.get(key);
    if (known !== undefined) return known.slice();
    const flight = this.#flights.get(key) ?? this.#takeOff(key, request);
    return (await this.#join(flight, request.signal)).slice();
  }

  /** Forgets every clip. Callers still get those that are being rendered. */
  clear(): void {
    this.#clips.clear();
  }

  #takeOff(key: string, { text, voiceId, sampleRateHz }: SpeechRequest): Flight {
    const controller = new AbortController();
    const making = renderClip(this.#synthesizer, { text, voiceId, sampleRateHz, signal: controller.signal });
    const flight: Flight = { controller, waiting: 0, clip: making };
    this.#flights.set(key, flight);
    making.then(
      (clip) => {
        this.#land(key, flight);
        this.#clips.set(key, clip);
      },
      () => this.#land(key, flight),
    );
    return flight;
  }

  /**
   * A caller who leaves does not end it for the others; the last one to leave does, and the next caller starts again.
   */
  async #join(flight: Flight, signal: AbortSignal | undefined): Promise<Int16Array> {
    flight.waiting += 1;
    if (signal === undefined) return flight.clip;
    const left = Promise.withResolvers<never>();
    const onAbort = () => {
      left.reject(signal.reason);
      flight.waiting -= 1;
      if (flight.waiting > 0) return;
      for (const [key, each] of this.#flights) if (each === flight) this.#flights.delete(key);
      flight.controller.abort(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([flight.clip, left.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #land(key: string, flight: Flight): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}

function bytesOf(clip: Int16Array, key: string): number {
  return clip.byteLength + BYTES_PER_CHARACTER * key.length + OVERHEAD_BYTES;
}

/** Speaks a text to its end and returns all of it at once. */
export async function renderClip(synthesizer: SpeechSynthesizer, request: SpeechRequest): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  let count = 0;
  for await (const piece of synthesizer.speak(request)) {
    pieces.push(piece);
    count += piece.length;
  }
  const clip = new Int16Array(count);
  let at = 0;
  for (const piece of pieces) {
    clip.set(piece, at);
    at += piece.length;
  }
  return clip;
}
