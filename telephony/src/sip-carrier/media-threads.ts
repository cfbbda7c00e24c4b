import { MediaThread } from "../rtp/media/media-thread.ts";

/** What a leg needs from the thread that carries its audio. */
export type AudioThread = Pick<MediaThread, "openLeg" | "legCount" | "hasExited">;

/** One that can also be ended. */
export type StartedThread = AudioThread & Pick<MediaThread, "stop">;

/** The threads that carry audio. One that died is replaced when the next leg asks. */
export class MediaThreads {
  readonly #start: () => StartedThread;
  #threads: StartedThread[];
  #isClosed = false;

  constructor(count: number, start: () => StartedThread = () => new MediaThread()) {
    this.#start = start;
    this.#threads = Array.from({ length: Math.max(1, count) }, start);
  }

  /** The one that carries the fewest legs. */
  pick(): AudioThread {
    if (this.#isClosed) throw new Error("the media threads are closed");
    this.#threads = this.#threads.map((thread) => (thread.hasExited ? this.#start() : thread));
    const [first, ...others] = this.#threads;
    if (first === undefined) throw new Error("there is no media thread");
    return others.reduce((best, thread) => (thread.legCount < best.legCount ? thread : best), first);
  }

  /** Threads that live, and the legs they carry. */
  counts(): { readonly threads: number; readonly legs: number } {
    const alive = this.#threads.filter(({ hasExited }) => !hasExited);
    return { threads: alive.length, legs: alive.reduce((sum, { legCount }) => sum + legCount, 0) };
  }

  /** Takes a bounded time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}
