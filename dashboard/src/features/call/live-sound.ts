import { placePiece } from "./place-piece.ts";

/** How loud each side of a piece was, from 0 to 1. */
export interface Levels {
  readonly callee: number;
  readonly agent: number;
}

const FULL_SCALE = 32_768;
const CHANNELS = 2;

/** Plays the sound of a live call as it comes: 16-bit stereo, both sides mixed so that one ear hears the whole call. */
export class LiveSound {
  readonly #context = new AudioContext();
  readonly #volume = new GainNode(this.#context);
  readonly #rateHz: number;
  #untilS = 0;

  constructor(rateHz: number) {
    this.#rateHz = rateHz;
    this.#volume.connect(this.#context.destination);
    // A browser may hold it back until somebody clicks; whoever listens in just did.
    void this.#context.resume();
  }

  push(bytes: ArrayBuffer): Levels {
    const samples = new Int16Array(bytes, 0, Math.floor(bytes.byteLength / 2));
    const count = Math.floor(samples.length / CHANNELS);
    const mixed = new Float32Array(count);
    const peaks = { callee: 0, agent: 0 };
    for (let index = 0; index < count; index += 1) {
      const callee = (samples[index * CHANNELS] ?? 0) / FULL_SCALE;
      const agent = (samples[index * CHANNELS + 1] ?? 0) / FULL_SCALE;
      mixed[index] = Math.max(-1, Math.min(1, callee + agent));
      peaks.callee = Math.max(peaks.callee, Math.abs(callee));
      peaks.agent = Math.max(peaks.agent, Math.abs(agent));
    }
    if (count > 0) this.#play(mixed);
    return peaks;
  }

  #play(mixed: Float32Array<ArrayBuffer>): void {
    const startS = placePiece(this.#untilS, this.#context.currentTime);
    if (startS === null) return;
    const buffer = this.#context.createBuffer(1, mixed.length, this.#rateHz);
    buffer.copyToChannel(mixed, 0);
    const source = new AudioBufferSourceNode(this.#context, { buffer });
    source.connect(this.#volume);
    source.start(startS);
    this.#untilS = startS + buffer.duration;
  }

  /** What goes on meanwhile is not heard later. */
  mute(isMuted: boolean): void {
    this.#volume.gain.value = isMuted ? 0 : 1;
  }

  close(): void {
    void this.#context.close();
  }
}
