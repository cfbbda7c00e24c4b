import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packPackage } from "@parley/tools/pack/pack-package";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../harness/api-client.ts";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, readFirstRun } from "../harness/service-process.ts";
import { runActionStep } from "./run-action.ts";

let scene: Scene;
let folder: string;
let url: string;
let key: string;
let agentId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-action-"));
  scene = await Scene.open();
  const service = await scene.start();
  ({ url } = service);
  ({ key, agentId } = await readFirstRun(service));
});
afterAll(async () => {
  await scene?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** With the command line of this repository, whose packages are installed already. */
function runAction(inputs: Readonly<Record<string, string>>) {
  const given = { url, "api-key": key, agent: agentId, ...inputs };
  // Offline: everything that the command line needs is here or in its package.
  return runActionStep("run", { repository: REPOSITORY, folder, inputs: given, env: { npm_config_offline: "true" } });
}

test("scenarios that pass let the job pass and are in the report", async () => {
  const { status, stderr } = runAction({ parallel: "3" });
  expect(stderr).not.toContain("Error");
  expect(status).toBe(0);
  const { body } = await ask(url, `/api/v1/agents/${agentId}/scenarios?limit=100`, { key });
  const report = readFileSync(join(folder, "scenarios.xml"), "utf8");
  expect(report.match(/<testcase /g)).toHaveLength(body.data.length);
});

test("a scenario that fails fails the job, and only chosen scenarios run, also by a packed command line", async () => {
  const scenario = { name: "Never", steps: [{ say: "Hello." }], expect: [{ type: "reached", nodeId: "nowhere" }] };
  const { body } = await ask(url, `/api/v1/agents/${agentId}/scenarios`, { key, body: scenario });
  const report = "chosen.xml";
  const tarball = await packPackage("sdk/cli", folder);
  expect(runAction({ scenarios: body.data.id, report, package: tarball }).status).toBe(8);
  expect(readFileSync(join(folder, report), "utf8").match(/<testcase /g)).toHaveLength(1);
});

test("an input is never run as a command", () => {
  const { status, stdout } = runAction({ agent: '"; echo INJECTED; "' });
  expect(status).not.toBe(0);
  expect(stdout).not.toMatch(/^INJECTED/m);
});
