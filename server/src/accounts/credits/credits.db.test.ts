import { Account, LedgerEntry, Rate, SIGN_UP_CREDIT_MICROS } from "@parley/contract/credits";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient, walkPages } from "../../platform/http/testing/open-test-api.ts";
import { LOCAL_ENGINE } from "../../speech/engines/engine-catalog.ts";
import { createEngineRegistry } from "../../speech/models/engine-registry.ts";
import { findRate } from "./find-rate.ts";
import { postTransfer } from "./ledger-store.ts";
import { creditRoutes } from "./routes.ts";

let database: TestDatabase;
let api: TestApi;
let ours: TestClient;
let theirs: TestClient;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  const known = [LOCAL_ENGINE, { ...LOCAL_ENGINE, name: "abroad", missing: ["Set THEIR_KEY."] }];
  const catalog = { list: () => known, find: (name: string) => known.find((engine) => engine.name === name) };
  const engines = createEngineRegistry({ catalog });
  api = openTestApi(database.db, (cursors) =>
    creditRoutes({
      db: database.db,
      cursors,
      engines,
      requestsPerSecond: 100,
      liveCalls: { goToTrunks: () => false, areCharged: () => false },
    }),
  );
  ours = await api.addAccount("Ours");
  theirs = await api.addAccount("Theirs");
});
afterAll(async () => {
  await api.close();
  await database.close();
});

async function giveCredit(client: TestClient, micros: bigint): Promise<void> {
  await inTransaction(database.db, (tx) =>
    postTransfer(tx, {
      accountId: client.accountId,
      kind: "sign_up_credit",
      availableMicros: micros,
      fundedMicros: -micros,
    }),
  );
}

async function hold(client: TestClient, micros: bigint): Promise<string> {
  const callId = makeId("call");
  await inTransaction(database.db, (tx) =>
    postTransfer(tx, {
      accountId: client.accountId,
      kind: "hold",
      callId,
      availableMicros: -micros,
      heldMicros: micros,
    }),
  );
  return callId;
}

async function settle(client: TestClient, callId: string, held: bigint, cost: bigint, note = ""): Promise<void> {
  await inTransaction(database.db, (tx) =>
    postTransfer(tx, {
      accountId: client.accountId,
      kind: cost > 0n ? "settled" : "released",
      callId,
      note,
      availableMicros: held - cost,
      heldMicros: -held,
      earnedMicros: cost,
    }),
  );
}

describe("the account's standing", () => {
  it("shows balance, holds, limits and what was spent today", async () => {
    const client = await api.addAccount("Standing");
    await giveCredit(client, SIGN_UP_CREDIT_MICROS);
    await hold(client, 60_000n);
    await run(database.db, "update accounts set daily_spend_cap_micros = 5000000 where id = $1", [client.accountId]);
    await run(
      database.db,
      "insert into spend_days values ($1, (now() at time zone 'utc')::date, 60000), ($1, '2020-01-01', 999)",
      [client.accountId],
    );
    const reply = await client.send("GET", "/account");
    expect(reply.status).toBe(200);
    expect(reply.read(Account)).toMatchObject({
      id: client.accountId,
      name: "Standing",
      balance: "9.94",
      held: "0.06",
      limits: {
        requestsPerSecond: 100,
        concurrentCalls: 20,
        callsPerSecond: 2,
        queuedCalls: 10_000,
        dailySpendCap: "5.00",
      },
      usage: { activeCalls: 0, queuedCalls: 0, spentToday: "0.06" },
    });
  });

  it("counts calls and limits of the key's own mode only", async () => {
    const client = await api.addAccount("Modes");
    await addQueuedCalls(client, "live", 3);
    await run(
      database.db,
      "update dispatch_lanes set concurrency_max = 7, active_count = 2 where account_id = $1 and mode = 'live'",
      [client.accountId],
    );
    const live = (await client.send("GET", "/account", { mode: "live" })).read(Account);
    const test = (await client.send("GET", "/account", { mode: "test" })).read(Account);
    expect(live).toMatchObject({ limits: { concurrentCalls: 7 }, usage: { activeCalls: 2, queuedCalls: 3 } });
    expect(test).toMatchObject({ limits: { concurrentCalls: 20 }, usage: { activeCalls: 0, queuedCalls: 0 } });
  });
});

async function addQueuedCalls(client: TestClient, mode: "test" | "live", count: number): Promise<void> {
  const flow = JSON.stringify({ schemaVersion: 1, variables: [], nodes: [] });
  const agent_id = makeId("agent");
  const agent = { id: agent_id, account_id: client.accountId, name: "A", engine: null, language: "en", flow };
  await database.db.insertInto("agents").values(agent).execute();
  const version = { id: makeId("agentVersion"), agent_id, version: 1, note: "", engine: null, language: "en", flow };
  await database.db.insertInto("agent_versions").values(version).execute();
  const calls = Array.from({ length: count }, () => ({
    id: makeId("call"),
    account_id: client.accountId,
    mode,
    api_key_id: null,
    member_id: null,
    phone_number: "+15550100001",
    agent_id,
    agent_version: 1,
    engine: "local",
    from_number: null,
    variables: "{}",
    metadata: "{}",
    max_duration_seconds: 600,
    ring_timeout_seconds: 30,
  }));
  await database.db.insertInto("calls").values(calls).execute();
}

describe("the ledger", () => {
  it("shows each call that cost something as one line of what it cost, newest first, page by page", async () => {
    const client = await api.addAccount("Ledger");
    await giveCredit(client, 10_000_000n);
    const callIds: string[] = [];
    for (let count = 0; count < 4; count += 1) callIds.unshift(await hold(client, 20_000n));
    for (const callId of callIds) await settle(client, callId, 20_000n, 10_500n);
    const seen = await walkPages(client, "/account/ledger", 2, LedgerEntry);
    expect(new Set(seen.map(({ callId }) => callId))).toEqual(new Set([...callIds, null]));
    expect(seen).toHaveLength(5);
    expect(seen[0]).toMatchObject({ kind: "call", amount: "-0.0105" });
    expect(seen.map(({ createdAt }) => createdAt)).toEqual(
      seen
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    );
  });

  it("shows what is reserved as held and not as a line, and all lines add up to balance and held", async () => {
    const client = await api.addAccount("Reserved");
    await giveCredit(client, 10_000_000n);
    const [talked, unanswered, failed] = [
      await hold(client, 60_000n),
      await hold(client, 60_000n),
      await hold(client, 60_000n),
    ];
    await hold(client, 60_000n);
    await settle(client, talked, 60_000n, 10_500n);
    await settle(client, unanswered, 60_000n, 0n);
    await settle(client, failed, 60_000n, 0n, "The speech recognizer failed.");
    const { data } = (await client.send("GET", "/account/ledger")).readPage(LedgerEntry);
    expect(data.map(({ kind, amount, note }) => [kind, amount, note])).toEqual([
      ["call_not_charged", "0.00", "The speech recognizer failed."],
      ["call", "-0.0105", ""],
      ["sign_up_credit", "10.00", ""],
    ]);
    expect((await client.send("GET", "/account")).read(Account)).toMatchObject({ balance: "9.9295", held: "0.06" });
  });

  it("shows nothing of another account and refuses its cursors, and altered ones", async () => {
    await giveCredit(ours, 10_000_000n);
    await settle(ours, await hold(ours, 10_000n), 10_000n, 5_000n);
    expect((await theirs.send("GET", "/account/ledger")).body).toEqual({ success: true, data: [], nextCursor: null });
    const { nextCursor } = (await ours.send("GET", "/account/ledger?limit=1")).readPage(LedgerEntry);
    for (const reply of [
      await theirs.send("GET", `/account/ledger?cursor=${nextCursor}`),
      await ours.send("GET", `/account/ledger?cursor=x${nextCursor}`),
    ]) {
      expect(reply).toMatchObject({ status: 422, body: { error: { code: "validation_failed", param: "cursor" } } });
    }
  });
});

describe("rates", () => {
  beforeAll(async () => {
    await run(
      database.db,
      "insert into rates (prefix, per_minute_micros) values ('+44', 30000), ('+447', 90000), ('+4420', 15000) on conflict (prefix) do update set per_minute_micros = excluded.per_minute_micros",
    );
  });

  it.each([
    ["+442071838750", "+4420", 15_000n],
    ["+447400123456", "+447", 90_000n],
    ["+441632960001", "+44", 30_000n],
    ["+9990000000", "+", 20_000n],
  ])("prices %s by its longest prefix", async (phoneNumber, prefix, routePerMinuteMicros) => {
    const rate = await findRate(database.db, phoneNumber, "local");
    expect(rate).toEqual({ prefix, routePerMinuteMicros, enginePerMinuteMicros: 10_000n });
  });

  it("charges nothing for an engine that has no price", async () => {
    expect((await findRate(database.db, "+33123456789", "unpriced")).enginePerMinuteMicros).toBe(0n);
  });

  it("returns the country, the surcharge of each engine, and what an engine lacks that cannot be used", async () => {
    const reply = await ours.send("GET", `/rates?phoneNumber=${encodeURIComponent("+447400123456")}`);
    expect(reply.status).toBe(200);
    expect(reply.read(Rate)).toMatchObject({ prefix: "+447", country: "GB", routePerMinute: "0.09" });
    expect(reply.read(Rate).engines).toEqual([
      { engine: "local", perMinute: "0.01", totalPerMinute: "0.10", available: true, missing: [] },
      { engine: "abroad", perMinute: "0.00", totalPerMinute: "0.09", available: false, missing: ["Set THEIR_KEY."] },
    ]);
  });

  it("names no country where the number does not identify one", async () => {
    const reply = await ours.send("GET", `/rates?phoneNumber=${encodeURIComponent("+9990000000")}`);
    expect(reply).toMatchObject({ status: 200, body: { data: { country: null, prefix: "+" } } });
  });

  it("refuses a number that is not one, and a question without a number", async () => {
    expect(await ours.send("GET", "/rates?phoneNumber=44")).toMatchObject({ status: 422 });
    expect(await ours.send("GET", "/rates")).toMatchObject({
      status: 422,
      body: { error: { details: [{ param: "phoneNumber", code: "required" }] } },
    });
  });

  it("refuses a number that no rate covers, once an operator has removed the rate for all others", async () => {
    const done = new Error("leave the rates as they were");
    const attempt = inTransaction(database.db, async (tx) => {
      await run(tx, "delete from rates where prefix = '+'");
      await expect(findRate(tx, "+9990000000", "local")).rejects.toMatchObject({ code: "destination_not_allowed" });
      throw done;
    });
    await expect(attempt).rejects.toBe(done);
  });
});
