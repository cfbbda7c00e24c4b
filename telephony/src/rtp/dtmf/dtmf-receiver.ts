import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { keyOf, readTelephoneEvent, type TelephoneEvent } from "./telephone-event.ts";

/** Updates come every 20 to 50 ms; after this long without one the end was lost (RFC 4733 section 2.5.2.2). */
const END_LOST_AFTER_MS = 200;

export interface ReceivedKey {
  key: string;
  durationMs: number;
}

/**
 * Counts each telephone event once. Events are identified by their timestamp, which all packets of one share, so
 * repetitions, reordering and a lost end packet neither double a key nor lose it.
 */
export class DtmfReceiver {
  readonly #report: (key: ReceivedKey) => void;
  readonly #event: TelephoneEvent = { code: 0, isEnd: false, durationSamples: 0 };
  #isHeld = false;
  #hasSeenEvent = false;
  #timestamp = 0;
  #code = 0;
  #durationSamples = 0;
  #lastUpdateMs = 0;

  constructor(report: (key: ReceivedKey) => void) {
    this.#report = report;
  }

  /** Returns false for a payload that is not a key. */
  receive(bytes: Uint8Array, start: number, length: number, timestamp: number, nowMs: number): boolean {
    const event = this.#event;
    if (!readTelephoneEvent(bytes, start, length, event)) return false;
    const age = this.#hasSeenEvent ? (timestamp - this.#timestamp) | 0 : 1;
    // A straggler of an event that is over, or of one before it.
    if (age < 0 || (age === 0 && !this.#isHeld)) return true;
    if (age > 0) {
      this.#release();
      this.#hasSeenEvent = true;
      this.#isHeld = true;
      this.#timestamp = timestamp;
      this.#code = event.code;
      this.#durationSamples = 0;
    }
    this.#durationSamples = Math.max(this.#durationSamples, event.durationSamples);
    this.#lastUpdateMs = nowMs;
    if (event.isEnd) this.#release();
    return true;
  }

  /** Reports a key whose end packet never came. */
  tick(nowMs: number): void {
    if (this.#isHeld && nowMs - this.#lastUpdateMs >= END_LOST_AFTER_MS) this.#release();
  }

  /** The source changed, and its timestamps are unrelated to the earlier ones. */
  restart(): void {
    this.#release();
    this.#hasSeenEvent = false;
  }

  #release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#report({ key: keyOf(this.#code), durationMs: (this.#durationSamples * 1000) / TELEPHONE_RATE_HZ });
  }
}
