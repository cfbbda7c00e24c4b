import type { SampleRateHz } from "@parley/audio/resample-filter";
import { readWav } from "@parley/audio/wav-reader";
import { finishClip } from "../finish-clip.ts";
import type { FliteVoiceId } from "./flite-voices.ts";
import { MemorySystem, OUTPUT_NAME, ProgramExit } from "./memory-system.ts";
import { type WasmModule, webAssembly } from "./web-assembly.ts";

export interface Clause {
  /** In letters that Flite can read. */
  readonly text: string;
  readonly voiceId: FliteVoiceId;
  readonly sampleRateHz: SampleRateHz;
}

/** Two minutes at 16 kHz. A clause is a few seconds; a page of digits that got here by mistake is not spoken to its end. */
const OUTPUT_BYTES_MAX = 2 * 60 * 2 * 16_000;

/**
 * Speaks one clause in an instance of its own, which is forgotten afterwards: a program that ran once has no memory of
 * what it said, so a clause sounds the same whatever came before. It blocks its thread until the clause is done.
 */
export function renderClause(module: WasmModule, { text, voiceId, sampleRateHz }: Clause): Int16Array {
  if (text === "") return new Int16Array(0);
  const wav = runFlite(module, ["flite", "-voice", voiceId, "-t", text, "-o", OUTPUT_NAME]);
  const { sampleRateHz: ownHz, channels } = readWav(wav);
  if (ownHz !== 8_000 && ownHz !== 16_000) throw new Error(`the voice ${voiceId} has a rate of ${ownHz} Hz`);
  return finishClip(channels[0] ?? new Int16Array(0), ownHz, sampleRateHz);
}

function runFlite(module: WasmModule, args: readonly string[]): Uint8Array {
  const system = new MemorySystem(args, OUTPUT_BYTES_MAX);
  const { exports } = new webAssembly.Instance(module, { wasi_snapshot_preview1: system.imports });
  system.attach(exports.memory);
  try {
    exports._start();
  } catch (error) {
    if (!(error instanceof ProgramExit) || error.code !== 0) {
      throw new Error(`Flite failed: ${system.messages || String(error)}`, { cause: error });
    }
  }
  if (system.wasOverfilled) throw new Error("the clause is longer than two minutes of speech");
  if (system.output.length === 0) throw new Error(`Flite gave no sound: ${system.messages}`);
  return system.output;
}
