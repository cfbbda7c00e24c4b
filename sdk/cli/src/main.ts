#!/usr/bin/env node
import { runCommandLine } from "./program.ts";

const stop = new AbortController();
// A second signal ends the program at once.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort(new Error("stopped")));

process.exitCode = await runCommandLine(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  bytes: (bytes) => new Promise((resolve) => process.stdout.write(bytes, () => resolve())),
  err: (text) => void process.stderr.write(text),
  env: process.env,
  isTerminal: process.stdout.isTTY === true,
  signal: stop.signal,
});
