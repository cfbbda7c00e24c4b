import { KokoroInput } from "../kokoro-input.ts";
import type { KokoroVoiceId } from "../kokoro-voices.ts";
import { FeatureModel } from "./speech-features.ts";
import { type DecoderRateHz, TelephoneDecoder } from "./telephone-decoder.ts";

/** Kokoro's voices at a tenth of its cost, in the band of a telephone: its front, and our decoder in place of its generator. */
export class LiveVoice {
  readonly #input: KokoroInput;
  readonly #front: FeatureModel;
  readonly #decoder: TelephoneDecoder;

  private constructor(input: KokoroInput, front: FeatureModel, decoder: TelephoneDecoder) {
    this.#input = input;
    this.#front = front;
    this.#decoder = decoder;
  }

  static async open(): Promise<LiveVoice> {
    return new LiveVoice(await KokoroInput.open(), await FeatureModel.open(), await TelephoneDecoder.open());
  }

  /** Audio between -1 and 1, the first of it after the front and a third of a second of decoding. */
  async *speak(
    phonemes: string,
    voiceId: KokoroVoiceId,
    speed: number,
    rateHz: DecoderRateHz,
  ): AsyncGenerator<Float32Array> {
    const ids = this.#input.idsOf(phonemes);
    if (ids.length === 0) return;
    const features = await this.#front.run(ids, await this.#input.styleOf(voiceId, ids), speed);
    yield* this.#decoder.decode(features, rateHz);
  }

  async close(): Promise<void> {
    await this.#front.close();
    await this.#decoder.close();
  }
}
