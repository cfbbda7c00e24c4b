import { MemorySystem, ProgramExit } from "./memory-system.ts";
import { type WasmModule, webAssembly } from "./web-assembly.ts";

export interface FliteRun {
  /** The file it wrote; empty when it wrote none. */
  readonly output: Uint8Array;
  /** What it printed. */
  readonly messages: string;
}

/** Two minutes at 16 kHz. A clause is a few seconds; a page of digits that got here by mistake is not spoken to its end. */
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
