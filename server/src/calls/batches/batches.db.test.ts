import { Batch, BatchCheck, BatchRow } from "@parley/contract/batches";
import { AppError } from "@parley/contract/errors";
import type { Flow } from "@parley/contract/flow";
import { makeId } from "@parley/contract/ids";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi } from "../../platform/http/testing/open-test-api.ts";
import type { CreateCallDeps } from "../create-call.ts";
import { createBatchPlacer, placeBatches } from "./place-batches.ts";
import { batchRoutes } from "./routes.ts";

const FLOW: Flow = {
  schemaVersion: 1,
  variables: ["first_name"],
  nodes: [
    { id: "start", type: "start", next: "bye" },
    { id: "bye", type: "end", text: "Hello {{first_name}}." },
  ],
};

/** What each number gets from the gate; everything else may be called. */
const REFUSED = "+15550199999";
const NO_CREDIT = "+15550188888";

const deps: CreateCallDeps = {
  findAgent: async (_, __, agentId) =>
    agentId.endsWith("none") ? null : { version: 1, engine: null, needsModel: false },
  chooseEngine: () => "local",
  refuseFlow: async () => undefined,
  findRate: async () => ({ prefix: "+1", routePerMinuteMicros: 20_000n, enginePerMinuteMicros: 10_000n }),
  routeCall: () => ({ network: "simulated", isCharged: false }),
  judgeNumber: async (_, { phoneNumber }) =>
    phoneNumber === REFUSED
      ? { decision: "refused", reasons: ["suppressed"] }
      : { decision: "allowed", reasons: ["simulated_network"] },
  countAndHoldCredit: async (_, { phoneNumber }) => {
    if (phoneNumber === NO_CREDIT) throw new AppError("insufficient_credit", "The credit is used up.");
  },
  nowMs: Date.now,
  refuseCallerId: () => null,
};

let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  // Placing is started by the tests, so that they decide when.
  api = openTestApi(database.db, (cursors) =>
    batchRoutes({ ...deps, db: database.db, cursors, startPlacing: () => undefined }),
  );
});
afterAll(async () => {
  await api.close();
  await database.close();
});

/** Whether a statement of this database waits for the end of another transaction. */
async function isWaitingForTransaction(): Promise<boolean> {
  const waiting = `select 1 from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'transactionid' and not l.granted and a.datname = current_database()`;
  return (await run(database.db, waiting)).length > 0;
}

async function open(queuedMax = 10_000) {
  const client = await api.addAccount("Ours");
  const { accountId } = client;
  await run(database.db, "update dispatch_lanes set queued_max = $2 where account_id = $1", [accountId, queuedMax]);
  await run(
    database.db,
    "insert into api_keys (id, account_id, mode, name, prefix, last_four, digest, scopes) values ($1, $2, 'test', 'k', '', '', $3, '{}')",
    [`key_${accountId}`, accountId, Buffer.from(accountId)],
  );
  const agentId = makeId("agent");
  await run(
    database.db,
    "insert into agents (id, account_id, name, language, flow) values ($1, $2, 'Agent', 'en-US', $3)",
    [agentId, accountId, JSON.stringify(FLOW)],
  );
  await run(
    database.db,
    "insert into agent_versions (id, agent_id, version, note, language, flow) values ($1, $2, 1, '', 'en-US', $3)",
    [makeId("agentVersion"), agentId, JSON.stringify(FLOW)],
  );
  const create = async (numbers: readonly string[], headers: Record<string, string> = {}, name = "List") =>
    client.send("POST", "/batches", {
      headers,
      body: {
        name,
        agentId,
        rows: numbers.map((phoneNumber) => ({ phoneNumber, metadata: { from: "list" } })),
      },
    });
  const get = async (id: string) => (await client.send("GET", `/batches/${id}`)).read(Batch);
  const rows = async (id: string, query = "") =>
    (await client.send("GET", `/batches/${id}/rows${query}`)).readPage(BatchRow);
  const calls = async () =>
    run<{ phone_number: string; n: number }>(
      database.db,
      "select phone_number, count(*)::int as n from calls where account_id = $1 group by 1 order by 1",
      [accountId],
    );
  return { client, agentId, create, get, rows, calls };
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => `+1555010${String(n).padStart(4, "0")}`);

test("every row is called once, in order, and the batch is then done", async () => {
  const { create, get, rows, calls } = await open();
  const { id, counts } = (await create(numbers(5))).read(Batch);
  expect(counts).toMatchObject({ rows: 5, waiting: 5 });
  await placeBatches({ ...deps, db: database.db });
  expect(await get(id)).toMatchObject({ status: "done", counts: { waiting: 0, inProgress: 5 } });
  expect((await calls()).map(({ n }) => n)).toEqual([1, 1, 1, 1, 1]);
  const page = await rows(id, "?limit=2");
  expect(page.data.map(({ number, status, call }) => [number, status, call?.phase])).toEqual([
    [1, "placed", "queued"],
    [2, "placed", "queued"],
  ]);
  expect((await rows(id, `?limit=100&cursor=${page.nextCursor}`)).data).toHaveLength(3);
});

test("several processes at once call no row twice", async () => {
  const { create, calls } = await open();
  await create(numbers(40));
  await Promise.all([1, 2, 3, 4].map(() => placeBatches({ ...deps, db: database.db })));
  await placeBatches({ ...deps, db: database.db });
  expect((await calls()).map(({ n }) => n)).toEqual(Array.from({ length: 40 }, () => 1));
});

test("a process that dies while it places a row leaves neither a call nor a lost row", async () => {
  const { create, get, calls } = await open();
  const { id } = (await create(numbers(3))).read(Batch);
  let left = 1;
  const dying = {
    ...deps,
    db: database.db,
    // The last step before the commit.
    countAndHoldCredit: async () => {
      if (left-- <= 0) throw new Error("killed");
    },
  };
  await expect(placeBatches(dying)).rejects.toThrow("killed");
  expect(await calls()).toHaveLength(1);
  expect((await get(id)).counts).toMatchObject({ waiting: 2, inProgress: 1 });
  await placeBatches({ ...deps, db: database.db });
  expect((await calls()).map(({ n }) => n)).toEqual([1, 1, 1]);
});

test("a repeated request with the same key creates one batch", async () => {
  const { client, create } = await open();
  const first = (await create(numbers(2), { "idempotency-key": "one" })).read(Batch);
  const again = await create(numbers(2), { "idempotency-key": "one" });
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(again.read(Batch).id).toBe(first.id);
  expect((await client.send("GET", "/batches")).readPage(Batch).data).toHaveLength(1);
});

test("a number that may not be called is refused with the reason, and the others are called", async () => {
  const { create, get, rows } = await open();
  const { id } = (await create([...numbers(1), REFUSED])).read(Batch);
  await placeBatches({ ...deps, db: database.db });
  expect(await get(id)).toMatchObject({ status: "done", counts: { refused: 1, inProgress: 1 } });
  expect((await rows(id, "?status=refused")).data).toMatchObject([
    { number: 2, status: "refused", refusal: { code: "destination_not_allowed" }, call: null },
  ]);
});

test("missing credit pauses the batch instead of refusing every row", async () => {
  const { client, create, get } = await open();
  const { id } = (await create([NO_CREDIT, ...numbers(2)])).read(Batch);
  await placeBatches({ ...deps, db: database.db });
  expect(await get(id)).toMatchObject({ status: "paused", counts: { waiting: 3 } });
  expect((await get(id)).pausedBecause).toContain("credit");
  expect((await client.send("POST", `/batches/${id}/resume`)).read(Batch)).toMatchObject({
    status: "running",
    pausedBecause: null,
  });
});

test("a paused batch places nothing until it is resumed, and a canceled one never does", async () => {
  const { client, create, get, calls } = await open();
  const { id } = (await create(numbers(3))).read(Batch);
  const move = (verb: string) => client.send("POST", `/batches/${id}/${verb}`);
  expect((await move("pause")).read(Batch).status).toBe("paused");
  await placeBatches({ ...deps, db: database.db });
  expect(await calls()).toEqual([]);
  await move("resume");
  await move("cancel");
  await placeBatches({ ...deps, db: database.db });
  expect(await calls()).toEqual([]);
  expect(await get(id)).toMatchObject({ status: "canceled", counts: { canceled: 3, waiting: 0 } });
  expect(await move("resume")).toMatchObject({ status: 409, body: { error: { code: "invalid_state" } } });
});

test("a pause that comes while the last row is placed is refused with what the batch has become", async () => {
  const { client, create } = await open();
  const { id } = (await create(numbers(1))).read(Batch);
  let pause: ReturnType<typeof client.send> | null = null;
  await database.db.transaction().execute(async (tx) => {
    await run(tx, "update call_batches set status = 'done' where id = $1", [id]);
    pause = client.send("POST", `/batches/${id}/pause`);
    // It has read the batch as running, and waits for the one who has finished it.
    await expect.poll(isWaitingForTransaction, { timeout: 10_000 }).toBe(true);
  });
  expect(await pause).toMatchObject({ status: 409, body: { error: { message: "The batch is done." } } });
});

test("a full queue leaves rows for later, and other batches go on", async () => {
  const [full, free] = [await open(2), await open()];
  const { id } = (await full.create(numbers(3))).read(Batch);
  await free.create(numbers(2));
  await placeBatches({ ...deps, db: database.db });
  expect(await full.get(id)).toMatchObject({ status: "running", counts: { waiting: 1, inProgress: 2 } });
  expect(await free.calls()).toHaveLength(2);
  await full.client.send("POST", `/batches/${id}/cancel`);
});

describe("a batch that is longer than the account may dial", () => {
  const place = () => placeBatches({ ...deps, db: database.db });
  async function openNarrow() {
    const account = await open();
    const { accountId } = account.client;
    await run(database.db, "update dispatch_lanes set concurrency_max = 2 where account_id = $1", [accountId]);
    const dial = (count: number) =>
      run(
        database.db,
        `update calls set state = 'claimed' where id in (
           select id from calls where account_id = $1 and state = 'queued' order by created_at, id limit $2)`,
        [accountId, count],
      );
    return { ...account, dial };
  }

  test("is placed little by little, as its calls are dialed", async () => {
    const { create, get, dial } = await openNarrow();
    const { id } = (await create(numbers(9))).read(Batch);
    expect((await place()).isMoreLater).toBe(true);
    expect((await get(id)).counts).toMatchObject({ waiting: 5, inProgress: 4 });
    await place();
    expect((await get(id)).counts).toMatchObject({ waiting: 5 });
    await dial(3);
    await place();
    expect((await get(id)).counts).toMatchObject({ waiting: 2, inProgress: 7 });
    await dial(9);
    await place();
    expect(await get(id)).toMatchObject({ status: "done", counts: { waiting: 0, inProgress: 9 } });
    expect((await place()).isMoreLater).toBe(false);
  });

  test("holds its other rows when it is paused", async () => {
    const { client, create, get, dial } = await openNarrow();
    const { id } = (await create(numbers(9))).read(Batch);
    await place();
    await client.send("POST", `/batches/${id}/pause`);
    await dial(9);
    await place();
    expect(await get(id)).toMatchObject({ status: "paused", counts: { waiting: 5, inProgress: 4 } });
  });

  test("is not held up by calls that wait for their time", async () => {
    const { client, create, get } = await openNarrow();
    const { id } = (await create(numbers(6))).read(Batch);
    await place();
    await run(database.db, "update calls set due_at = now() + interval '1 hour' where account_id = $1", [
      client.accountId,
    ]);
    await place();
    expect((await get(id)).counts).toMatchObject({ waiting: 0, inProgress: 6 });
  });

  test("is placed by one process to its end without being asked again", async () => {
    const { create, get, dial } = await openNarrow();
    const { id } = (await create(numbers(9))).read(Batch);
    const clock = createVirtualClock();
    const placer = createBatchPlacer({ ...deps, db: database.db }, clock, (error) => {
      throw error;
    });
    placer.start();
    for (const waiting of [5, 1, 0]) {
      await expect
        .poll(async () => {
          await clock.advance(1000);
          return (await get(id)).counts.waiting;
        })
        .toBe(waiting);
      await dial(4);
    }
    await placer.stop();
    expect((await get(id)).status).toBe("done");
  });
});

test("a list is checked row by row: numbers, variables, duplicates and the gate", async () => {
  const { client, agentId } = await open();
  const variables = { first_name: "Ada" };
  const body = {
    agentId,
    rows: [
      { phoneNumber: "+15550100001", variables },
      { phoneNumber: "555-0100", variables },
      { phoneNumber: "+15550100002", variables: { first_name: " " } },
      { phoneNumber: "+15550100001", variables },
      { phoneNumber: REFUSED, variables },
    ],
  };
  const { rows } = (await client.send("POST", "/batches/check", { body })).read(BatchCheck);
  expect(rows.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
    [],
    ["not_e164"],
    ["missing_variable"],
    ["duplicate"],
    ["destination_not_allowed"],
  ]);
});

test("the results are a file with one line per row, in which no cell is a formula", async () => {
  const { client, create } = await open();
  const { id } = (await create([...numbers(1), REFUSED])).read(Batch);
  await placeBatches({ ...deps, db: database.db });
  const reply = await api.app.inject({
    url: `/api/v1/batches/${id}/results.csv`,
    headers: { authorization: `Bearer svc_test_${client.accountId}` },
  });
  const [head, first, second, end] = reply.body.split("\r\n");
  expect(head).toMatch(/^row,phoneNumber,rowStatus/);
  expect(first).toMatch(/^1,\+15550100000,placed,,call_\w+,initiated,/);
  expect(second).toMatch(/^2,\+15550199999,refused,/);
  expect(end).toBe("");
});

test("the file of results is named like its batch, whatever characters its name has", async () => {
  const { client, create } = await open();
  const { id } = (await create(numbers(1), {}, "Müller (“May”)")).read(Batch);
  const reply = await api.app.inject({
    url: `/api/v1/batches/${id}/results.csv`,
    headers: { authorization: `Bearer svc_test_${client.accountId}` },
  });
  expect(reply.headers["content-disposition"]).toBe(
    `attachment; filename="${id}.csv"; filename*=UTF-8''M%C3%BCller%20%28%E2%80%9CMay%E2%80%9D%29.csv`,
  );
});

test("a batch of another account or mode does not exist", async () => {
  const [ours, theirs] = [await open(), await open()];
  const { id } = (await ours.create(numbers(1))).read(Batch);
  for (const path of [`/batches/${id}`, `/batches/${id}/rows`, `/batches/${id}/results.csv`]) {
    expect((await theirs.client.send("GET", path)).status).toBe(404);
    expect((await ours.client.send("GET", path, { mode: "live" })).status).toBe(404);
  }
  expect((await theirs.client.send("POST", `/batches/${id}/cancel`)).status).toBe(404);
});

test("a batch of 1,000 rows, which is the most, is accepted with all of them", async () => {
  const { create, get } = await open();
  const accepted = await create(numbers(1000));
  expect(accepted.status).toBe(200);
  expect((await get(accepted.read(Batch).id)).counts).toMatchObject({ rows: 1000, waiting: 1000 });
});

test.each([
  ["an agent that does not exist", { agentId: "agt_none" }, 404],
  ["no rows", { rows: [] }, 422],
  ["too many rows", { rows: numbers(1001).map((phoneNumber) => ({ phoneNumber })) }, 422],
  ["a number that is none", { rows: [{ phoneNumber: "555" }] }, 422],
  ["an unknown field", { colour: "red" }, 422],
])("a batch with %s is refused as a whole", async (_, changes, status) => {
  const { client, agentId } = await open();
  const body = { name: "List", agentId, rows: [{ phoneNumber: "+15550100001" }], ...changes };
  expect((await client.send("POST", "/batches", { body })).status).toBe(status);
  expect((await client.send("GET", "/batches")).readPage(Batch).data).toEqual([]);
});
