import { beforeAll, expect, test } from "vitest";
import { loadFliteModule } from "./flite-module.ts";
import { MemorySystem, OUTPUT_NAME, ProgramExit, type WasmModule, webAssembly } from "./memory-system.ts";

let module: WasmModule;
beforeAll(async () => {
  module = await loadFliteModule();
});

function run(args: readonly string[], outputBytesMax = 1_000_000): MemorySystem {
  const system = new MemorySystem(["flite", ...args], outputBytesMax);
  const { exports } = new webAssembly.Instance(module, { wasi_snapshot_preview1: system.imports });
  system.attach(exports.memory);
  try {
    exports._start();
  } catch (error) {
    if (!(error instanceof ProgramExit)) throw error;
  }
  return system;
}

test("the program receives its arguments and writes its file to memory", () => {
  const { output } = run(["-voice", "kal", "-t", "hello", "-o", OUTPUT_NAME]);
  expect(Buffer.from(output.subarray(0, 4)).toString()).toBe("RIFF");
  expect(output.length).toBeGreaterThan(4_000);
});

test.each([
  ["an absolute path", "/etc/hosts"],
  ["the way up", "../../etc/hosts"],
  ["its own folder", "package.json"],
])("no file of the machine can be read: %s", (_, path) => {
  const { output, messages } = run(["-voice", "kal", "-f", path, "-o", OUTPUT_NAME]);
  expect(output).toHaveLength(0);
  expect(messages).toContain("failed to open file");
});

test.each(["/tmp/elsewhere.wav", "elsewhere.wav", "../elsewhere.wav"])("nothing can be written to %s", (path) => {
  const { output, messages } = run(["-voice", "kal", "-t", "hello", "-o", path]);
  expect(output).toHaveLength(0);
  expect(messages).toContain("can't open file");
});

test("an output that exceeds its limit is refused and known to be incomplete", () => {
  const system = run(["-voice", "kal", "-t", "hello", "-o", OUTPUT_NAME], 1_000);
  expect(system.wasOverfilled).toBe(true);
  expect(system.output.length).toBeLessThanOrEqual(1_000);
});

test("the program's own messages can be shown", () => {
  expect(run(["-lv"]).messages).toBe("Voices available: kal awb_time kal16 awb rms slt");
});
