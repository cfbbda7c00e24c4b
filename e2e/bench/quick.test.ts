import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { BUNDLE_VARIABLE, COMPILED, REPOSITORY } from "../harness/service-process.ts";
import { isThorough } from "../harness/thoroughness.ts";

/**
 * Those that need less than about eight seconds, those that write most of the tables themselves, which a change of the schema breaks, and `engines`, whose
 * one call is the only one with the parts of three vendors.
 */
const ALWAYS = [
  "api",
  "dashboard",
  "dispatch",
  "engines",
  "growth",
  "hearing",
  "media",
  "understanding",
  "voice",
  "webhooks",
];
/** They hold calls in real time, render long texts or play with the agent builder for longer. */
const THOROUGHLY = ["builder", "conversations", "one-voice", "overload", "turns"];
/** It needs recordings of human voices, which no test installs. */
const WITHOUT_QUICK_FORM = ["speech"];

test("every benchmark is tried in its quick form", async () => {
  const { code, complained } = await runBenchmark();
  expect(code).toBe(2);
  const [, names = ""] = /^Benchmarks: (.*)$/m.exec(complained) ?? [];
  expect(names.split(", ").toSorted()).toEqual([...ALWAYS, ...THOROUGHLY, ...WITHOUT_QUICK_FORM].toSorted());
});

test.each(isThorough ? [...ALWAYS, ...THOROUGHLY] : ALWAYS)(
  "the benchmark %s still runs",
  async (name) => {
    const { code, printed, complained } = await runBenchmark(name, "--quick");
    expect(code, `${printed}\n${complained}`).toBe(0);
    expect(printed).toMatch(new RegExp(`^${name}\\.[\\w.]+: -?[\\d.]+`, "m"));
  },
  240_000,
);

async function runBenchmark(...words: readonly string[]) {
  const child = spawn(process.execPath, ["tools/run.mjs", "bench/src/main.ts", ...words], {
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
  return { code, printed, complained };
}
