import { FRAME_SAMPLES, samplesIn } from "@parley/audio/frame";
import type { CalleePlan } from "./callee-script.ts";
import { ScriptedCallee } from "./scripted-callee.ts";
import type { CallSound } from "./turn-figures.ts";

const TAPE_MS = 120_000;

/** The callee's end of a line without a network, and what was heard on it. The tape runs from the beginning. */
export class BareLine {
  readonly callee: ScriptedCallee;
  readonly #calleeTape = new Int16Array(samplesIn(TAPE_MS)).fill(1);
  readonly #agentTape = new Int16Array(samplesIn(TAPE_MS)).fill(1);
  #position = 0;

  constructor(plan: CalleePlan, clips: ReadonlyMap<string, Int16Array>) {
    this.callee = new ScriptedCallee(plan, clips);
  }

  get isOver(): boolean {
    return this.callee.isDone || this.#position + FRAME_SAMPLES > this.#agentTape.length;
  }

  /** Receives the agent's frame and fills the callee's frame. */
  step(played: Int16Array, said: Int16Array): void {
    this.callee.step(played, said, performance.now());
    this.#calleeTape.set(said, this.#position);
    this.#agentTape.set(played, this.#position);
    this.#position += FRAME_SAMPLES;
  }

  get sound(): CallSound {
    return {
      callee: this.#calleeTape.slice(0, this.#position),
      agent: this.#agentTape.slice(0, this.#position),
    };
  }
}
