import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openModel } from "../../weights/open-model.ts";
import type { WeightFile } from "../../weights/weight-file.ts";
import { FourierPlan } from "./fourier-plan.ts";
import type { SpeechFeatures } from "./speech-features.ts";

/**
 * A small network of our own in place of Kokoro's generator; tools/train-vocoder/ describes its training. For each
 * frame it computes a filter on the spectrum of a harmonic source and one on the spectrum of noise, over 50 ms, in bins
 * of 20 Hz. At 8 kHz only the lower half of the bins is used.
 */
export type DecoderRateHz = 8_000 | 16_000;

export const DECODER_WEIGHTS: WeightFile = {
  packageName: "@parley/providers",
  path: "src/local/kokoro/live/telephone-decoder.onnx",
  sha256: "59df764b08e30d7330b4a97fe7cfe548a8ac7c860144ea5b8d8418e7cd957d24",
};

const FRAMES_PER_SECOND = 80;
const FEATURES = 512;
const BINS_MAX = 401;
const BINS_SEEN = 201;
const SIDE = 4 * BINS_SEEN + 2;
const VOICED_MIN_HZ = 10;
const PITCH_MIN_HZ = 40;
/** Windows overlap to four times their length; their squares then add up to this. */
const WINDOW_GAIN = 1.5;
const LOG_GAIN_MAX = 5;
/** The narrow band ends softly over its last bins, as that of a resampling filter does. */
const TAPER_BINS = 16;
/** A frame's filter depends on this many frames to either side: three for each of eight layers, and one for the first. */
const CONTEXT = 25;
/** The first chunk is short, so that audio begins soon; longer ones repeat less context. */
const CHUNK_FRAMES: readonly number[] = [24, 80, 160];

/** The frames that are decoded: those before and after hold only silence. */
export interface FrameRange {
  readonly from: number;
  readonly until: number;
}

export class TelephoneDecoder {
  readonly #network: InferenceSession;

  private constructor(network: InferenceSession) {
    this.#network = network;
  }

  static async open(): Promise<TelephoneDecoder> {
    return new TelephoneDecoder(await openModel(DECODER_WEIGHTS));
  }

  /**
   * Audio between -1 and 1, in chunks. Of the same features, joined chunks equal a single run. The first chunk of a long text has estimated features,
   * which differ from those of the next: bench/src/voice measures that border.
   */
  async *decode(
    speech: SpeechFeatures,
    rateHz: DecoderRateHz,
    range: FrameRange = { from: 0, until: speech.frames },
    chunkFrames: readonly number[] = CHUNK_FRAMES,
  ): AsyncGenerator<Float32Array> {
    const synthesis = new Synthesis(speech, rateHz);
    for (let { from } = range, chunk = 0; from < range.until; chunk++) {
      const size = chunkFrames[Math.min(chunk, chunkFrames.length - 1)] as number;
      const until = Math.min(range.until, from + size);
      const filters = await this.#filters(speech, synthesis, from, until);
      yield synthesis.add(filters, from, until, until === range.until);
      from = until;
    }
  }

  async close(): Promise<void> {
    await this.#network.release();
  }

  async #filters(speech: SpeechFeatures, synthesis: Synthesis, from: number, until: number): Promise<Float32Array> {
    const { frames, features, style } = speech;
    const first = Math.max(0, from - CONTEXT);
    const end = Math.min(frames, until + CONTEXT);
    await speech.fill(end);
    const count = end - first;
    const part = new Float32Array(FEATURES * count);
    for (let row = 0; row < FEATURES; row++)
      part.set(features.subarray(row * frames + first, row * frames + end), row * count);
    const { filters } = await this.#network.run({
      features: new Tensor("float32", part, [1, FEATURES, count]),
      side: new Tensor("float32", synthesis.side(first, end), [1, count, SIDE]),
      style: new Tensor("float32", style, [1, style.length]),
    });
    if (!(filters?.data instanceof Float32Array)) throw new Error("the decoder gave nothing");
    const width = 4 * BINS_MAX;
    return filters.data.subarray((from - first) * width, (until - first) * width);
  }
}

/** The sources of one text, their spectra, and the audio that the filtered spectra add up to. */
class Synthesis {
  readonly #pitchHz: Float32Array;
  readonly #rateHz: DecoderRateHz;
  readonly #hop: number;
  readonly #bins: number;
  readonly #plan: FourierPlan;
  readonly #window: Float64Array;
  readonly #harmonic: Float64Array;
  readonly #noise: Float64Array;
  /** Per frame: real and imaginary parts of the harmonic spectrum, then of the noise. */
  readonly #spectra: (Float64Array | undefined)[];
  /** Contributions of previous frames to samples that are not complete yet. */
  readonly #tail: Float64Array;
  /** Windows extend beyond their frames, so the first samples precede the text. */
  #early: number;
  readonly #scratch: readonly [Float64Array, Float64Array, Float64Array, Float64Array];

  constructor({ pitchHz, frames }: SpeechFeatures, rateHz: DecoderRateHz) {
    this.#pitchHz = pitchHz;
    this.#rateHz = rateHz;
    this.#hop = rateHz / FRAMES_PER_SECOND;
    const size = 4 * this.#hop;
    this.#bins = size / 2 + 1;
    this.#plan = new FourierPlan(size);
    this.#window = Float64Array.from({ length: size }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / size));
    this.#harmonic = harmonicSource(pitchHz, rateHz);
    this.#noise = whiteNoise(frames * this.#hop, Math.sqrt(rateHz / 16_000));
    this.#spectra = new Array(frames);
    this.#tail = new Float64Array(size);
    this.#early = (size - this.#hop) / 2;
    const array = () => new Float64Array(size);
    this.#scratch = [array(), array(), array(), array()];
  }

  /** What the network sees of the sources. */
  side(first: number, end: number): Float32Array {
    const side = new Float32Array((end - first) * SIDE);
    for (let frame = first; frame < end; frame++) {
      const spectrum = this.#spectrum(frame);
      const at = (frame - first) * SIDE;
      for (let part = 0; part < 4; part++) {
        const scale = part < 2 ? 8 : 20;
        for (let bin = 0; bin < BINS_SEEN; bin++)
          side[at + part * BINS_SEEN + bin] = scale * (spectrum[part * this.#bins + bin] as number);
      }
      const pitch = this.#pitchHz[frame] as number;
      const isVoiced = pitch > VOICED_MIN_HZ;
      side[at + SIDE - 2] = isVoiced ? Math.log(Math.max(PITCH_MIN_HZ, pitch) / 150) : 0;
      side[at + SIDE - 1] = isVoiced ? 1 : 0;
    }
    return side;
  }

  /** The samples of these frames that no later frame touches, and at the end also the rest. */
  add(filters: Float32Array, from: number, until: number, isEnd: boolean): Float32Array {
    const size = this.#window.length;
    const hop = this.#hop;
    const made = new Float64Array((until - from) * hop + size - hop);
    made.set(this.#tail.subarray(0, size - hop));
    for (let frame = from; frame < until; frame++) {
      this.#addFrame(
        filters.subarray((frame - from) * 4 * BINS_MAX, (frame - from + 1) * 4 * BINS_MAX),
        frame,
        made,
        (frame - from) * hop,
      );
    }
    this.#tail.set(made.subarray((until - from) * hop));
    const complete = made.subarray(0, (until - from) * hop + (isEnd ? (size - hop) / 2 : 0));
    const skipped = Math.min(this.#early, complete.length);
    this.#early -= skipped;
    return Float32Array.from(complete.subarray(skipped));
  }

  #addFrame(filter: Float32Array, frame: number, made: Float64Array, at: number): void {
    const [re, im, outRe, outIm] = this.#scratch;
    const spectrum = this.#spectrum(frame);
    const bins = this.#bins;
    const size = this.#window.length;
    for (let bin = 0; bin < bins; bin++) {
      let real = 0;
      let imaginary = 0;
      for (let source = 0; source < 2; source++) {
        const gain = Math.exp(Math.min(LOG_GAIN_MAX, filter[2 * source * BINS_MAX + bin] as number));
        const phase = filter[(2 * source + 1) * BINS_MAX + bin] as number;
        const cosine = gain * Math.cos(phase);
        const sine = gain * Math.sin(phase);
        const sourceRe = spectrum[2 * source * bins + bin] as number;
        const sourceIm = spectrum[(2 * source + 1) * bins + bin] as number;
        real += cosine * sourceRe - sine * sourceIm;
        imaginary += cosine * sourceIm + sine * sourceRe;
      }
      const ends = this.#rateHz === 8_000 ? taperAt(bin, bins) : 1;
      // The inverse transform of a conjugate is the conjugate of the forward one, and the result is real.
      re[bin] = real * ends;
      im[bin] = bin === 0 || bin === bins - 1 ? 0 : -imaginary * ends;
      if (bin > 0 && bin < bins - 1) {
        re[size - bin] = re[bin] as number;
        im[size - bin] = -(im[bin] as number);
      }
    }
    this.#plan.forward(re, im, outRe, outIm);
    // Spectra were divided by the sum of the window, which is half its length.
    const scale = 0.5 / WINDOW_GAIN;
    for (let sample = 0; sample < size; sample++) {
      made[at + sample] =
        (made[at + sample] as number) + (outRe[sample] as number) * (this.#window[sample] as number) * scale;
    }
  }

  /** Both sources are real, so one transform serves for both. */
  #spectrum(frame: number): Float64Array {
    const known = this.#spectra[frame];
    if (known !== undefined) return known;
    const [re, im, outRe, outIm] = this.#scratch;
    const size = this.#window.length;
    const from = frame * this.#hop - (size - this.#hop) / 2;
    for (let at = 0; at < size; at++) {
      const weight = this.#window[at] as number;
      re[at] = weight * (this.#harmonic[from + at] ?? 0);
      im[at] = weight * (this.#noise[from + at] ?? 0);
    }
    this.#plan.forward(re, im, outRe, outIm);
    const bins = this.#bins;
    const spectrum = new Float64Array(4 * bins);
    // Half for taking the sources apart, and the sum of the window.
    const scale = 1 / size;
    for (let bin = 0; bin < bins; bin++) {
      const mirror = (size - bin) % size;
      const a = outRe[bin] as number;
      const b = outIm[bin] as number;
      const c = outRe[mirror] as number;
      const d = outIm[mirror] as number;
      spectrum[bin] = (a + c) * scale;
      spectrum[bins + bin] = (b - d) * scale;
      spectrum[2 * bins + bin] = (b + d) * scale;
      spectrum[3 * bins + bin] = (c - a) * scale;
    }
    this.#spectra[frame] = spectrum;
    return spectrum;
  }
}

function taperAt(bin: number, bins: number): number {
  const into = bin - (bins - TAPER_BINS);
  return into < 0 ? 1 : 0.5 + 0.5 * Math.cos((Math.PI * into) / (TAPER_BINS - 1));
}

/**
 * Pulses with all harmonics of F0 below the band's end. The phase runs in straight lines between the centres of frames;
 * Kokoro's own source, at 24 kHz, does so half a sample later.
 */
function harmonicSource(pitchHz: Float32Array, rateHz: number): Float64Array {
  const hop = rateHz / FRAMES_PER_SECOND;
  const phases = new Float64Array(pitchHz.length);
  let turns = 0;
  for (let frame = 0; frame < pitchHz.length; frame++) {
    turns += (pitchHz[frame] as number) / FRAMES_PER_SECOND;
    phases[frame] = turns;
  }
  const samples = new Float64Array(pitchHz.length * hop);
  const last = pitchHz.length - 1;
  for (let at = 0; at < samples.length; at++) {
    const pitch = pitchHz[Math.floor(at / hop)] as number;
    if (pitch <= VOICED_MIN_HZ) continue;
    const position = Math.min(last, Math.max(0, at / hop + FRAMES_PER_SECOND / 48_000 - 0.5));
    const left = Math.min(Math.floor(position), Math.max(0, last - 1));
    const before = phases[left] as number;
    const after = phases[Math.min(last, left + 1)] as number;
    const phase = before + (position - left) * (after - before);
    samples[at] = pulse(phase - Math.round(phase), Math.max(PITCH_MIN_HZ, pitch), rateHz);
  }
  return samples;
}

/** The sum of the cosines of all harmonics, in closed form, with the same power at every pitch. */
function pulse(turns: number, pitchHz: number, rateHz: number): number {
  const count = Math.floor((0.485 * rateHz) / pitchHz);
  const sum =
    Math.abs(turns) < 1e-4 ? 2 * count + 1 : Math.sin((2 * count + 1) * Math.PI * turns) / Math.sin(Math.PI * turns);
  return 0.5 * (sum - 1) * Math.sqrt(pitchHz / 4_000);
}

/** Always the same noise, so that a text always produces the same audio. */
function whiteNoise(length: number, deviation: number): Float64Array {
  const noise = new Float64Array(length);
  let state = 0x2545f491;
  const uniform = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 4_294_967_296;
  };
  for (let at = 0; at < length; at++) {
    noise[at] = deviation * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  }
  return noise;
}
