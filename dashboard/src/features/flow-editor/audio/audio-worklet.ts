// Runs in the audio thread of the browser, without access to the page.
import { RateChanger } from "./rate-changer.ts";

interface Port {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
}
declare const AudioWorkletProcessor: new () => { readonly port: Port };
declare const registerProcessor: (name: string, processor: unknown) => void;

const PIECES_PER_SECOND = 25;

/** Delivers microphone audio as 16-bit samples at the target rate, 40 ms at a time, each chunk with its peak. */
class MicrophoneTap extends AudioWorkletProcessor {
  readonly #changer: RateChanger;
  readonly #piece: Int16Array<ArrayBuffer>;
  #filled = 0;

  constructor({ processorOptions: { fromHz, toHz } }: { processorOptions: { fromHz: number; toHz: number } }) {
    super();
    this.#changer = new RateChanger(fromHz, toHz);
    this.#piece = new Int16Array(toHz / PIECES_PER_SECOND);
  }

  process([input]: readonly (readonly Float32Array[])[]): boolean {
    const samples = input?.[0];
    if (!samples) return true;
    for (const sample of this.#changer.change(samples)) {
      this.#piece[this.#filled] = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
      this.#filled += 1;
      if (this.#filled === this.#piece.length) this.#send();
    }
    return true;
  }

  #send(): void {
    const samples = this.#piece.slice();
    let peak = 0;
    for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
    this.port.postMessage({ samples: samples.buffer, peak: peak / 32_767 }, [samples.buffer]);
    this.#filled = 0;
  }
}

/** The buffer before playback starts: it hides jitter, and is the delay of playback. */
const LEAD_SECONDS = 0.06;

/** Plays 16-bit samples as they arrive, and silence while there are none. */
class Loudspeaker extends AudioWorkletProcessor {
  readonly #leadSamples: number;
  #queue: Int16Array[] = [];
  #offset = 0;
  #waiting = 0;
  #isPlaying = false;

  constructor({ processorOptions: { rateHz } }: { processorOptions: { rateHz: number } }) {
    super();
    this.#leadSamples = Math.round(rateHz * LEAD_SECONDS);
    this.port.onmessage = ({ data }) => {
      const samples = new Int16Array(data as ArrayBuffer);
      this.#queue.push(samples);
      this.#waiting += samples.length;
    };
  }

  process(_inputs: unknown, [output]: readonly (readonly Float32Array[])[]): boolean {
    const [left, ...others] = output ?? [];
    if (!left) return true;
    this.#isPlaying ||= this.#waiting >= this.#leadSamples;
    for (let index = 0; index < left.length; index += 1) left[index] = this.#isPlaying ? this.#next() : 0;
    for (const other of others) other.set(left);
    return true;
  }

  #next(): number {
    const piece = this.#queue[0];
    if (!piece) {
      this.#isPlaying = false;
      return 0;
    }
    const sample = (piece[this.#offset] ?? 0) / 32_768;
    this.#offset += 1;
    this.#waiting -= 1;
    if (this.#offset >= piece.length) {
      this.#queue.shift();
      this.#offset = 0;
    }
    return sample;
  }
}

registerProcessor("microphone-tap", MicrophoneTap);
registerProcessor("loudspeaker", Loudspeaker);
