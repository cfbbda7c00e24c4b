import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, readFirstRun } from "../harness/service-process.ts";
import { runActionStep } from "./run-action.ts";

let scene: Scene;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-action-"));
  scene = await Scene.open();
});
afterAll(async () => {
  await scene?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the action runs scenarios from a fresh copy of the repository, with what it installs itself", async () => {
  const repository = join(folder, "repository");
  mkdirSync(repository);
  const copy = 'git ls-files -z | tar --create --null --files-from=- --file=- | tar --extract --directory="$0"';
  expect(spawnSync("sh", ["-c", copy, repository], { cwd: REPOSITORY }).status).toBe(0);
  const service = await scene.start();
  const { key, agentId } = await readFirstRun(service);
  const inputs = { url: service.url, "api-key": key, agent: agentId };
  // npm as it is configured here.
  const run = { repository, folder, inputs, env: process.env };
  const installed = runActionStep("install", run);
  expect([installed.status, installed.stderr]).toEqual([0, installed.stderr]);
  const { status, stderr } = runActionStep("run", run);
  expect([status, stderr]).toEqual([0, stderr]);
}, 600_000);
