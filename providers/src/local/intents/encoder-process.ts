import { ProcessHost } from "@parley/threads/process-host";
import type { WorkHost } from "@parley/threads/work-host";
import { systemClock } from "@parley/time/clock";

/** A process that encodes texts. */
export interface EncoderProcess extends WorkHost<readonly string[], Float32Array[]> {
  readonly pid: number | undefined;
  readonly ready: Promise<void>;
}

/** Starts loading the network, in a process of its own. */
function startEncoderProcess(): EncoderProcess {
  return new ProcessHost(new URL("./encoder-child.ts", import.meta.url), {
    name: "the encoding process",
    timers: systemClock,
  });
}

/**
 * Holds the one encoding process and replaces it when it has ended. Loading takes longer than callers wait, so aborting
 * a piece of work ends a process that is stuck in it, but never one that is still loading.
 */
export class EncoderHost {
  readonly #start: () => EncoderProcess;
  #process: EncoderProcess | null = null;
  #isReady = false;

  constructor(start: () => EncoderProcess = startEncoderProcess) {
    this.#start = start;
  }

  get pid(): number | undefined {
    return this.#process?.hasEnded === false ? this.#process.pid : undefined;
  }

  /** The host interface of a pool. */
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
