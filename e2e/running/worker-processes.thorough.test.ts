import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../harness/api-client.ts";
import { type Caller, completeCall, placeCall, SILENT_NUMBER, untilPhase } from "../harness/calls.ts";
import { descendantsOf, killIfThere } from "../harness/processes-of.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

let scene: Scene;
let service: ServiceProcess;
let caller: Caller;

beforeAll(async () => {
  scene = await Scene.open("none");
  service = await scene.start({ env: { PARLEY_WORKER_PROCESSES: "2" } });
  const { key, agentId } = await readFirstRun(service);
  caller = { url: service.url, key, agentId };
}, 180_000);
afterAll(() => scene?.close());

/** The processes that conduct calls for the service. */
const workerIds = () =>
  descendantsOf(service.pid)
    .filter(({ command }) => command.includes("/main."))
    .map(({ pid }) => pid);

test("a service with worker processes conducts calls in them, and starts one again that was killed", async () => {
  const before = await until(
    async () => workerIds(),
    (ids) => ids.length === 2,
    30_000,
  );
  const id = await placeCall(caller, SILENT_NUMBER, { simulation: { answerAfterMs: 0 } });
  await untilPhase(caller, id, "talking", 60_000);
  for (const pid of before) killIfThere(pid);
  expect(await untilPhase(caller, id, "ended", 60_000)).toMatchObject({ endReason: "worker_lost" });
  const after = await until(
    async () => workerIds(),
    (ids) => ids.length === 2 && ids.every((pid) => !before.includes(pid)),
    60_000,
  );
  await completeCall(caller);
  expect(await service.end("SIGTERM")).toEqual({ code: 0, signal: null });
  for (const pid of after) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
}, 240_000);
