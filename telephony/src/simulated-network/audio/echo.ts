import { samplesIn, saturate } from "@parley/audio/frame";
import { gainOf } from "@parley/audio/level";

/** How the callee's telephone echoes what it plays. */
export interface EchoOptions {
  readonly lagMs: number;
  readonly changeDb: number;
}

/** Audio to the callee returns after a delay, quieter. */
export class Echo {
  readonly #past: Int16Array;
  readonly #gain: number;
  #at = 0;

  constructor({ lagMs, changeDb }: EchoOptions) {
    this.#past = new Int16Array(Math.max(1, samplesIn(lagMs)));
    this.#gain = gainOf(changeDb);
  }

  /** Remembers what was played and adds what was played a lag ago to what is heard. */
  pass(played: Int16Array, heard: Int16Array): void {
    const past = this.#past;
    for (let index = 0; index < heard.length; index++) {
      heard[index] = saturate((heard[index] as number) + (past[this.#at] as number) * this.#gain);
      past[this.#at] = played[index] as number;
      this.#at = (this.#at + 1) % past.length;
    }
  }
}
