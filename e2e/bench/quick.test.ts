import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { BUNDLE_VARIABLE, COMPILED, REPOSITORY } from "../harness/service-process.ts";
import { isThorough } from "../harness/thoroughness.ts";

/** Those that write most of the tables themselves, and so break when the schema changes. */
const ALWAYS = ["api", "growth", "webhooks"];
/** The others, for thorough runs: the compiler finds most of what breaks them. */
const THOROUGHLY = [
  "builder",
  "conversations",
  "dashboard",
  "dispatch",
  "engines",
  "media",
  "one-voice",
  "overload",
  "turns",
  "understanding",
  "voice",
];

test.each(isThorough ? [...ALWAYS, ...THOROUGHLY] : ALWAYS)(
  "the benchmark %s still runs",
  async (name) => {
    const child = spawn(process.execPath, ["tools/run.mjs", "bench/src/main.ts", name, "--quick"], {
      cwd: REPOSITORY,
      env: {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        [BUNDLE_VARIABLE]: process.env[BUNDLE_VARIABLE],
        ...COMPILED,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const closed = once(child, "close");
    const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await closed;
    expect(code, `${printed}\n${complained}`).toBe(0);
    expect(printed).toMatch(new RegExp(`^${name}\\.[\\w.]+: -?[\\d.]+`, "m"));
  },
  240_000,
);
