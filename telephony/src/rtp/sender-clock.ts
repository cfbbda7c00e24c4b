import { samplesIn } from "@parley/audio/frame";

/** A packet this far from where it belongs comes from a sender that moved its clock; two in a row prove it. */
export const JUMP_SAMPLES = samplesIn(800);

/** The timestamps of a stream, which are modulo 2^32 on the wire (RFC 3550 section 5.1), as times that go on. */
export class SenderClock {
  #isKnown = false;
  #lastTimestamp = 0;
  #lastTime = 0;
  #suspectTransit: number | null = null;

  /** The first timestamp is its own time. */
  timeOf(timestamp: number): number {
    return this.#isKnown ? this.#lastTime + ((timestamp - this.#lastTimestamp) | 0) : timestamp;
  }

  /** The packet was believed. */
  follow(timestamp: number, time: number): void {
    this.#isKnown = true;
    this.#lastTimestamp = timestamp;
    this.#lastTime = time;
    this.#suspectTransit = null;
  }

  /** Judges a packet that is far off by its transit: the second of a kind is believed. */
  confirmsJump(transit: number): boolean {
    const isSecond = this.#suspectTransit !== null && Math.abs(transit - this.#suspectTransit) < JUMP_SAMPLES;
    this.#suspectTransit = transit;
    return isSecond;
  }

  forget(): void {
    this.#isKnown = false;
    this.#suspectTransit = null;
  }
}
