import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SOURCES = fileURLToPath(new URL("./native/", import.meta.url));

export interface NativePrograms {
  readonly loadGenerator: string;
  readonly referenceThread: string;
}

/** Compiles the two C programs into a folder. Any C compiler named `cc` works. */
export async function buildNative(folder: string): Promise<NativePrograms> {
  const [loadGenerator, referenceThread] = await Promise.all(
    ["load-generator", "reference-thread"].map((name) => compile(folder, name)),
  );
  return { loadGenerator: loadGenerator ?? "", referenceThread: referenceThread ?? "" };
}

async function compile(folder: string, name: string): Promise<string> {
  const program = join(folder, name);
  await promisify(execFile)("cc", ["-O2", "-Wall", "-Werror", "-o", program, join(SOURCES, `${name}.c`), "-lm"]);
  return program;
}
