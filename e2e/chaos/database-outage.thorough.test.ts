import { join } from "node:path";
import { ErrorReply } from "@parley/contract/errors";
import { readPostmasterFile } from "@parley/server/platform/database/embedded/postmaster-process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { readFirstRun, type ServiceProcess, startService } from "../harness/service-process.ts";

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let service: ServiceProcess;
let key: string;
let agentId: string;

beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({ dataDir: folder.path });
  ({ key, agentId } = await readFirstRun(service));
});
afterAll(async () => {
  await service?.end("SIGINT");
  await folder?.remove();
});

const READY_WITHIN_MS = 10_000;
const cluster = () => join(folder.path, "postgres", "database", "cluster");
const place = (ordinal: number) =>
  ask(service.url, "/api/v1/calls", {
    key,
    headers: { "idempotency-key": `outage-${ordinal}` },
    body: { phoneNumber: "+15550100002", agentId },
  });

test("while the database is down requests get 503 in the envelope, and the service recovers automatically", async () => {
  expect((await place(0)).status).toBe(200);
  const pid = readPostmasterFile(cluster())?.pid;
  if (pid === undefined) throw new Error("there is no database to kill");
  process.kill(pid, "SIGKILL");
  const killedAtMs = Date.now();

  const statuses = new Map<number, number>();
  const readiness = new Set<number>();
  const accepted: string[] = [];
  for (let ordinal = 1; statuses.get(503) === undefined || accepted.length === 0; ordinal += 1) {
    const [placed, ready] = await Promise.all([place(ordinal), ask(service.url, "/readyz")]);
    statuses.set(placed.status, (statuses.get(placed.status) ?? 0) + 1);
    readiness.add(ready.status);
    for (const reply of [placed, ready].filter(({ status }) => status !== 200)) {
      expect(reply.status).toBe(503);
      expect(() => ErrorReply.parse(reply.body)).not.toThrow();
      expect(reply.body.error).toMatchObject({ code: "unavailable", retryable: true });
      expect(Number(reply.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    }
    if (placed.status === 200 && statuses.get(503)) accepted.push(placed.body.data.id);
    if (Date.now() - killedAtMs > READY_WITHIN_MS) break;
  }
  expect([...statuses.keys()].sort()).toEqual([200, 503]);
  expect(readiness).toContain(503);
  expect(accepted).toHaveLength(1);
  expect((await ask(service.url, "/readyz")).body).toEqual({ success: true, data: { status: "ready" } });
  expect((await ask(service.url, "/healthz")).status).toBe(200);

  const ended = await until(
    async () => (await ask(service.url, `/api/v1/calls/${accepted[0]}`, { key })).body.data,
    (call) => call.phase === "ended",
    60_000,
  );
  expect(ended).toMatchObject({ status: "failed", endReason: "busy" });
});
