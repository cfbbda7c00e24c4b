import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { COMPILED } from "../harness/service-process.ts";

const root = resolve(import.meta.dirname, "../..");

/** Runs the soak test in its own process: what vitest holds would hide what a leg leaves behind. */
export async function soakInProcess(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(root, "tools/run.mjs"), join(root, "e2e/soak/main.ts"), ...args], {
    env: { ...process.env, ...COMPILED },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}
