import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../harness/api-client.ts";
import { type Caller, placeCall, SILENT_NUMBER, untilPhase } from "../harness/calls.ts";
import { startOwnPostgres } from "../harness/own-postgres.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun } from "../harness/service-process.ts";

/** Longer than a lease lasts, so that all of them have expired when the database resumes. */
const FROZEN_MS = 14_000;
/** Workers sweep every two seconds, and after fifteen at the latest if nothing is wrong. */
const AFTERWARDS_MS = 20_000;

let scene: Scene;
let caller: Caller;

beforeAll(async () => {
  scene = await Scene.open("none");
  const own = await startOwnPostgres(scene.folder);
  await own.administer("create role parley login password 'of-a-test'", "create database parley owner parley");
  const env = { DATABASE_URL: `postgresql://parley:of-a-test@127.0.0.1:${own.port}/parley`, PARLEY_CALL_SLOTS: "2" };
  const api = await scene.start({ env: { ...env, PARLEY_ROLES: "api" } });
  caller = { url: api.url, ...(await readFirstRun(api)) };
  await Promise.all([scene.startRole("calls", { env }), scene.startRole("calls", { env })]);
});
afterAll(() => scene?.close());

function signalDatabase(signal: "SIGSTOP" | "SIGCONT"): void {
  for (const { pid, command } of scene.processes().filter(({ command }) => /postgres/.test(command)))
    if (!command.includes("/main.")) process.kill(pid, signal);
}

test("a database that freezes and resumes costs no callee the call", async () => {
  const ids = await Promise.all(
    Array.from({ length: 4 }, () => placeCall(caller, SILENT_NUMBER, { simulation: { answerAfterMs: 0 } })),
  );
  for (const id of ids) await untilPhase(caller, id, "talking");
  signalDatabase("SIGSTOP");
  await sleep(FROZEN_MS);
  signalDatabase("SIGCONT");
  await sleep(AFTERWARDS_MS);
  for (const id of ids) await ask(caller.url, `/api/v1/calls/${id}/hangup`, { key: caller.key, method: "POST" });
  const ends = await Promise.all(ids.map((id) => untilPhase(caller, id, "ended")));
  expect(ends.map(({ status, endReason }) => `${status} ${endReason}`)).toEqual(ids.map(() => "completed api_hangup"));
});
