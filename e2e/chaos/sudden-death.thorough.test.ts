import { join } from "node:path";
import { checkInvariants } from "@parley/server/platform/checks/check-invariants";
import { openDatabase } from "@parley/server/platform/database/database";
import { connectionUrl, readConnectionFile } from "@parley/server/platform/database/embedded/connection-file";
import { readPostmasterFile } from "@parley/server/platform/database/embedded/postmaster-process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { readFirstRun, type ServiceProcess, startService } from "../harness/service-process.ts";

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let service: ServiceProcess;

beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({ dataDir: folder.path });
});
afterAll(async () => {
  await service?.end("SIGINT");
  await folder?.remove();
});

const CALLS = 8;

test("a service killed with calls on the line restarts on its surviving database and brings every call to an end", async () => {
  const { key, agentId } = await readFirstRun(service);
  const read = async (id: string) => (await ask(service.url, `/api/v1/calls/${id}`, { key })).body.data;
  const place = async (phoneNumber: string) => {
    const newCall = { phoneNumber, agentId, ringTimeoutSeconds: 5 };
    const { body } = await ask(service.url, "/api/v1/calls", { key, body: newCall });
    return body.data.id as string;
  };
  const ids: string[] = [];
  for (let n = 0; n < CALLS; n += 1) ids.push(await place(n % 2 === 0 ? "+15550100009" : "+15550100003"));
  // New accounts may send two calls a second, so the last ones still wait when the first ones ring.
  await until(
    () => Promise.all(ids.map(read)),
    (calls) => calls.some(({ phase }) => phase === "ringing" || phase === "talking"),
    60_000,
  );
  const cluster = join(folder.path, "postgres", "database", "cluster");
  const databasePid = readPostmasterFile(cluster)?.pid;
  const { port } = service;
  await service.end("SIGKILL");

  service = await startService({ dataDir: folder.path, port });
  expect(readPostmasterFile(cluster)?.pid).toBe(databasePid);
  expect(service.output()).toContain('"attached":true');
  const hangUp = (id: string) => ask(service.url, `/api/v1/calls/${id}/hangup`, { key, method: "POST" });
  const ended = await until(
    async () => {
      const calls = await Promise.all(ids.map(read));
      // Calls returned to the queue are conducted again, to callees who never hang up.
      await Promise.all(calls.filter(({ phase }) => phase === "talking").map(({ id }) => hangUp(id)));
      return calls;
    },
    (calls) => calls.every(({ phase }) => phase === "ended"),
    90_000,
  );
  const reasons = new Set(ended.map(({ endReason }) => endReason));
  expect(reasons).toContain("worker_lost");
  for (const reason of reasons) expect(["worker_lost", "api_hangup", "no_answer", "callee_hangup"]).toContain(reason);

  const url = connectionUrl(readConnectionFile(join(folder.path, "postgres", "database", "connection.json")));
  const db = openDatabase({ url, connectionsMax: 1, applicationName: "check", onIdleError: () => undefined });
  const { results } = await checkInvariants(db);
  await db.destroy();
  expect(results.flatMap(({ violations }) => violations)).toEqual([]);
}, 180_000);
