import { DEFAULT_DTMF_PACE, dtmfSignal } from "@parley/audio/dtmf";
import { copySamples, samplesIn } from "@parley/audio/frame";
import { fade, mixInto } from "@parley/audio/gain";
import { renderSignal, signalDurationMs } from "@parley/audio/signal";

/** A released key. */
export interface PressedKey {
  readonly key: string;
  readonly durationMs: number;
}

interface Clip {
  readonly samples: Int16Array;
  /** Keys, by the sample at which each is released. */
  readonly releases: readonly { readonly at: number; readonly key: string }[];
}

const FADE_MS = 5;

/** Plays what a callee says and presses, one after the other, frame by frame. */
export class CalleeSpeaker {
  readonly #clips: Clip[] = [];
  #playedSamples = 0;
  /** The last moment of a voice that was stopped. */
  #fading: Int16Array | null = null;

  get isSpeaking(): boolean {
    return this.#clips.length > 0;
  }

  /** An empty line is also spoken, and ends with the next frame: a caller may wait for its end. */
  say(samples: Int16Array): void {
    this.#clips.push({ samples, releases: [] });
  }

  press(keys: string): void {
    const signal = dtmfSignal(keys);
    const { keyMs, gapMs } = DEFAULT_DTMF_PACE;
    const releases = Array.from(keys, (key, index) => ({ at: samplesIn(index * (keyMs + gapMs) + keyMs), key }));
    this.#clips.push({ samples: renderSignal(signal, signalDurationMs(signal)), releases });
  }

  /** Falls silent immediately, with a short fade to avoid a click. Later lines are spoken. */
  stop(): void {
    const clip = this.#clips[0];
    if (clip === undefined) return;
    this.#fading = clip.samples.slice(this.#playedSamples, this.#playedSamples + samplesIn(FADE_MS));
    fade(this.#fading, 1, 0);
    this.#clips.length = 0;
    this.#playedSamples = 0;
  }

  /** Overwrites the frame and reports the keys that were released in it. */
  fill(frame: Int16Array, onKey: (pressed: PressedKey) => void): void {
    frame.fill(0);
    this.#speak(frame, onKey);
    if (this.#fading !== null) mixInto(frame, this.#fading);
    this.#fading = null;
  }

  #speak(frame: Int16Array, onKey: (pressed: PressedKey) => void): void {
    for (let at = 0; at < frame.length; ) {
      const clip = this.#clips[0];
      if (clip === undefined) return;
      const count = Math.min(frame.length - at, clip.samples.length - this.#playedSamples);
      copySamples(clip.samples, this.#playedSamples, frame, at, count);
      const from = this.#playedSamples;
      this.#playedSamples += count;
      at += count;
      for (const { at: release, key } of clip.releases) {
        if (release > from && release <= this.#playedSamples) onKey({ key, durationMs: DEFAULT_DTMF_PACE.keyMs });
      }
      if (this.#playedSamples === clip.samples.length) this.#next();
    }
  }

  #next(): void {
    this.#clips.shift();
    this.#playedSamples = 0;
  }
}
