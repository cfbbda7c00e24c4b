import { existsSync } from "node:fs";
import { recordingPath, recordingsFolder } from "@parley/server/calls/recordings/recording-storage";
import { run } from "@parley/server/platform/database/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byKey, claimFirst, createKey, dataOf } from "../harness/accounts.ts";
import { until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { send } from "../harness/http-client.ts";
import { addRecording } from "../harness/recorded-call.ts";

let world: ApiWorld;
beforeAll(async () => {
  world = await openApiWorld();
});
afterAll(() => world?.close());

test("the scheduled job erases what an account keeps for a day, with its file, and records it in the audit log", async () => {
  const api = await world.start({ PARLEY_ROLES: "api,jobs" });
  const { cookie } = await claimFirst(api);
  const headers = byKey((await createKey(api.url, cookie)).key);
  const [agent] = dataOf(await send(api.url, { path: "/api/v1/agents", headers })) as { id: string }[];
  const place = async () => {
    const scheduledAt = new Date(Date.now() + 60_000).toISOString();
    const json = { phoneNumber: "+15550100001", agentId: agent?.id, scheduledAt };
    const { id } = dataOf(await send(api.url, { path: "/api/v1/calls", headers, json }));
    await send(api.url, { method: "POST", path: `/api/v1/calls/${id}/hangup`, headers });
    await addRecording(world, id);
    return id as string;
  };
  const [old, young] = [await place(), await place()];
  // What has ended cannot be made to have ended earlier, except in the database.
  await run(world.db, "alter table calls disable trigger call_end_is_final");
  await run(world.db, "update calls set ended_at = now() - interval '25 hours' where id = $1", [old]);
  await run(world.db, "alter table calls enable trigger call_end_is_final");
  const json = { retentionDays: { recordings: 1, transcripts: null } };
  expect((await send(api.url, { method: "PATCH", path: "/api/v1/settings", headers: cookie, json })).status).toBe(200);

  // The tables of the jobs are created one after the other; the schedule is written when all of them exist.
  const crontabs = "graphile_worker._private_known_crontabs";
  await until(
    async () => {
      const [made] = await run<{ is: boolean }>(world.db, "select to_regclass($1) is not null as is", [crontabs]);
      return made?.is ? run(world.db, `select identifier from ${crontabs}`) : [];
    },
    (jobs) => jobs.length > 0,
    30_000,
  );
  await run(world.db, "select graphile_worker.add_job('expire_retained')");
  const read = async (id: string) => dataOf(await send(api.url, { path: `/api/v1/calls/${id}`, headers }));
  const pathOf = async (id: string) =>
    recordingPath(recordingsFolder(world.dataDir), { id, created_at: new Date((await read(id)).createdAt) });
  const [oldPath, youngPath] = [await pathOf(old), await pathOf(young)];
  await until(
    async () => [(await read(old)).recording.status, existsSync(oldPath)],
    ([status, isThere]) => status === "erased" && isThere === false,
    60_000,
  );
  expect([(await read(young)).recording.status, existsSync(youngPath)]).toEqual(["ready", true]);
  const notes = dataOf(await send(api.url, { path: "/api/v1/audit", headers: cookie })) as { action: string }[];
  expect(notes).toContainEqual(
    expect.objectContaining({ action: "recordings.expired", actor: "service", data: { days: 1, callIds: [old] } }),
  );
});
