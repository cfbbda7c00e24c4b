import {
  bytesPerFrame,
  DATA_SIZE_OFFSET,
  RIFF_SIZE_OFFSET,
  WAV_HEADER_BYTES,
  type WavShape,
  wavHeader,
} from "./wav-header.ts";

/** Where a recording goes. The bytes are the writer's own and change after the call: a sink that keeps them copies them. */
export interface WavSink {
  append(bytes: Uint8Array): void;
  /** Overwrites what was appended before. */
  patch(offset: number, bytes: Uint8Array): void;
}

export interface WavWriterSettings extends WavShape {
  /** How much is buffered before it is appended and the header updated; what a crash can cost, in samples. */
  patchEverySamples?: number;
}

const DEFAULT_PATCH_SECONDS = 1;

/**
 * Writes a recording as it grows. The header is patched after its samples were appended, so that a truncated file plays
 * up to the last patch.
 */
export class WavWriter {
  readonly #sink: WavSink;
  readonly #channels: 1 | 2;
  readonly #frameBytes: number;
  readonly #pending: Uint8Array;
  readonly #size = new Uint8Array(4);
  #pendingBytes = 0;
  #appendedBytes = 0;
  #isClosed = false;

  constructor(sink: WavSink, { sampleRateHz, channels, patchEverySamples }: WavWriterSettings) {
    this.#sink = sink;
    this.#channels = channels;
    this.#frameBytes = bytesPerFrame({ channels });
    const gathered = patchEverySamples ?? sampleRateHz * DEFAULT_PATCH_SECONDS;
    this.#pending = new Uint8Array(Math.max(1, Math.floor(gathered)) * this.#frameBytes);
    sink.append(wavHeader({ sampleRateHz, channels }, 0));
  }

  /** Samples per channel so far. */
  get samples(): number {
    return (this.#appendedBytes + this.#pendingBytes) / this.#frameBytes;
  }

  /** Adds the same duration to every channel: one piece for mono, two of equal length for stereo. */
  write(first: Int16Array, second?: Int16Array): void {
    if (this.#isClosed) throw new Error("the recording is closed");
    if ((second === undefined) !== (this.#channels === 1) || (second && second.length !== first.length)) {
      throw new RangeError(`a recording of ${this.#channels} channels needs as many pieces of one length`);
    }
    const pending = this.#pending;
    for (let index = 0; index < first.length; index++) {
      this.#put(first[index] as number);
      if (second) this.#put(second[index] as number);
      if (this.#pendingBytes === pending.length) this.flush();
    }
  }

  /** Appends what was buffered and updates the header. */
  flush(): void {
    if (this.#pendingBytes === 0) return;
    this.#sink.append(this.#pending.subarray(0, this.#pendingBytes));
    this.#appendedBytes += this.#pendingBytes;
    this.#pendingBytes = 0;
    this.#patchSize(DATA_SIZE_OFFSET, this.#appendedBytes);
    this.#patchSize(RIFF_SIZE_OFFSET, this.#appendedBytes + WAV_HEADER_BYTES - 8);
  }

  /** Writes the rest. Closing again is harmless. */
  close(): void {
    this.flush();
    this.#isClosed = true;
  }

  #put(sample: number): void {
    this.#pending[this.#pendingBytes] = sample & 0xff;
    this.#pending[this.#pendingBytes + 1] = (sample >> 8) & 0xff;
    this.#pendingBytes += 2;
  }

  #patchSize(offset: number, size: number): void {
    new DataView(this.#size.buffer).setUint32(0, Math.min(size, 0xffff_ffff), true);
    this.#sink.patch(offset, this.#size);
  }
}
