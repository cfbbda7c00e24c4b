import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packPackage } from "@parley/tools/pack/pack-package";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programsOf } from "../documents/reader-project.ts";
import { claimFirst, dataOf, type SignedInMember } from "../harness/accounts.ts";
import { type DataFolder, makeDataFolder } from "../harness/data-folder.ts";
import { send } from "../harness/http-client.ts";
import { readFirstRun, type ServiceProcess, startService } from "../harness/service-process.ts";
import { installPythonSdk } from "../sdk/install-sdks.ts";
import { runProgram } from "../sdk/run-program.ts";
import { startProgram } from "./installed-program.ts";

let data: DataFolder;
let service: ServiceProcess;
let owner: SignedInMember;
let folder: string;
let tarball: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-first-call-"));
  data = await makeDataFolder("none");
  tarball = await packPackage("sdk/cli", folder);
  service = await startService({
    dataDir: data.path,
    env: { PARLEY_CONVERSATION_THREADS: "1", PARLEY_NATURAL_VOICES: "off" },
  });
  owner = await claimFirst(service);
}, 300_000);
afterAll(async () => {
  await service?.end("SIGINT");
  await data?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Says how long it took. A slow machine is no failure: the figure is for people. */
function report(what: string, beganMs: number): void {
  process.stdout.write(`${what}: ${((performance.now() - beganMs) / 1000).toFixed(1)} s\n`);
}

/** A folder in which nothing is, as the home of someone who has just got their machine. */
function makeEmpty(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

test("npx and the tarball of the command line: sign in, first call, transcript", async () => {
  const [project, home] = [makeEmpty("empty"), makeEmpty("home")];
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, npm_config_update_notifier: "false" };
  // Nothing but the tarball: the package has no dependencies to fetch.
  const npx = ["npx", "--offline", "--yes", "--package", tarball, "parley"];
  const start = (...args: string[]) => startProgram([...npx, ...args], { cwd: project, env, input: "" });
  const beganMs = performance.now();

  const login = start("login", "--url", service.url);
  const [, code = ""] = await login.until("err", /confirm the code (\S+)\./);
  const approve = { path: `/api/v1/device-sign-ins/${code}/approve`, headers: owner.cookie, json: { mode: "test" } };
  dataOf(await send(service.url, approve));
  expect(await login.finished).toMatchObject({ code: 0 });

  const agents = await start("agents", "list", "--json").finished;
  const [agent] = JSON.parse(agents.out);
  const created = await start("calls", "create", "+15550100001", "--agent", agent.id, "--wait", "--json").finished;
  expect(created.code, created.err).toBe(0);
  const call = JSON.parse(created.out);
  expect(call).toMatchObject({ status: "completed", phoneNumber: "+15550100001", mode: "test" });
  const { out } = await start("calls", "get", call.id, "--transcript").finished;
  expect(out).toMatch(/^agent: \S/m);
  expect(out).toMatch(/^callee: \S/m);
  report("from npx to the transcript of the first call", beganMs);
});

test("Python and the built SDK: install, first call, transcript", async () => {
  const home = makeEmpty("python");
  const { key, agentId } = await readFirstRun(service);
  const beganMs = performance.now();
  const { python } = await installPythonSdk(home);
  writeFileSync(join(home, "quick_start.py"), programsOf("docs/guides/quick-start.md").get("quick_start.py") ?? "");
  const env = { PARLEY_URL: service.url, PARLEY_API_KEY: key, AGENT_ID: agentId };
  const printed = await runProgram(python, ["quick_start.py"], { cwd: home, env });
  expect(printed).toMatch(/^completed \w+\n/);
  expect(printed).toMatch(/^\[\d\d:\d\d\] Agent: \S/m);
  expect(printed).toMatch(/^\[\d\d:\d\d\] Callee: \S/m);
  report("from the installation of the Python SDK to the transcript of the first call", beganMs);
});
