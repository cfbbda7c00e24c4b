import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, getCall, placeCall, SILENT_NUMBER, untilPhase } from "../harness/calls.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

let scene: Scene;
let caller: Caller;
let workers: readonly ServiceProcess[];

beforeAll(async () => {
  scene = await Scene.open();
  const api = await scene.start({ env: { PARLEY_ROLES: "api" } });
  const { key, agentId } = await readFirstRun(api);
  caller = { url: api.url, key, agentId };
  const start = () => scene.startRole("calls", { env: { PARLEY_CALL_SLOTS: "1" } });
  workers = [await start(), await start(), await start()];
});
afterAll(() => scene?.close());

async function holderOf(callId: string): Promise<{ id: string; process: ServiceProcess }> {
  const [row] = await scene.query(`select worker_id from call_runs where call_id = '${callId}' and ended_at is null`);
  const id = String(row?.["worker_id"]);
  const process = workers.find((worker) => worker.output().includes(`"workerId":"${id}"`));
  if (process === undefined) throw new Error(`no process says that it is ${id}`);
  return { id, process };
}

test("of several workers on one machine a dead one's call is ended immediately, and that of a paused one continues", async () => {
  const kept = await placeCall(caller, SILENT_NUMBER);
  await untilPhase(caller, kept, "talking");
  const lost = await placeCall(caller, SILENT_NUMBER);
  await untilPhase(caller, lost, "talking");
  const paused = await holderOf(kept);
  const doomed = await holderOf(lost);
  expect(paused.id).not.toBe(doomed.id);
  paused.process.child.kill("SIGSTOP");
  // It is paused for less than its lease, however busy this machine is.
  await scene.query(
    `update call_runs set lease_expires_at = clock_timestamp() + interval '19 seconds' where worker_id = '${paused.id}' and ended_at is null`,
  );
  await doomed.process.end("SIGKILL");
  expect(await untilPhase(caller, lost, "ended")).toMatchObject({ status: "failed", endReason: "worker_lost" });
  expect(await getCall(caller, kept)).toMatchObject({ phase: "talking" });
  paused.process.child.kill("SIGCONT");
  await ask(caller.url, `/api/v1/calls/${kept}/hangup`, { key: caller.key, method: "POST" });
  await until(
    () => getCall(caller, kept),
    (call) => call.phase === "ended",
    30_000,
  );
  expect(await getCall(caller, kept)).toMatchObject({ status: "completed", endReason: "api_hangup" });
  expect((await holderCount(kept))[0]).toEqual({ runs: 1 });
});

const holderCount = (callId: string) =>
  scene.query(`select count(*)::int as runs from call_runs where call_id = '${callId}'`);
