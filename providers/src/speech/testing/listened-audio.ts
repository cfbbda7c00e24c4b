const FRAME_MS = 20;
/** A sample louder than this is speech. */
const SPEECH_LEVEL_MIN = 500;

/** Understands a stretch of 16-bit audio at the rate of its stream. */
export type Understand = (samples: Int16Array) => string | Promise<string>;

export interface ListenedFrame {
  readonly isSpeech: boolean;
  readonly endMs: number;
  /** Since the last speech, or since the beginning. */
  readonly silenceMs: number;
}

export interface SpokenWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
}

export const WORD_CONFIDENCE = 0.98;

/** The audio that a stand-in for a recognizer has received and not yet disposed of, with positions in the whole stream. */
export class ListenedAudio {
  readonly #rateHz: number;
  readonly #understand: Understand;
  #samples = new Int16Array(0);
  /** The position of the first kept sample. */
  #startSample = 0;
  #firstSpeechMs: number | null = null;
  #lastSpeechMs = 0;

  constructor(rateHz: number, understand: Understand) {
    this.#rateHz = rateHz;
    this.#understand = understand;
  }

  get startMs(): number {
    return this.#msOf(this.#startSample);
  }

  get endMs(): number {
    return this.#msOf(this.#startSample + this.#samples.length);
  }

  get hasSpeech(): boolean {
    return this.#firstSpeechMs !== null;
  }

  /** Takes in 16-bit little-endian audio, and returns its frames one by one so that a caller can stop between them. */
  *take(bytes: Uint8Array): Generator<ListenedFrame> {
    const samples = new Int16Array(Uint8Array.from(bytes).buffer, 0, bytes.length >> 1);
    const frameSamples = (this.#rateHz * FRAME_MS) / 1000;
    for (let at = 0; at < samples.length; at += frameSamples) {
      const frame = samples.subarray(at, at + frameSamples);
      const startMs = this.endMs;
      const kept = new Int16Array(this.#samples.length + frame.length);
      kept.set(this.#samples);
      kept.set(frame, this.#samples.length);
      this.#samples = kept;
      const isSpeech = frame.some((sample) => Math.abs(sample) >= SPEECH_LEVEL_MIN);
      if (isSpeech) {
        this.#firstSpeechMs ??= startMs;
        this.#lastSpeechMs = this.endMs;
      }
      yield { isSpeech, endMs: this.endMs, silenceMs: this.endMs - this.#lastSpeechMs };
    }
  }

  /** The words in the kept audio, spread evenly over its speech. */
  async words(): Promise<readonly SpokenWord[]> {
    if (this.#firstSpeechMs === null) return [];
    const text = await this.#understand(this.#samples.slice());
    const words = text.split(/\s+/).filter((word) => word !== "");
    const startMs = this.#firstSpeechMs;
    const stepMs = (this.#lastSpeechMs - startMs) / Math.max(1, words.length);
    return words.map((word, index) => ({
      word,
      start: (startMs + index * stepMs) / 1000,
      end: (startMs + (index + 1) * stepMs) / 1000,
      confidence: WORD_CONFIDENCE,
    }));
  }

  /** Disposes of everything but the end, which may hold the beginning of a word. */
  dispose(keepMs = 0): void {
    const keep = Math.min(this.#samples.length, Math.round((keepMs * this.#rateHz) / 1000));
    this.#startSample += this.#samples.length - keep;
    this.#samples = this.#samples.slice(this.#samples.length - keep);
    this.#firstSpeechMs = null;
  }

  #msOf(sample: number): number {
    return (sample * 1000) / this.#rateHz;
  }
}
