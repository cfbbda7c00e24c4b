import { DTMF_KEYS } from "../dtmf.ts";
import { DTMF_BLOCK_SAMPLES, DTMF_WINDOW_BLOCKS, DtmfAnalysis, NO_KEY } from "./dtmf-analysis.ts";

/** Positions are in samples from the beginning of the stream, accurate to about 10 ms. */
export type DtmfEvent =
  | { type: "key.pressed"; key: string; position: number }
  | { type: "key.released"; key: string; position: number; pressedPosition: number };

/** Windows in a row, 5 ms apart, that must show one key. Four accept every key of 40 ms and none below 25 ms. */
const PRESS_WINDOWS = 4;
/** At least one of them must be this pure: a key fills some window from edge to edge, a voice only comes near it. */
const BEST_SHARE_MIN = 0.92;
/** Windows in a row without it that end a key: an interruption of 10 ms is bridged, a pause of 40 ms is one. */
const RELEASE_WINDOWS = 8;

/**
 * Detects telephone keys in audio according to ITU-T Q.24, for lines where they are not sent as events (RFC 4733). A
 * key is reported when it is certain, about 45 ms after it was pressed, and again when it is released.
 */
export class DtmfDetector {
  readonly #listener: (event: DtmfEvent) => void;
  readonly #analysis = new DtmfAnalysis();
  readonly #block = new Float64Array(DTMF_BLOCK_SAMPLES);
  #filled = 0;
  #position = 0;
  /** The key that windows in a row have shown, and since when. */
  #shown = NO_KEY;
  #shownWindows = 0;
  #shownPosition = 0;
  #bestShare = 0;
  #pressed = NO_KEY;
  #pressedPosition = 0;
  #heardUntil = 0;
  #missedWindows = 0;

  constructor(listener: (event: DtmfEvent) => void) {
    this.#listener = listener;
  }

  push(frame: Int16Array): void {
    for (let start = 0; start < frame.length; ) {
      const count = Math.min(DTMF_BLOCK_SAMPLES - this.#filled, frame.length - start);
      const filled = this.#filled;
      for (let index = 0; index < count; index++) this.#block[filled + index] = frame[start + index] as number;
      this.#filled += count;
      start += count;
      if (this.#filled === DTMF_BLOCK_SAMPLES) this.#endBlock();
    }
  }

  #endBlock(): void {
    this.#filled = 0;
    this.#position += DTMF_BLOCK_SAMPLES;
    this.#follow(this.#analysis.push(this.#block));
  }

  #follow(key: number): void {
    if (key !== this.#shown || key === NO_KEY) {
      this.#shown = key;
      this.#shownWindows = 0;
      this.#bestShare = 0;
      this.#shownPosition = Math.max(0, this.#position - DTMF_WINDOW_BLOCKS * DTMF_BLOCK_SAMPLES);
    }
    this.#shownWindows += 1;
    this.#bestShare = Math.max(this.#bestShare, this.#analysis.share);
    if (key !== NO_KEY && key === this.#pressed) {
      this.#missedWindows = 0;
      this.#heardUntil = this.#position;
      return;
    }
    this.#missedWindows += 1;
    const isNewKey = key !== NO_KEY && this.#shownWindows >= PRESS_WINDOWS && this.#bestShare >= BEST_SHARE_MIN;
    if (this.#pressed !== NO_KEY && (isNewKey || this.#missedWindows === RELEASE_WINDOWS)) this.#release();
    if (isNewKey) this.#press(key);
  }

  #press(key: number): void {
    this.#pressed = key;
    this.#pressedPosition = this.#shownPosition;
    this.#heardUntil = this.#position;
    this.#missedWindows = 0;
    this.#listener({ type: "key.pressed", key: nameOf(key), position: this.#pressedPosition });
  }

  #release(): void {
    const key = nameOf(this.#pressed);
    this.#pressed = NO_KEY;
    this.#listener({
      type: "key.released",
      key,
      position: this.#heardUntil,
      pressedPosition: this.#pressedPosition,
    });
  }
}

function nameOf(key: number): string {
  return DTMF_KEYS.charAt(key);
}
