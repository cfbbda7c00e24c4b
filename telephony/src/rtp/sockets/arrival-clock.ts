import type { Libc } from "./libc.ts";

const CLOCK_REALTIME = 0;
const WORD_SPAN = 2 ** 32;
/** Nothing waits longer between two polls; a larger difference is somebody setting the time of day. */
const WAIT_MAX_MS = 1_000;

/** Turns the kernel's stamps, which are times of day, into times of the thread's own clock. */
export class ArrivalClock {
  readonly #libc: Libc;
  readonly #memory = new ArrayBuffer(16);
  readonly #words = new Uint32Array(this.#memory);
  readonly #pointer: bigint;
  #seconds = 0;
  #nanoseconds = 0;
  nowMs = 0;

  constructor(libc: Libc) {
    this.#libc = libc;
    this.#pointer = libc.pointerTo(this.#memory);
  }

  /** To be called before stamps are read, with the thread's own time. */
  noteTime(nowMs: number): void {
    this.nowMs = nowMs;
    this.#libc.clock_gettime(CLOCK_REALTIME, this.#pointer);
    this.#seconds = secondsAt(this.#words, 0);
    this.#nanoseconds = this.#words[2] as number;
  }

  /** The stamp is a `struct timespec`: seconds and nanoseconds, 64 bits each. */
  timeOf(words: Uint32Array, at: number): number {
    const agoMs =
      (this.#seconds - secondsAt(words, at)) * 1000 + (this.#nanoseconds - (words[at + 2] as number)) / 1_000_000;
    return this.nowMs - Math.min(WAIT_MAX_MS, Math.max(0, agoMs));
  }
}

function secondsAt(words: Uint32Array, at: number): number {
  return (words[at] as number) + (words[at + 1] as number) * WORD_SPAN;
}
