import { createRateConverter, type RateConverter } from "@parley/audio/rate-converter";

/** Why audio cannot be used, as a clause after the name of its sender. */
export class UnusableAudioError extends Error {
  override readonly name = "UnusableAudioError";
}

const HEADER_BYTES_MAX = 64 * 1024;
const PCM_FORMAT = 1;
const EXTENSIBLE_FORMAT = 0xfffe;
/** Servers that stream a file before they know its length write 0 or something this large. */
const KNOWN_SIZE_MAX = 0x7fff_0000;

interface WavFormat {
  readonly sampleRateHz: number;
  readonly channels: number;
}

/**
 * Turns 16-bit audio that arrives in pieces into samples of one channel at the rate that is wanted. A WAV header is recognized and says
 * the format; without one, it is PCM of the given rate. Pieces may be split anywhere, within a sample too.
 */
export class PcmStream {
  readonly #toHz: number;
  readonly #rawRateHz: number;
  #waiting: Uint8Array = new Uint8Array(0);
  #converter: RateConverter | null = null;
  #channels = 1;
  #bytesLeft = Number.POSITIVE_INFINITY;

  constructor({ rawRateHz, toHz }: { readonly rawRateHz: number; readonly toHz: number }) {
    this.#rawRateHz = rawRateHz;
    this.#toHz = toHz;
  }

  take(piece: Uint8Array): Int16Array {
    this.#waiting = joined(this.#waiting, piece);
    if (this.#converter === null && !this.#readHeader(false)) return new Int16Array(0);
    return this.#convert();
  }

  /** The rest, when there are no more bytes. */
  finish(): Int16Array {
    if (this.#converter === null) this.#readHeader(true);
    const last = this.#convert();
    const rest = this.#converter?.flush() ?? new Int16Array(0);
    const samples = new Int16Array(last.length + rest.length);
    samples.set(last);
    samples.set(rest, last.length);
    return samples;
  }

  /** False while there is too little to tell. */
  #readHeader(isLast: boolean): boolean {
    const bytes = this.#waiting;
    if (bytes.length < 12 && !isLast) return false;
    if (nameAt(bytes, 0) !== "RIFF" || nameAt(bytes, 8) !== "WAVE") {
      this.#converter = createRateConverter(this.#rawRateHz, this.#toHz);
      return true;
    }
    let format: WavFormat | null = null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 12; at + 8 <= bytes.length; ) {
      const size = view.getUint32(at + 4, true);
      const name = nameAt(bytes, at);
      if (name === "data") {
        if (format === null) throw new UnusableAudioError("sent a WAV file that does not say its format");
        if (size > 0 && size < KNOWN_SIZE_MAX) this.#bytesLeft = size;
        this.#channels = format.channels;
        this.#converter = createRateConverter(format.sampleRateHz, this.#toHz);
        this.#waiting = bytes.slice(at + 8);
        return true;
      }
      if (name === "fmt " && at + 24 <= bytes.length) format = readFormat(view, at + 8, size);
      at += 8 + size + (size % 2);
    }
    if (isLast || bytes.length > HEADER_BYTES_MAX) throw new UnusableAudioError("sent a WAV file without audio");
    return false;
  }

  #convert(): Int16Array {
    if (this.#converter === null) return new Int16Array(0);
    const frameBytes = 2 * this.#channels;
    const usable = Math.min(this.#waiting.length, this.#bytesLeft);
    const frames = Math.floor(usable / frameBytes);
    const view = new DataView(this.#waiting.buffer, this.#waiting.byteOffset, this.#waiting.byteLength);
    const samples = new Int16Array(frames);
    for (let index = 0; index < frames; index++) {
      let sum = 0;
      for (let channel = 0; channel < this.#channels; channel++) {
        sum += view.getInt16(index * frameBytes + 2 * channel, true);
      }
      samples[index] = Math.round(sum / this.#channels);
    }
    this.#bytesLeft -= frames * frameBytes;
    this.#waiting = this.#waiting.slice(frames * frameBytes);
    return this.#converter.process(samples);
  }
}

function readFormat(view: DataView, at: number, size: number): WavFormat {
  const named = view.getUint16(at, true);
  const isExtended = named === EXTENSIBLE_FORMAT && size >= 26 && at + 26 <= view.byteLength;
  const format = isExtended ? view.getUint16(at + 24, true) : named;
  const channels = view.getUint16(at + 2, true);
  const sampleRateHz = view.getUint32(at + 4, true);
  const bits = view.getUint16(at + 14, true);
  if (format !== PCM_FORMAT || bits !== 16 || channels < 1 || channels > 2) {
    throw new UnusableAudioError(`sent a WAV file with format ${format}, ${bits} bits and ${channels} channels`);
  }
  if (sampleRateHz < 4_000 || sampleRateHz > 192_000) {
    throw new UnusableAudioError(`sent a WAV file with a rate of ${sampleRateHz} Hz`);
  }
  return { sampleRateHz, channels };
}

function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(before.length + after.length);
  bytes.set(before);
  bytes.set(after, before.length);
  return bytes;
}
