import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openModelBytes } from "../../weights/open-model.ts";
import { readWeights } from "../../weights/weight-file.ts";
import { STYLE_SIZE } from "../kokoro-input.ts";
import { KOKORO_WEIGHTS } from "../kokoro-model.ts";
import { doublingsToProducts } from "./doubled-frames.ts";
import { convolutionsToProducts } from "./integer-convolutions.ts";
import { cutGraph } from "./onnx-graph.ts";
import { ELEMENT } from "./onnx-messages.ts";

/** Tensors of the shipped graph: where its plan of a text ends, and where its generator of audio begins. */
const ENCODING = "/encoder/MatMul_1_output_0";
const PITCH = "/decoder/decoder/Unsqueeze_output_0";
const ENERGY = "/decoder/decoder/Unsqueeze_1_output_0";
/** How long each symbol lasts, in steps of two frames. */
const DURATIONS = "/encoder/Clip_output_0";
const FEATURES = "/decoder/decoder/decode.3/Div_4_output_0";
const FRAMES_PER_STEP = 2;
const ROWS = 512;

/** What Kokoro passes to its generator, 80 frames per second. */
export interface SpeechFeatures {
  readonly frames: number;
  /** 512 rows of one number per frame. They are computed from the first on, see `fill`. */
  readonly features: Float32Array;
  /** Resolves when the features of all frames before this one are known, or estimated if they are the first of a long text. */
  fill(until: number): Promise<void>;
  /** F0 in hertz per frame; below 10 the frame is unvoiced. */
  readonly pitchHz: Float32Array;
  /** The logarithm of the energy of each frame, as Kokoro means it. */
  readonly energy: Float32Array;
  /** The half of the voice's style that shapes the timbre. */
  readonly style: Float32Array;
  /** The number of frames of each symbol, the edges included. */
  readonly symbolFrames: readonly number[];
}

const TIMBRE_SIZE = 128;

/**
 * The network scales what it computes by the mean and the deviation over all frames, so the features of the first frames depend on
 * the whole text. For a text of at least this many frames they are first estimated from the beginning and some samples of the rest,
 * which takes half the time, and computed again with the rest when the first audio is playing. The melody is planned for the whole
 * text before.
 */
const ESTIMATED_FRAMES_MIN = 300;
/** A frame depends on ten steps to either side. */
const CONTEXT_STEPS = 10;
/** Fewer or shorter samples are sooner done, and change the timbre of the first audio more. */
const SAMPLES = 12;
const SAMPLE_STEPS = 4;

function cutPlan(weights: Uint8Array): Uint8Array {
  return cutGraph(weights, {
    inputs: { input_ids: ELEMENT.int64, style: ELEMENT.float32, speed: ELEMENT.float32 },
    outputs: [ENCODING, PITCH, ENERGY, DURATIONS],
  });
}

function cutShape(weights: Uint8Array): Uint8Array {
  const { float32 } = ELEMENT;
  return cutGraph(weights, {
    inputs: { style: float32, [ENCODING]: float32, [PITCH]: float32, [ENERGY]: float32 },
    outputs: [FEATURES],
  });
}

/** All of Kokoro but its generator, which takes 95 % of the time: text in, features out. */
export class FeatureModel {
  /** Symbols, their lengths and the melody. */
  readonly #plan: InferenceSession;
  /** The features of planned frames. */
  readonly #shape: InferenceSession;

  private constructor(plan: InferenceSession, shape: InferenceSession) {
    this.#plan = plan;
    this.#shape = shape;
  }

  static open(): Promise<FeatureModel> {
    return FeatureModel.#open((part) => doublingsToProducts(convolutionsToProducts(part)));
  }

  /** As shipped, without what makes it faster. */
  static openAsShipped(): Promise<FeatureModel> {
    return FeatureModel.#open((part) => part);
  }

  static async #open(edit: (part: Uint8Array) => Uint8Array): Promise<FeatureModel> {
    const weights = await readWeights(KOKORO_WEIGHTS);
    const plan = await openModelBytes(edit(cutPlan(weights)));
    return new FeatureModel(plan, await openModelBytes(edit(cutShape(weights))));
  }

  /** Plans a text. The ids stand for symbols, with an edge at both ends. The style belongs to the length of the text. */
  async run(ids: readonly number[], style: Float32Array, speed: number): Promise<SpeechFeatures> {
    const output = await this.#plan.run({
      input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]),
      style: new Tensor("float32", style, [1, STYLE_SIZE]),
      speed: new Tensor("float32", Float32Array.of(speed), [1]),
    });
    const [encoding, pitchHz, energy, steps] = [ENCODING, PITCH, ENERGY, DURATIONS].map((name) => dataOf(output[name]));
    if (!(encoding && pitchHz && energy && steps)) throw new Error("the network gave no plan");
    const frames = pitchHz.length;
    const plan = { frames, pitchHz, energy, encoding };
    const features = new Float32Array(ROWS * frames);
    let estimated = 0;
    let isKnown = false;
    return {
      frames,
      features,
      ...{ pitchHz, energy, style: style.slice(0, TIMBRE_SIZE) },
      symbolFrames: Array.from(steps, (count) => FRAMES_PER_STEP * count),
      fill: async (until) => {
        if (isKnown || until <= estimated) return;
        const sampled = estimated === 0 ? sampledSteps(frames, until) : null;
        if (sampled === null) {
          features.set(await this.#compute(plan, style, allSteps(frames)));
          isKnown = true;
          return;
        }
        const part = await this.#compute(plan, style, sampled);
        const width = FRAMES_PER_STEP * sampled.length;
        for (let row = 0; row < ROWS; row++)
          features.set(part.subarray(row * width, row * width + until), row * frames);
        estimated = until;
      },
    };
  }

  async close(): Promise<void> {
    await this.#plan.release();
    await this.#shape.release();
  }

  /** The features of these steps, as if nothing were between them. */
  async #compute(plan: SpeechPlan, style: Float32Array, steps: readonly number[]): Promise<Float32Array> {
    const { frames, encoding } = plan;
    const [count, all] = [steps.length, frames / FRAMES_PER_STEP];
    const part = new Float32Array(ROWS * count);
    for (let row = 0; row < ROWS; row++)
      for (let at = 0; at < count; at++) part[row * count + at] = encoding[row * all + (steps[at] as number)] as number;
    const framesOf = (values: Float32Array) => {
      const picked = new Float32Array(FRAMES_PER_STEP * count);
      for (const [at, step] of steps.entries())
        for (let frame = 0; frame < FRAMES_PER_STEP; frame++)
          picked[FRAMES_PER_STEP * at + frame] = values[FRAMES_PER_STEP * step + frame] as number;
      return new Tensor("float32", picked, [1, 1, picked.length]);
    };
    const output = await this.#shape.run({
      style: new Tensor("float32", style, [1, STYLE_SIZE]),
      [ENCODING]: new Tensor("float32", part, [1, ROWS, count]),
      [PITCH]: framesOf(plan.pitchHz),
      [ENERGY]: framesOf(plan.energy),
    });
    const features = dataOf(output[FEATURES]);
    if (features === null) throw new Error("the network gave no features");
    return features;
  }
}

interface SpeechPlan extends Pick<SpeechFeatures, "frames" | "pitchHz" | "energy"> {
  /** What is said in each step, as 512 rows. */
  readonly encoding: Float32Array;
}

function allSteps(frames: number): number[] {
  return Array.from({ length: frames / FRAMES_PER_STEP }, (_, step) => step);
}

/** The steps from which the features of the first frames are estimated; null if it is not worth it. */
function sampledSteps(frames: number, until: number): number[] | null {
  const all = allSteps(frames);
  const first = all.slice(0, Math.ceil(until / FRAMES_PER_STEP) + CONTEXT_STEPS);
  const rest = all.length - first.length;
  if (frames < ESTIMATED_FRAMES_MIN || rest < 2 * SAMPLES * SAMPLE_STEPS) return null;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const from = all.length - rest + Math.round(((sample + 0.5) * rest) / SAMPLES - SAMPLE_STEPS / 2);
    first.push(...all.slice(from, from + SAMPLE_STEPS));
  }
  return first;
}

function dataOf(tensor: Tensor | undefined): Float32Array | null {
  return tensor?.data instanceof Float32Array ? tensor.data : null;
}
