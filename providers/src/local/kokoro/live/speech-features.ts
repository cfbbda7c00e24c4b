import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openModelBytes } from "../../weights/open-model.ts";
import { readWeights } from "../../weights/weight-file.ts";
import { STYLE_SIZE } from "../kokoro-input.ts";
import { KOKORO_WEIGHTS } from "../kokoro-model.ts";
import { doublingsToProducts } from "./doubled-frames.ts";
import { convolutionsToProducts } from "./integer-convolutions.ts";
import { cutGraph } from "./onnx-graph.ts";
import { ELEMENT } from "./onnx-messages.ts";

/** Tensors of the shipped graph on the border between Kokoro's prosody and its generator of audio. */
const FEATURES = "/decoder/decoder/decode.3/Div_4_output_0";
const PITCH = "/decoder/decoder/Unsqueeze_output_0";
/** How long each symbol lasts, in steps of two frames. */
const DURATIONS = "/encoder/Clip_output_0";
const FRAMES_PER_STEP = 2;

/** What Kokoro passes to its generator, 80 frames per second. */
export interface SpeechFeatures {
  readonly frames: number;
  /** 512 rows of one number per frame. */
  readonly features: Float32Array;
  /** F0 in hertz per frame; below 10 the frame is unvoiced. */
  readonly pitchHz: Float32Array;
  /** The half of the voice's style that shapes the timbre. */
  readonly style: Float32Array;
  /** The number of frames of each symbol, the edges included. */
  readonly symbolFrames: readonly number[];
}

const TIMBRE_SIZE = 128;

/** All of Kokoro but its generator, which takes 95 % of the time: text in, features out. */
export class FeatureModel {
  readonly #network: InferenceSession;

  private constructor(network: InferenceSession) {
    this.#network = network;
  }

  static async open(): Promise<FeatureModel> {
    const part = cutGraph(await readWeights(KOKORO_WEIGHTS), {
      inputs: { input_ids: ELEMENT.int64, style: ELEMENT.float32, speed: ELEMENT.float32 },
      outputs: [FEATURES, PITCH, DURATIONS],
    });
    return new FeatureModel(await openModelBytes(doublingsToProducts(convolutionsToProducts(part))));
  }

  /** The ids stand for symbols, with an edge at both ends. The style belongs to the length of the text. */
  async run(ids: readonly number[], style: Float32Array, speed: number): Promise<SpeechFeatures> {
    const output = await this.#network.run({
      input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]),
      style: new Tensor("float32", style, [1, STYLE_SIZE]),
      speed: new Tensor("float32", Float32Array.of(speed), [1]),
    });
    const [features, pitchHz, steps] = [FEATURES, PITCH, DURATIONS].map((name) => output[name]?.data);
    if (!(features instanceof Float32Array && pitchHz instanceof Float32Array && steps instanceof Float32Array))
      throw new Error("the network gave no features");
    const symbolFrames = Array.from(steps, (count) => FRAMES_PER_STEP * count);
    return { frames: pitchHz.length, features, pitchHz, style: style.slice(0, TIMBRE_SIZE), symbolFrames };
  }

  async close(): Promise<void> {
    await this.#network.release();
  }
}
