import { durationMsOf, FRAME_MS, samplesIn } from "@parley/audio/frame";
import { rmsAt, rmsOf } from "@parley/audio/level";

export type EarEvent =
  | { readonly type: "started" }
  /** How long the agent spoke, without the silence after it. */
  | { readonly type: "stopped"; readonly spokeMs: number };

/** Louder than line noise, and 6 dB apart so that the end of a word is not the end of a sentence. */
const SPEECH_RMS = rmsAt(-42);
const SILENCE_RMS = rmsAt(-48);
/** A click is no speech. */
const START_FRAMES = 3;
/** Longer than the agent's pauses between sentences, or a callee would fall into its word. */
const STOP_AFTER_MS = 900;
const UTTERANCE_MAX_SAMPLES = samplesIn(15_000);
/** Kept from before the speech was noticed, so that its first sound is not lost. */
const LEAD_SAMPLES = samplesIn(200);
const FORGET_SAMPLES = samplesIn(1_000);

/** Hears by loudness alone when the agent begins and stops, and keeps what it said. */
export class AgentEar {
  readonly #buffer: Int16Array;
  #kept = 0;
  #loudFrames = 0;
  #quietMs = 0;
  #spokenMs = 0;
  #isSpeaking = false;

  /** Without `keepsWords` nothing of what was said is kept. */
  constructor(keepsWords: boolean) {
    this.#buffer = new Int16Array(keepsWords ? UTTERANCE_MAX_SAMPLES : 0);
  }

  /** Takes the next frame and says what changed with it. */
  push(frame: Int16Array): EarEvent | null {
    this.#keep(frame);
    const rms = rmsOf(frame);
    return this.#isSpeaking ? this.#followSpeech(frame, rms) : this.#awaitSpeech(rms);
  }

  /** What the agent said last, with a little of the silence around it, at most the last 15 s. */
  takeUtterance(): Int16Array {
    return this.#buffer.slice(0, this.#kept);
  }

  /** The utterance is understood: the next one begins anew. */
  forget(): void {
    if (!this.#isSpeaking) this.#shorten(this.#kept - Math.min(this.#kept, LEAD_SAMPLES));
  }

  #awaitSpeech(rms: number): EarEvent | null {
    this.#loudFrames = rms >= SPEECH_RMS ? this.#loudFrames + 1 : 0;
    if (this.#loudFrames < START_FRAMES) return null;
    this.#isSpeaking = true;
    this.#quietMs = 0;
    this.#spokenMs = START_FRAMES * FRAME_MS;
    return { type: "started" };
  }

  #followSpeech(frame: Int16Array, rms: number): EarEvent | null {
    const frameMs = durationMsOf(frame.length);
    this.#spokenMs += frameMs;
    this.#quietMs = rms < SILENCE_RMS ? this.#quietMs + frameMs : 0;
    if (this.#quietMs < STOP_AFTER_MS) return null;
    this.#isSpeaking = false;
    this.#loudFrames = 0;
    return { type: "stopped", spokeMs: this.#spokenMs - this.#quietMs };
  }

  #keep(frame: Int16Array): void {
    if (this.#buffer.length === 0) return;
    if (this.#kept + frame.length > this.#buffer.length) this.#shorten(FORGET_SAMPLES);
    this.#buffer.set(frame, this.#kept);
    this.#kept += frame.length;
  }

  #shorten(count: number): void {
    this.#buffer.copyWithin(0, count, this.#kept);
    this.#kept -= count;
  }
}
