import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Scene } from "../harness/scene.ts";
import { readFirstRun } from "../harness/service-process.ts";
import { compileIn, installTypeScriptSdk } from "./install-sdks.ts";
import { runProgram } from "./run-program.ts";

/** From the registry that npm is configured for: their binaries are too large to be dependencies. */
const RUNTIMES = { bun: "1.4.4", deno: "2.9.6" };

let scene: Scene;
let folder: string;
let runtimes: string;
let project: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-runtimes-"));
  runtimes = join(folder, "runtimes");
  mkdirSync(runtimes);
  writeFileSync(join(runtimes, "package.json"), JSON.stringify({ private: true, dependencies: RUNTIMES }));
  const npm = { ...(process.env as Record<string, string>), HOME: homedir() };
  await runProgram("npm", ["install", "--no-audit", "--no-fund"], { cwd: runtimes, env: npm });
  scene = await Scene.open();
  const service = await scene.start({ env: { PARLEY_CONVERSATION_THREADS: "1", PARLEY_NATURAL_VOICES: "off" } });
  const { key, agentId } = await readFirstRun(service);
  env = { PARLEY_URL: service.url, PARLEY_API_KEY: key, AGENT_ID: agentId };
  project = await installTypeScriptSdk(folder);
  await compileIn(project, "use-sdk.ts");
}, 600_000);
afterAll(async () => {
  await scene?.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ["deno", ["run", "--allow-env", "--allow-net=127.0.0.1", "--allow-read", "--allow-write=."]],
  ["bun", ["run"]],
])("the packed TypeScript SDK places a call and reports what went wrong on %s", async (name, options) => {
  const runtime = join(runtimes, "node_modules/.bin", name);
  console.log((await runProgram(runtime, ["--version"], { cwd: project })).trim());
  for (const program of ["use-sdk.js", "use-sdk.ts"]) {
    const printed = await runProgram(runtime, [...options, program], { cwd: project, env });
    expect(JSON.parse(printed)).toMatchObject({
      status: "completed",
      endReason: "callee_hangup",
      changes: ["refetch", true],
      isWholeTranscript: true,
      isListed: true,
      missing: "call_not_found",
      invalid: ["phoneNumber"],
      refused: "phone",
    });
  }
});
