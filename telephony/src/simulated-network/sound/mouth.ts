import { DEFAULT_DTMF_PACE, dtmfSignal } from "@parley/audio/dtmf";
import { copySamples, samplesIn } from "@parley/audio/frame";
import { fade } from "@parley/audio/gain";
import { renderSignal, signalDurationMs } from "@parley/audio/signal";

/** A key that was let go. */
export interface PressedKey {
  readonly key: string;
  readonly durationMs: number;
}

interface Clip {
  readonly samples: Int16Array;
  /** Keys, by the sample at which each is let go. */
  readonly releases: readonly { readonly at: number; readonly key: string }[];
}

const FADE_MS = 5;

/** Plays what a callee says and presses, one after the other, frame by frame. */
export class Mouth {
  readonly #clips: Clip[] = [];
  #playedSamples = 0;
  #isStopping = false;

  get isSpeaking(): boolean {
    return this.#clips.length > 0;
  }

  say(samples: Int16Array): void {
    if (samples.length > 0) this.#clips.push({ samples, releases: [] });
  }

  press(keys: string): void {
    const signal = dtmfSignal(keys);
    const { keyMs, gapMs } = DEFAULT_DTMF_PACE;
    const releases = Array.from(keys, (key, index) => ({ at: samplesIn(index * (keyMs + gapMs) + keyMs), key }));
    this.#clips.push({ samples: renderSignal(signal, signalDurationMs(signal)), releases });
  }

  /** Falls silent within the next frame. */
  stop(): void {
    this.#isStopping = this.#clips.length > 0;
  }

  /** Overwrites the frame and hands over the keys that were let go in it. */
  fill(frame: Int16Array, onKey: (pressed: PressedKey) => void): void {
    frame.fill(0);
    if (this.#isStopping) {
      this.#finishCut(frame);
      return;
    }
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

  /** A voice that just stopped would click. */
  #finishCut(frame: Int16Array): void {
    const clip = this.#clips[0];
    if (clip !== undefined) {
      const count = Math.min(samplesIn(FADE_MS), clip.samples.length - this.#playedSamples, frame.length);
      copySamples(clip.samples, this.#playedSamples, frame, 0, count);
      fade(frame, 1, 0, 0, count);
    }
    this.#clips.length = 0;
    this.#playedSamples = 0;
    this.#isStopping = false;
  }

  #next(): void {
    this.#clips.shift();
    this.#playedSamples = 0;
  }
}
