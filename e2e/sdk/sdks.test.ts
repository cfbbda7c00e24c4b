import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, readFirstRun } from "../harness/service-process.ts";
import { compileIn, type InstalledPython, installPythonSdk, installTypeScriptSdk } from "./install-sdks.ts";
import { runProgram } from "./run-program.ts";

let scene: Scene;
let folder: string;
let project: string;
let python: InstalledPython;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-sdks-"));
  scene = await Scene.open();
  const service = await scene.start();
  const { key, agentId } = await readFirstRun(service);
  env = { PARLEY_URL: service.url, PARLEY_API_KEY: key, AGENT_ID: agentId };
  project = await installTypeScriptSdk(folder);
  python = await installPythonSdk(folder);
}, 300_000);
afterAll(async () => {
  await scene?.close();
  rmSync(folder, { recursive: true, force: true });
});

const TIMELINE = ["initiated", "dialing", "ringing", "early_media", "in_progress", "completed"].map(
  (type) => `call.${type}`,
);

test("the packed TypeScript SDK compiles in an empty project, places a call and reports what went wrong", async () => {
  await compileIn(project, "use-sdk.ts");
  const printed = await runProgram(process.execPath, ["use-sdk.js"], { cwd: project, env });
  expect(JSON.parse(printed)).toEqual({
    status: "completed",
    endReason: "callee_hangup",
    types: TIMELINE,
    isListed: true,
    missing: "call_not_found",
    invalid: ["phoneNumber"],
    refused: "phone",
  });
});

test("the built Python SDK places calls, synchronously and asynchronously, and resumes their events", async () => {
  const program = join(REPOSITORY, "e2e/sdk/packed/use_sdk.py");
  const printed = await runProgram(python.python, [program], { cwd: folder, env });
  expect(JSON.parse(printed)).toEqual({
    status: "completed",
    endReason: "callee_hangup",
    types: TIMELINE,
    isListed: true,
    missing: "call_not_found",
    invalid: ["phoneNumber"],
    asynchronous: ["completed", ...TIMELINE.slice(3)],
  });
});

test("the Python SDK and a program that uses it pass mypy in strict mode, and its own tests pass", async () => {
  const program = join(folder, "use_sdk.py");
  copyFileSync(join(REPOSITORY, "e2e/sdk/packed/use_sdk.py"), program);
  const mypy = ["--strict", "--python-executable", python.python, "--cache-dir", join(folder, "mypy"), "-p", "parley"];
  expect(await runProgram("/usr/bin/mypy", mypy, { cwd: folder })).toContain("Success");
  const checked = [...mypy.slice(0, -2), program];
  expect(await runProgram("/usr/bin/mypy", checked, { cwd: folder })).toContain("Success");
  await runProgram(python.python, ["-m", "unittest", "discover", "-s", join(REPOSITORY, "sdk/python/tests")], {
    cwd: folder,
  });
});
