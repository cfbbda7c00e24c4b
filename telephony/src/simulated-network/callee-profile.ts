import { ComfortNoise } from "@parley/audio/comfort-noise";
import { createSeededRandom } from "@parley/audio/seeded-random";
import type { SimulatedCalleePlan } from "../carrier.ts";
import { AudioCallee, type AudioCalleeDeps } from "./audio/audio-callee.ts";
import { Echo, type EchoOptions } from "./audio/echo.ts";
import type { FarEnd } from "./audio/leg-audio.ts";
import { createCleanLine, createDeadLine, type Line } from "./audio/line.ts";
import type { LineBook, SpokenLine } from "./audio/line-book.ts";
import { LossyLine } from "./audio/lossy-line.ts";
import type { RunningCallee, Speaker } from "./callees/callee-machine.ts";

/** How a callee that answered behaves and sounds. */
export interface CalleeProfile {
  readonly callee: () => RunningCallee;
  readonly line?: "clean" | "lossy" | "dead";
  readonly echo?: EchoOptions;
  /** The level of the noise behind the callee; null for none at all. */
  readonly noiseDbfs: number | null;
  readonly voices?: Partial<Readonly<Record<Speaker, string>>>;
  /** Whether it accepts a REFER (RFC 3515). Machines do not. */
  readonly acceptsRefer: boolean;
}

const VOICES: CalleeVoices = { human: "human", machine: "machine" };
/** A plan's noise from 0 to 1 spans from inaudible to louder than a quiet speaker. */
const NOISE_MIN_DBFS = -65;
const NOISE_SPAN_DB = 40;

/** What a plan changes about the audio of a callee. */
export function applyPlan(profile: CalleeProfile, { voice, noise }: SimulatedCalleePlan): CalleeProfile {
  return {
    ...profile,
    ...(voice === undefined ? {} : { voices: { ...profile.voices, human: voice } }),
    ...(noise === undefined ? {} : { noiseDbfs: noise === 0 ? null : NOISE_MIN_DBFS + NOISE_SPAN_DB * noise }),
  };
}

export type CalleeVoices = Readonly<Record<Speaker, string>>;

/** The voice of each speaker, for the whole call. */
export function castVoices(
  { lines }: RunningCallee,
  profile: CalleeProfile,
  book: Pick<LineBook, "cast">,
): CalleeVoices {
  const wanted = { ...VOICES, ...profile.voices };
  const linesBy = (speaker: Speaker) => lines.filter(({ by }) => (by ?? "human") === speaker).map(({ text }) => text);
  return {
    human: book.cast(linesBy("human"), wanted.human),
    machine: book.cast(linesBy("machine"), wanted.machine),
  };
}

/** All that a callee may say, each line in its voice. */
export function linesOf({ lines }: RunningCallee, voices: CalleeVoices): readonly SpokenLine[] {
  return lines.map(({ text, by }) => ({ text, voice: voices[by ?? "human"] }));
}

export interface FarEndDeps extends Omit<AudioCalleeDeps, "noise"> {
  readonly seed: number;
}

/** The far end of a leg, all its chance decided by the seed. */
export function createFarEnd(profile: CalleeProfile, { seed, ...parts }: FarEndDeps): FarEnd {
  const noise = profile.noiseDbfs === null ? null : new ComfortNoise(profile.noiseDbfs, seed);
  return {
    callee: new AudioCallee({ ...parts, noise }),
    line: createLine(profile.line ?? "clean", seed),
    echo: profile.echo === undefined ? null : new Echo(profile.echo),
  };
}

function createLine(kind: "clean" | "lossy" | "dead", seed: number): Line {
  if (kind === "lossy") return new LossyLine(createSeededRandom(seed));
  return kind === "dead" ? createDeadLine() : createCleanLine();
}
