import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end and returns what it printed; throws with everything if it failed. */
export async function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<string> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { PATH: process.env["PATH"], HOME: options.cwd, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${printed}\n${complained}`);
  return printed;
}
