import type { SampleRateHz } from "@parley/audio/resample-filter";
import { readWav } from "@parley/audio/wav-reader";
import { finishClip } from "../finish-clip.ts";
import type { FliteVoiceId } from "./flite-voices.ts";
import { OUTPUT_NAME } from "./memory-system.ts";
import { runFlite } from "./run-flite.ts";
import type { WasmModule } from "./web-assembly.ts";

export interface Clause {
  /** In letters that Flite can read. */
  readonly text: string;
  readonly voiceId: FliteVoiceId;
  readonly sampleRateHz: SampleRateHz;
}

/**
 * Speaks one clause in an instance of its own, which is forgotten afterwards: a program that ran once has no memory of
 * what it said, so a clause sounds the same whatever came before. It blocks its thread until the clause is done.
 */
export function renderClause(module: WasmModule, { text, voiceId, sampleRateHz }: Clause): Int16Array {
  if (text === "") return new Int16Array(0);
  const { output, messages } = runFlite(module, ["flite", "-voice", voiceId, "-t", text, "-o", OUTPUT_NAME]);
  if (output.length === 0) throw new Error(`Flite gave no sound: ${messages}`);
  const { sampleRateHz: ownHz, channels } = readWav(output);
  if (ownHz !== 8_000 && ownHz !== 16_000) throw new Error(`the voice ${voiceId} has a rate of ${ownHz} Hz`);
  return finishClip(channels[0] ?? new Int16Array(0), ownHz, sampleRateHz);
}
