import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { COMPILED, REPOSITORY } from "../harness/service-process.ts";
import { isThorough } from "../harness/thoroughness.ts";

/** Those whose quick form takes seconds, and those that break when the schema changes. */
const ALWAYS = ["api", "dispatch", "growth", "media", "voice", "webhooks"];
/** Those that load speech models, hold calls in real time or open a browser, for thorough runs. */
const THOROUGHLY = ["builder", "conversations", "dashboard", "engines", "one-voice", "overload", "turns"];

test.each(isThorough ? [...ALWAYS, ...THOROUGHLY] : ALWAYS)(
  "the benchmark %s still runs",
  async (name) => {
    const child = spawn(process.execPath, ["tools/run.mjs", "bench/src/main.ts", name, "--quick"], {
      cwd: REPOSITORY,
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...COMPILED },
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
