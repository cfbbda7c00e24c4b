import type { WorkHost } from "@parley/threads/work-host";

/** A process that encodes, as far as its seat needs it. */
export interface EncoderProcess extends WorkHost<readonly string[], Float32Array[]> {
  readonly pid: number | undefined;
  readonly ready: Promise<void>;
}

/**
 * The place of the one encoding process. Loading it may take longer than anybody waits, so that giving up a piece of work
 * ends a process that is stuck in it, and never one that is still being loaded for those who come later.
 */
export class EncoderSeat {
  readonly #start: () => EncoderProcess;
  #process: EncoderProcess | null = null;
  #isReady = false;

  constructor(start: () => EncoderProcess) {
    this.#start = start;
  }

  get pid(): number | undefined {
    return this.#process?.hasEnded === false ? this.#process.pid : undefined;
  }

  /** What a pool takes for a host. */
  openHost(): WorkHost<readonly string[], Float32Array[]> {
    return {
      hasEnded: false,
      run: async (texts) => (await this.#loaded()).run(texts),
      end: async () => {
        if (this.#isReady) await this.end();
      },
    };
  }

  async end(): Promise<void> {
    await this.#process?.end();
  }

  async #loaded(): Promise<EncoderProcess> {
    if (this.#process === null || this.#process.hasEnded) {
      this.#isReady = false;
      this.#process = this.#start();
    }
    const loading = this.#process;
    await loading.ready;
    this.#isReady = true;
    return loading;
  }
}
