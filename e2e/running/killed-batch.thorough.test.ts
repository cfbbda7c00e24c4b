import { run } from "@parley/server/platform/database/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

const ROWS = 300;
const KILLS = 3;
const WITHIN_MS = 120_000;

let world: ApiWorld;
let service: ServiceProcess;
let caller: { readonly key: string; readonly agentId: string };

beforeAll(async () => {
  world = await openApiWorld();
  service = await world.start({ PARLEY_LOG_LEVEL: "info" });
  caller = await readFirstRun(service);
});
afterAll(() => world?.close());

async function countPlaced(): Promise<number> {
  const [row] = await run<{ n: number }>(world.db, "select count(*)::int as n from calls");
  return row?.n ?? 0;
}

test("a service that is killed again and again while it places a batch calls every number once", async () => {
  const { key, agentId } = caller;
  const rows = Array.from({ length: ROWS }, (_, n) => ({ phoneNumber: `+1555${String(2_000_000 + n)}` }));
  const body = { name: "Killed", agentId, rows };
  const headers = { "idempotency-key": "killed-batch" };
  const created = await ask(service.url, "/api/v1/batches", { key, body, headers });
  expect(created.status).toBe(200);
  const placedAtKill: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await countPlaced();
    await until(countPlaced, (placed) => placed > before || placed === ROWS, WITHIN_MS);
    await service.end("SIGKILL");
    placedAtKill.push(await countPlaced());
    service = await world.start();
    // The client got no reply for all it knows, and sends the request again.
    const again = await ask(service.url, "/api/v1/batches", { key, body, headers });
    expect(again.body.data.id).toBe(created.body.data.id);
  }
  console.log(`placed at each kill: ${placedAtKill.join(", ")} of ${ROWS}`);
  const path = `/api/v1/batches/${created.body.data.id}`;
  const done = await until(
    () => ask(service.url, path, { key }),
    ({ body: reply }) => reply.data.status === "done",
    WITHIN_MS,
  );
  expect(done.body.data.counts).toMatchObject({ rows: ROWS, waiting: 0, inProgress: ROWS, refused: 0 });
  const numbers = await run<{ n: number }>(
    world.db,
    "select count(*)::int as n from calls group by phone_number having count(*) > 1",
  );
  expect(numbers).toEqual([]);
  expect(await countPlaced()).toBe(ROWS);
});
