import { FRAME_SAMPLES, samplesIn } from "@parley/audio/frame";
import type { CalleePlan } from "./callee-script.ts";
import { ScriptedCallee } from "./scripted-callee.ts";
import type { CallSound } from "./turn-figures.ts";

const AUDIO_MS_MAX = 120_000;

/** The callee's end of a line without a network, and what was heard on it. It is recorded from the beginning. */
export class BareLine {
  readonly callee: ScriptedCallee;
  readonly #calleeAudio = new Int16Array(samplesIn(AUDIO_MS_MAX)).fill(1);
  readonly #agentAudio = new Int16Array(samplesIn(AUDIO_MS_MAX)).fill(1);
  #position = 0;

  constructor(plan: CalleePlan, clips: ReadonlyMap<string, Int16Array>) {
    this.callee = new ScriptedCallee(plan, clips);
  }

  get isOver(): boolean {
    return this.callee.isDone || this.#position + FRAME_SAMPLES > this.#agentAudio.length;
  }

  /** Receives the agent's frame and fills the callee's frame. */
  step(played: Int16Array, said: Int16Array): void {
    this.callee.step(played, said, performance.now());
    this.#calleeAudio.set(said, this.#position);
    this.#agentAudio.set(played, this.#position);
    this.#position += FRAME_SAMPLES;
  }

  get sound(): CallSound {
    return {
      callee: this.#calleeAudio.slice(0, this.#position),
      agent: this.#agentAudio.slice(0, this.#position),
    };
  }
}
