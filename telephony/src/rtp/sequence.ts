/** RFC 3550 section A.1: further ahead is taken for a restart, further behind too. Both are counts of packets. */
const DROPOUT_MAX = 3000;
const MISORDER_MAX = 100;
const SEQUENCE_SPAN = 0x1_0000;
const NOTHING_SUSPECTED = -1;

/**
 * What a sequence number turned out to be:
 * `first` begins the stream, `ahead` continues it (perhaps after a gap), `behind` is late or a duplicate, `suspect` is
 * so far off that it is held against its successor, and `restarted` is that successor: the sender began again.
 */
export type SequenceVerdict = "first" | "ahead" | "behind" | "suspect" | "restarted";

/**
 * Sequence numbers extended beyond their 16 bits (section A.1). There is no probation of two packets as in the RFC: a
 * leg takes packets from one latched address, and a probation would cost the first 20 ms of every "hello".
 */
export class SequenceTracker {
  #started = false;
  #highest = 0;
  #cycles = 0;
  #base = 0;
  #suspected = NOTHING_SUSPECTED;
  #extended = 0;

  /** The extended number of the packet observed last, unless it was suspect. */
  get extended(): number {
    return this.#extended;
  }

  /** The highest extended number so far. */
  get highest(): number {
    return this.#cycles + this.#highest;
  }

  /** The extended number that the stream began with, or began again with. */
  get base(): number {
    return this.#base;
  }

  get hasStarted(): boolean {
    return this.#started;
  }

  observe(sequence: number): SequenceVerdict {
    if (!this.#started) {
      this.restart(sequence);
      return "first";
    }
    const step = (sequence - this.#highest) & 0xffff;
    if (step !== 0 && step < DROPOUT_MAX) {
      if (sequence < this.#highest) this.#cycles += SEQUENCE_SPAN;
      this.#highest = sequence;
      this.#suspected = NOTHING_SUSPECTED;
      this.#extended = this.#cycles + sequence;
      return "ahead";
    }
    if (step === 0 || step >= SEQUENCE_SPAN - MISORDER_MAX) {
      // A number above the highest one belongs to the turn before, if there was one.
      this.#extended = this.#cycles + sequence - (sequence > this.#highest ? SEQUENCE_SPAN : 0);
      return "behind";
    }
    if (sequence === this.#suspected) {
      this.restart(sequence);
      return "restarted";
    }
    this.#suspected = (sequence + 1) & 0xffff;
    return "suspect";
  }

  /** Begins again with this number, for example because the source changed. */
  restart(sequence: number): void {
    this.#started = true;
    this.#highest = sequence;
    this.#cycles = 0;
    this.#base = sequence;
    this.#suspected = NOTHING_SUSPECTED;
    this.#extended = sequence;
  }
}
