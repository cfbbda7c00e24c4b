import { globSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../harness/api-client.ts";
import { type Caller, completeCall, getCall, placeCall, QUICK_CALLEE } from "../harness/calls.ts";
import { killProcesses } from "../harness/processes-of.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

let scene: Scene;
let service: ServiceProcess;
let caller: Caller;
let compiledFolder: string;

const start = () => scene.start({ env: { NODE_COMPILE_CACHE: compiledFolder }, isFromSources: true });

beforeAll(async () => {
  scene = await Scene.open();
  compiledFolder = join(scene.folder, "compiled");
  service = await start();
  caller = { url: service.url, ...(await readFirstRun(service)) };
});
afterAll(() => scene?.close());

/** Accepted one moment, and the next moment everything is gone. */
const acceptSome = () => Promise.all([1, 2, 3].map((digit) => placeCall(caller, `+1555010010${digit}`, QUICK_CALLEE)));

async function startAgain(): Promise<void> {
  const startedAtMs = performance.now();
  service = await start();
  console.log(`ready ${Math.round(performance.now() - startedAtMs)} ms after the start`);
  caller = { ...caller, url: service.url };
}

/** Connections that were lost are noticed one by one: a request may still meet one, and is refused until then. */
async function expectToKnow(ids: readonly string[]): Promise<void> {
  const known = async () => (await Promise.all(ids.map((id) => getCall(caller, id)))).map((call) => call?.id);
  await expect.poll(known).toEqual(ids);
}

test("after kill -9 of the service the next start attaches to the database and knows every accepted call", async () => {
  const ids = await acceptSome();
  await service.end("SIGKILL");
  const postmaster = scene.postmasterPid();
  // It loads two thousand files: what it compiled must be there for the next start even though it never exited in order.
  expect(globSync("*/*", { cwd: compiledFolder }).length).toBeGreaterThan(1000);
  await startAgain();
  expect(scene.postmasterPid()).toBe(postmaster);
  await expectToKnow(ids);
  await completeCall(caller);
});

test("after kill -9 of PostgreSQL the running service restarts it and recovers automatically", async () => {
  const ids = await acceptSome();
  const killed = scene.postmasterPid();
  process.kill(killed, "SIGKILL");
  const killedAtMs = performance.now();
  await until(
    () => fetch(`${service.url}/readyz`),
    (reply) => reply.ok && scene.postmasterPid() !== killed,
    30_000,
  );
  console.log(`served again ${Math.round(performance.now() - killedAtMs)} ms after the kill`);
  await expectToKnow(ids);
  await completeCall(caller);
  expect(service.child.exitCode).toBeNull();
});

test("after kill -9 of the service and every process of PostgreSQL at the same time the next start has everything", async () => {
  const ids = await acceptSome();
  killProcesses(scene.processes());
  await until(
    async () => scene.processes(),
    (left) => left.length === 0,
    30_000,
  );
  await startAgain();
  await expectToKnow(ids);
  await completeCall(caller);
  expect(await service.end("SIGINT")).toEqual({ code: 0, signal: null });
  expect(scene.processes()).toEqual([]);
});
