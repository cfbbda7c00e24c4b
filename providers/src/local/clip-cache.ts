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
    // A request that is needed now must not wait behind one that is rendered ahead.
    const flightKey = request.isAhead ? `${key} ahead` : key;
    const flight = this.#flights.get(flightKey) ?? this.#takeOff(key, flightKey, request);
    return (await this.#join(flight, request.signal)).slice();
  }

  /** Forgets every clip. Callers still get those that are being rendered. */
  clear(): void {
    this.#clips.clear();
  }

  #takeOff(key: string, flightKey: string, { text, voiceId, sampleRateHz, isAhead = false }: SpeechRequest): Flight {
    const controller = new AbortController();
    const { signal } = controller;
    const making = renderClip(this.#synthesizer, { text, voiceId, sampleRateHz, isAhead, signal });
    const flight: Flight = { controller, waiting: 0, clip: making };
    this.#flights.set(flightKey, flight);
    making.then(
      (clip) => {
        this.#land(flightKey, flight);
        this.#clips.set(key, clip);
      },
      () => this.#land(flightKey, flight),
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

/**
 * Wraps a synthesizer so that a clause it has rendered before comes from a cache. Only for voices that return a clause in one
 * piece and report no word times.
 */
export function rememberClips(synthesizer: SpeechSynthesizer, options: ClipCacheOptions): SpeechSynthesizer {
  const cache = new ClipCache(synthesizer, options);
  return {
    name: synthesizer.name,
    voices: synthesizer.voices,
    async *speak(request) {
      const clip = await cache.clipOf(request);
      if (clip.length > 0) yield clip;
    },
    close: () => synthesizer.close(),
  };
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
