import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../harness/api-client.ts";
import {
  type Caller,
  completeCall,
  getCall,
  placeCall,
  QUICK_CALLEE,
  SILENT_NUMBER,
  untilPhase,
} from "../harness/calls.ts";
import { exitOf, Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

let scene: Scene;
let api: ServiceProcess;
let worker: ServiceProcess;
let jobs: ServiceProcess;
let caller: Caller;

beforeAll(async () => {
  scene = await Scene.open("none");
});
afterAll(() => scene?.close());

const untilStopping = ({ output }: ServiceProcess) =>
  until(
    async () => output(),
    (text) => text.includes('"msg":"stopping"'),
    30_000,
  );

test("three processes that start together on an empty folder, one per role, place and finish a call", async () => {
  [worker, jobs, api] = await Promise.all([
    scene.startRole("calls"),
    scene.startRole("jobs"),
    scene.start({ env: { PARLEY_ROLES: "api" } }),
  ]);
  caller = { url: api.url, ...(await readFirstRun(api)) };
  await completeCall(caller);
  for (const { output } of [worker, jobs]) expect(output()).not.toMatch(/svc_test_|claim\?token/);
});

test("a worker that gets SIGTERM takes no more calls, finishes its own and exits with 0", async () => {
  const live = await placeCall(caller, SILENT_NUMBER, { maxDurationSeconds: 3, simulation: { answerAfterMs: 0 } });
  await untilPhase(caller, live, "talking");
  worker.child.kill("SIGTERM");
  await untilStopping(worker);
  const later = await placeCall(caller, "+15550100001", QUICK_CALLEE);
  expect(await exitOf(worker)).toBe(0);
  expect(await getCall(caller, live)).toMatchObject({ status: "completed", endReason: "max_duration" });
  expect(await getCall(caller, later)).toMatchObject({ status: "initiated", phase: "queued" });

  worker = await scene.startRole("calls");
  expect(await untilPhase(caller, later, "ended")).toMatchObject({ status: "completed", endReason: "callee_hangup" });
});

test("a second signal quits immediately, whatever is still live", async () => {
  const live = await placeCall(caller, SILENT_NUMBER, { simulation: { answerAfterMs: 0 } });
  await untilPhase(caller, live, "talking");
  worker.child.kill("SIGTERM");
  await untilStopping(worker);
  worker.child.kill("SIGINT");
  expect(await exitOf(worker, 20_000)).toBe(1);
});

test("the others end with 0, and the last one stops the database", async () => {
  expect(await jobs.end("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(await api.end("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(scene.processes()).toEqual([]);
});
