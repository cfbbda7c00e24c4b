import { FRAME_MS, FRAME_SAMPLES, samplesIn } from "@parley/audio/frame";
import { gainOf, rmsAt, rmsOf } from "@parley/audio/level";
import type { ActNote, CalleeAct, CalleePlan } from "./callee-script.ts";

/** Anything quieter is a pause of the agent. Its lowered voice is well above. */
const AGENT_VOICE_DBFS = -48;
/** A pause inside a turn of the agent is shorter than this. */
const AGENT_PAUSE_FRAMES = 600 / FRAME_MS;
/** An agent that has been silent for this long waits for something. */
const AGENT_WAITS_FRAMES = 2_500 / FRAME_MS;
const GIVE_UP_FRAMES = 15_000 / FRAME_MS;

interface Speaking {
  readonly act: Pick<CalleeAct, "purpose" | "clipName">;
  readonly sound: Int16Array;
  readonly startFrame: number;
  readonly startMs: number;
  frame: number;
}

/** One callee: hears a frame of the agent, and says a frame. All it knows of the agent is whether its voice is there. */
export class ScriptedCallee {
  readonly #plan: CalleePlan;
  readonly #clips: ReadonlyMap<string, Int16Array>;
  readonly #echoed: Int16Array | null;
  readonly notes: ActNote[] = [];
  #frame = 0;
  #nextAct = 0;
  #speaking: Speaking | null = null;
  #silentFrames = 0;
  /** Frames since the agent's turn began or since the last act, of which the later. */
  #agentTurnFrames = 0;
  #hasAgentSpoken = false;
  #idleFrames = 0;
  #sinceActFrames = 0;

  constructor(plan: CalleePlan, clips: ReadonlyMap<string, Int16Array>) {
    this.#plan = plan;
    this.#clips = clips;
    this.#echoed = plan.echo && new Int16Array(samplesIn(plan.echo.delayMs) + FRAME_SAMPLES);
  }

  /** Everything was said, and the agent has had the time to stop or to answer. */
  get isDone(): boolean {
    if (this.#nextAct < this.#plan.acts.length || this.#speaking !== null) return false;
    return this.#sinceActFrames >= AGENT_WAITS_FRAMES;
  }

  /** Receives this frame (silence when nothing arrived), with its time of arrival, and fills the outgoing one. */
  step(heard: Int16Array, out: Int16Array, nowMs: number, heardMs: number = nowMs): void {
    this.#listen(rmsOf(heard) > rmsAt(AGENT_VOICE_DBFS), heardMs);
    this.#speaking ??= this.#decide(nowMs);
    this.#say(out, nowMs);
    this.#echo(heard, out);
    this.#frame += 1;
    this.#sinceActFrames += 1;
  }

  #listen(isVoiced: boolean, nowMs: number): void {
    const last = this.notes.at(-1);
    if (isVoiced) {
      if (this.#silentFrames >= AGENT_PAUSE_FRAMES) this.#agentTurnFrames = 0;
      this.#hasAgentSpoken = true;
      if (last !== undefined && this.#speaking === null) last.agentVoiceMs ??= nowMs;
    } else if (this.#silentFrames === 10 && last !== undefined) {
      last.agentSilentMs ??= nowMs - 10 * FRAME_MS;
    }
    this.#silentFrames = isVoiced ? 0 : this.#silentFrames + 1;
    this.#agentTurnFrames += 1;
  }

  #decide(nowMs: number): Speaking | null {
    const act = this.#plan.acts[this.#nextAct];
    if (act === undefined || this.#frame * FRAME_MS < this.#plan.beginsAfterMs) return null;
    this.#idleFrames += 1;
    const afterFrames = act.afterMs / FRAME_MS;
    const isDue =
      act.type === "answer"
        ? (this.#hasAgentSpoken && this.#silentFrames >= afterFrames) || this.#idleFrames >= GIVE_UP_FRAMES
        : this.#silentFrames === 0 && this.#agentTurnFrames >= afterFrames;
    if (isDue) {
      this.#nextAct += 1;
      return this.#begin(act, nowMs);
    }
    const isStuck = act.type === "over" && this.#silentFrames >= AGENT_WAITS_FRAMES;
    return isStuck ? this.#begin({ purpose: "filler", clipName: this.#plan.fillerClip }, nowMs) : null;
  }

  #begin(act: Pick<CalleeAct, "purpose" | "clipName">, startMs: number): Speaking {
    const sound = this.#clips.get(act.clipName);
    if (sound === undefined) throw new Error(`there is no clip ${act.clipName}`);
    return { act, sound, startFrame: this.#frame, startMs, frame: 0 };
  }

  #say(out: Int16Array, nowMs: number): void {
    out.fill(0);
    const speaking = this.#speaking;
    if (speaking === null) return;
    const { act, sound, startFrame, startMs } = speaking;
    const start = speaking.frame * FRAME_SAMPLES;
    out.set(sound.subarray(start, start + FRAME_SAMPLES));
    speaking.frame += 1;
    if (speaking.frame * FRAME_SAMPLES < sound.length) return;
    const frames = speaking.frame;
    this.notes.push({ ...act, startFrame, frames, startMs, endMs: nowMs, agentVoiceMs: null, agentSilentMs: null });
    this.#speaking = null;
    this.#hasAgentSpoken = false;
    this.#silentFrames = Math.min(this.#silentFrames, 1);
    this.#agentTurnFrames = 0;
    this.#idleFrames = 0;
    this.#sinceActFrames = 0;
  }

  #echo(heard: Int16Array, out: Int16Array): void {
    const { echo } = this.#plan;
    if (echo === null || this.#echoed === null) return;
    this.#echoed.copyWithin(0, FRAME_SAMPLES);
    this.#echoed.set(heard, this.#echoed.length - FRAME_SAMPLES);
    const gain = gainOf(-echo.lossDb);
    for (let index = 0; index < FRAME_SAMPLES; index++) {
      out[index] = (out[index] as number) + gain * (this.#echoed[index] as number);
    }
  }
}
