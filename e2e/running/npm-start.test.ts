import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, completeCall, getCall, placeCall, SILENT_NUMBER, untilPhase } from "../harness/calls.ts";
import { copyCheckout, listCheckout } from "../harness/checkout-copy.ts";
import { claim, readClaimToken } from "../harness/claim.ts";
import { freePort } from "../harness/free-port.ts";
import { startNpm } from "../harness/npm-process.ts";
import { exitOf, Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess, waitUntilReady } from "../harness/service-process.ts";
import { testThoroughly } from "../harness/thoroughness.ts";

// The time that a busy machine may need. The actual time is printed.
const START_WITHIN_MS = 60_000;
const CTRL_C_WITHIN_MS = 30_000;

let scene: Scene;
let checkout: string;
let port: number;
let service: ServiceProcess;
let caller: Caller;
let claimToken: string;
let finishedCall: string;
let liveCall: string;

beforeAll(async () => {
  scene = await Scene.open("none");
  checkout = join(scene.folder, "checkout");
  copyCheckout(checkout);
  port = await freePort();
  writeFileSync(join(checkout, "parley.env"), `PARLEY_PORT=${port}\n`);
});
afterAll(() => scene?.close());

async function start(name: string): Promise<void> {
  const startedAtMs = performance.now();
  service = startNpm({ cwd: checkout, port });
  await waitUntilReady(service, START_WITHIN_MS);
  console.log(`${name}: ready after ${Math.round(performance.now() - startedAtMs)} ms`);
}

/** npm ends as its shell does: with 0, or where the shell itself reports Ctrl-C, by that signal. */
function expectCleanEnd(): void {
  expect(service.child.exitCode ?? service.child.signalCode).toBe(0);
  expect(service.output().trim().split("\n").at(-1)).toContain('"msg":"stopped"');
  expect(service.output()).not.toMatch(/"level":"error"|unhandled| {4}at /i);
  expect(scene.processes()).toEqual([]);
}

test("npm start on an empty folder is ready within seconds and a call goes through", async () => {
  const before = listCheckout(checkout);
  await start("first npm start");
  const { key, agentId, claimToken: token } = await readFirstRun(service);
  claimToken = token;
  caller = { url: service.url, key, agentId };
  finishedCall = await completeCall(caller);
  await until(
    async () => service.output(),
    (printed) => printed.includes("dashboard is ready"),
    START_WITHIN_MS,
  );
  const page = await ask(service.url, "/", { headers: { accept: "text/html" } });
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(listCheckout(checkout)).toEqual(before);
});

test("Ctrl-C hangs up a live call politely and leaves no process behind", async () => {
  liveCall = await placeCall(caller, SILENT_NUMBER, { simulation: { answerAfterMs: 0 } });
  await untilPhase(caller, liveCall, "talking");
  const startedAtMs = performance.now();
  process.kill(-service.pid, "SIGINT");
  await exitOf(service, CTRL_C_WITHIN_MS);
  console.log(`Ctrl-C with a live call: ended after ${Math.round(performance.now() - startedAtMs)} ms`);
  expect(service.output()).toContain("hanging up the remaining live calls");
  expectCleanEnd();
});

testThoroughly(
  "the next start has the data, and shows neither the key nor the link of the first again",
  { timeout: 180_000 },
  async () => {
    await start("later npm start");
    expect(await getCall(caller, finishedCall)).toMatchObject({ status: "completed", endReason: "callee_hangup" });
    expect(await getCall(caller, liveCall)).toMatchObject({ status: "completed", endReason: "agent_hangup" });
    await completeCall(caller);
    expect(service.output()).not.toContain("svc_test_");
    expect(service.output()).not.toContain(claimToken);
  },
);

testThoroughly(
  "until the account is claimed each start shows a new link, and afterwards none",
  { timeout: 180_000 },
  async () => {
    const { cookie } = await claim(service.url, await readClaimToken(service));
    expect((await ask(service.url, "/auth/me", { headers: { cookie } })).status).toBe(200);
    const startedAtMs = performance.now();
    await service.end("SIGINT");
    console.log(`Ctrl-C without a call: ended after ${Math.round(performance.now() - startedAtMs)} ms`);
    expectCleanEnd();

    await start("third npm start");
    expect(service.output()).not.toMatch(/svc_test_|lt_|claim/);
    expect((await ask(service.url, "/auth/me", { headers: { cookie } })).status).toBe(200);
    await service.end("SIGINT");
    expectCleanEnd();
  },
);

test("what the first start showed is in no file", () => {
  const files = scene.files(join(checkout, ".parley"));
  expect(files.length).toBeGreaterThan(3);
  const holding = files.filter((file) => {
    const text = readFileSync(file, "utf8");
    return text.includes(caller.key) || text.includes(claimToken);
  });
  expect(holding).toEqual([]);
});
