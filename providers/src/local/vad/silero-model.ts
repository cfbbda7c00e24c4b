import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openModel } from "../weights/open-model.ts";
import type { WeightFile } from "../weights/weight-file.ts";

const SILERO: WeightFile = {
  packageName: "@ricky0123/vad-web",
  path: "dist/silero_vad_v5.onnx",
  sha256: "2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f",
};

/** At 8 kHz the network processes 32 ms at a time, plus the 4 ms before. */
export const SILERO_WINDOW_SAMPLES = 256;
const CONTEXT_SAMPLES = 32;
const INPUT_SAMPLES = CONTEXT_SAMPLES + SILERO_WINDOW_SAMPLES;
const STATE_LAYERS = 2;
const STATE_SIZE = 128;
const RATE_HZ = 8_000n;

/** What the network remembers of one line from window to window. */
export class SileroMemory {
  readonly input = new Float32Array(INPUT_SAMPLES);
  readonly state = new Float32Array(STATE_LAYERS * STATE_SIZE);

  /** Appends the next window to the end of the last. */
  take(window: Int16Array): void {
    this.input.copyWithin(0, SILERO_WINDOW_SAMPLES);
    for (let index = 0; index < SILERO_WINDOW_SAMPLES; index++) {
      this.input[CONTEXT_SAMPLES + index] = (window[index] ?? 0) / 32_768;
    }
  }

  forget(): void {
    this.input.fill(0);
    this.state.fill(0);
  }
}

/** Silero at the telephone's rate. A run blocks the thread. */
export class SileroModel {
  readonly #network: InferenceSession;
  readonly #rate = new Tensor("int64", BigInt64Array.of(RATE_HZ), []);

  private constructor(network: InferenceSession) {
    this.#network = network;
  }

  static async open(): Promise<SileroModel> {
    return new SileroModel(await openModel(SILERO));
  }

  /** The probability of speech in the current window of each memory, in the same order. One run for all of them. */
  async judge(memories: readonly SileroMemory[]): Promise<readonly number[]> {
    const count = memories.length;
    const input = new Float32Array(count * INPUT_SAMPLES);
    const state = new Float32Array(STATE_LAYERS * count * STATE_SIZE);
    memories.forEach((memory, row) => {
      input.set(memory.input, row * INPUT_SAMPLES);
      for (let layer = 0; layer < STATE_LAYERS; layer++) {
        const part = memory.state.subarray(layer * STATE_SIZE, (layer + 1) * STATE_SIZE);
        state.set(part, (layer * count + row) * STATE_SIZE);
      }
    });
    const { output, stateN } = await this.#network.run({
      input: new Tensor("float32", input, [count, INPUT_SAMPLES]),
      state: new Tensor("float32", state, [STATE_LAYERS, count, STATE_SIZE]),
      sr: this.#rate,
    });
    const next = stateN?.data as Float32Array;
    memories.forEach((memory, row) => {
      for (let layer = 0; layer < STATE_LAYERS; layer++) {
        const at = (layer * count + row) * STATE_SIZE;
        memory.state.set(next.subarray(at, at + STATE_SIZE), layer * STATE_SIZE);
      }
    });
    return Array.from(output?.data as Float32Array);
  }

  async close(): Promise<void> {
    await this.#network.release();
  }
}
