import { KokoroInput } from "../kokoro-input.ts";
import type { KokoroVoiceId } from "../kokoro-voices.ts";
import { FeatureModel, type SpeechFeatures } from "./speech-features.ts";
import { type DecoderRateHz, type FrameRange, TelephoneDecoder } from "./telephone-decoder.ts";

/** A text whose features are known and whose audio is decoded on demand. */
export interface LiveSpeech {
  readonly features: SpeechFeatures;
  /** The frames that are decoded. */
  readonly range: FrameRange;
  /** Audio between -1 and 1, the first third of a second at first. */
  decode(rateHz: DecoderRateHz): AsyncGenerator<Float32Array>;
}

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

  /** Runs the front. Null when the text has no symbol that can be spoken. */
  async begin(phonemes: string, voiceId: KokoroVoiceId, speed: number): Promise<LiveSpeech | null> {
    const ids = this.#input.idsOf(phonemes);
    if (ids.length === 0) return null;
    const features = await this.#front.run(ids, await this.#input.styleOf(voiceId, ids), speed);
    const range = spokenFrames(features, /[,;:.!?…—]$/.test(phonemes) ? 2 : 1);
    return { features, range, decode: (rateHz) => this.#decoder.decode(features, rateHz, range) };
  }

  /** All of a text, chunk by chunk. */
  async *speak(
    phonemes: string,
    voiceId: KokoroVoiceId,
    speed: number,
    rateHz: DecoderRateHz,
  ): AsyncGenerator<Float32Array> {
    const speech = await this.begin(phonemes, voiceId, speed);
    if (speech !== null) yield* speech.decode(rateHz);
  }

  async close(): Promise<void> {
    await this.#front.close();
    await this.#decoder.close();
  }
}

/** Audio may begin a little before its symbol. */
const FRAMES_BEFORE = 6;
/** How much is kept of the silence after the last audio: that of a mark, if there is one, and of the edge. */
const FRAMES_AFTER = 10;

/** Every text begins and ends with about 300 ms of silence, which would delay the first audio if it were decoded. */
function spokenFrames({ frames, symbolFrames }: SpeechFeatures, silentSymbols: number): FrameRange {
  const lead = symbolFrames[0] ?? 0;
  const tail = symbolFrames.slice(-silentSymbols).reduce((sum, count) => sum + count, 0);
  const from = Math.max(0, lead - FRAMES_BEFORE);
  return { from, until: Math.max(from + 1, Math.min(frames, frames - tail + FRAMES_AFTER)) };
}
