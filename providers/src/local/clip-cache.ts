import type { SpeechRequest, SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";

export interface ClipCacheOptions {
  /** What the clips may take together, in bytes of sound and text. A second of telephone sound is 16,000. */
  readonly bytesMax: number;
}

/** A clip that is being made. It goes on for as long as somebody waits for it. */
interface Flight {
  readonly clip: Promise<Int16Array>;
  readonly controller: AbortController;
  waiting: number;
}

/** A character of a key takes up to two bytes; the rest is what a map and an array cost beside their contents. */
const BYTES_PER_CHARACTER = 2;
const OVERHEAD_BYTES = 200;

/**
 * Clips that were spoken before, by voice, rate and text. When they become too many, those that were not asked for the
 * longest go first. A clip that several ask for at once is made once.
 */
export class ClipCache {
  readonly #synthesizer: SpeechSynthesizer;
  readonly #bytesMax: number;
  /** A map keeps the order of insertion, so the first entry is the one that was not asked for the longest. */
  readonly #clips = new Map<string, Int16Array>();
  readonly #flights = new Map<string, Flight>();
  #bytes = 0;

  constructor(synthesizer: SpeechSynthesizer, { bytesMax }: ClipCacheOptions) {
    this.#synthesizer = synthesizer;
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get clips(): number {
    return this.#clips.size;
  }

  /** Gives a copy, which is the caller's own. Rejects as the synthesizer does, and then nothing is remembered. */
  async clipOf(request: SpeechRequest): Promise<Int16Array> {
    request.signal?.throwIfAborted();
    const key = JSON.stringify([request.voiceId, request.sampleRateHz, request.text]);
    const known = this.#clips.get(key);
    if (known !== undefined) {
      this.#clips.delete(key);
      this.#clips.set(key, known);
      return known.slice();
    }
    const flight = this.#flights.get(key) ?? this.#takeOff(key, request);
    return (await this.#join(flight, request.signal)).slice();
  }

  /** Forgets every clip. Those being made are given to whoever waits for them. */
  clear(): void {
    this.#clips.clear();
    this.#bytes = 0;
  }

  #takeOff(key: string, { text, voiceId, sampleRateHz }: SpeechRequest): Flight {
    const controller = new AbortController();
    const making = renderClip(this.#synthesizer, { text, voiceId, sampleRateHz, signal: controller.signal });
    const flight: Flight = { controller, waiting: 0, clip: making };
    this.#flights.set(key, flight);
    making.then(
      (clip) => {
        this.#land(key, flight);
        this.#keep(key, clip);
      },
      () => this.#land(key, flight),
    );
    return flight;
  }

  /** Who leaves does not end it for the others; the last one to leave does, and whoever comes next starts anew. */
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

  #keep(key: string, clip: Int16Array): void {
    const bytes = bytesOf(key, clip);
    if (bytes > this.#bytesMax || this.#clips.has(key)) return;
    this.#clips.set(key, clip);
    this.#bytes += bytes;
    for (const [oldKey, oldClip] of this.#clips) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#clips.delete(oldKey);
      this.#bytes -= bytesOf(oldKey, oldClip);
    }
  }
}

function bytesOf(key: string, clip: Int16Array): number {
  return clip.byteLength + BYTES_PER_CHARACTER * key.length + OVERHEAD_BYTES;
}

/** Speaks a text to its end and gives all of it at once. */
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
