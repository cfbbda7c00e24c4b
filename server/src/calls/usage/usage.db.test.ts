import { makeId } from "@parley/contract/ids";
import { Usage } from "@parley/contract/usage";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient } from "../../platform/http/testing/open-test-api.ts";
import { usageRoutes } from "./routes.ts";

const NOW = "2026-06-15T10:20:00.000Z";
let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(database.db, () => usageRoutes({ db: database.db, nowMs: () => Date.parse(NOW) }));
});
afterAll(async () => {
  await api.close();
  await database.close();
});

interface Fate {
  readonly at: string;
  readonly mode?: "test" | "live";
  readonly reason?: string;
  readonly talkSeconds?: number;
  readonly costMicros?: number;
  readonly repliesMs?: readonly number[];
}

/** An account whose calls end as scripted. */
async function openAccount() {
  const client = await api.addAccount("Ours");
  const agentId = makeId("agent");
  await run(
    database.db,
    "insert into agents (id, account_id, name, language, flow) values ($1, $2, 'Agent', 'en-US', '{}')",
    [agentId, client.accountId],
  );
  await run(
    database.db,
    "insert into agent_versions (id, agent_id, version, language, flow) values ($1, $2, 1, 'en-US', '{}')",
    [makeId("agentVersion"), agentId],
  );
  async function place(at: string, mode: "test" | "live" = "test"): Promise<string> {
    const id = makeId("call");
    await run(
      database.db,
      `insert into calls (id, account_id, mode, phone_number, agent_id, agent_version, engine, max_duration_seconds,
         ring_timeout_seconds, created_at)
       values ($1, $2, $3, '+15550100001', $4, 1, 'local', 600, 30, $5)`,
      [id, client.accountId, mode, agentId, at],
    );
    return id;
  }
  async function end({ at, mode, reason = "callee_hangup", talkSeconds, costMicros = 0, repliesMs = [] }: Fate) {
    const id = await place(at, mode);
    if (talkSeconds !== undefined)
      await run(database.db, "update calls set answered_at = created_at where id = $1", [id]);
    for (const [index, totalMs] of repliesMs.entries()) {
      await run(
        database.db,
        "insert into transcript_items (call_id, ordinal, type, start_ms, item) values ($1, $2, 'speech', 0, $3)",
        [id, index + 1, JSON.stringify({ type: "speech", timing: { totalMs } })],
      );
    }
    await inTransaction(database.db, (tx) =>
      run(
        tx,
        `update calls set state = 'ended', status = case when $2::int is null then 'failed' else 'completed' end,
           end_reason = $3, ended_at = created_at, duration_seconds = $2, cost_micros = $4 where id = $1`,
        [id, talkSeconds ?? null, reason, costMicros],
      ),
    );
  }
  return { client, place, end };
}

const ask = async (client: TestClient, query: Record<string, string> = {}, mode: "test" | "live" = "test") =>
  (await client.send("GET", `/usage?${new URLSearchParams(query)}`, { mode })).read(Usage);

describe("usage totals", () => {
  it("counts every call once: completed, failed and live ones", async () => {
    const { client, place, end } = await openAccount();
    await end({ at: "2026-06-14T09:01:00Z", talkSeconds: 61 });
    await end({ at: "2026-06-14T09:14:59Z", talkSeconds: 30 });
    await end({ at: "2026-06-15T09:00:00Z", reason: "busy" });
    await place("2026-06-15T10:00:00Z");
    const usage = await ask(client);
    expect(usage.total).toMatchObject({ calls: 4, answered: 2, failed: 1, talkSeconds: 91, spend: "0.00" });
    expect(usage.endReasons).toEqual([
      { endReason: "callee_hangup", calls: 2 },
      { endReason: "busy", calls: 1 },
    ]);
    expect(usage.buckets.at(-1)).toMatchObject({ start: "2026-06-15T00:00:00.000Z", calls: 2, failed: 1 });
  });

  it("adds up live calls to the last micro-dollar, apart from test calls", async () => {
    const { client, end } = await openAccount();
    await end({ at: "2026-06-14T09:00:00Z", mode: "live", talkSeconds: 10, costMicros: 1 });
    await end({ at: "2026-06-15T09:00:00Z", mode: "live", talkSeconds: 10, costMicros: 42_500 });
    await end({ at: "2026-06-15T09:00:00Z", talkSeconds: 10 });
    expect((await ask(client, {}, "live")).total).toMatchObject({ calls: 2, spend: "0.042501" });
    expect((await ask(client)).total).toMatchObject({ calls: 1, spend: "0.00" });
  });

  it("reveals nothing of another account", async () => {
    const [ours, theirs] = [await openAccount(), await openAccount()];
    await theirs.end({ at: "2026-06-15T09:00:00Z", talkSeconds: 10, repliesMs: [500] });
    expect((await ask(ours.client)).total).toMatchObject({ calls: 0, turns: 0, responseMsP50: null });
  });

  it("returns the 50th and 95th percentile of the delay, over replies and not over calls", async () => {
    const { client, end } = await openAccount();
    await end({ at: "2026-06-15T09:00:00Z", talkSeconds: 60, repliesMs: Array.from({ length: 90 }, () => 400) });
    await end({ at: "2026-06-15T09:50:00Z", talkSeconds: 60, repliesMs: Array.from({ length: 10 }, () => 3000) });
    const { total, buckets } = await ask(client);
    expect(total.turns).toBe(100);
    expect((total.responseMsP50 ?? 0) / 400).toBeCloseTo(1, 1);
    expect((total.responseMsP95 ?? 0) / 3000).toBeCloseTo(1, 1);
    expect(buckets.at(-1)).toMatchObject({ responseMsP50: total.responseMsP50, turns: 100 });
    expect(buckets.at(-2)).toMatchObject({ responseMsP50: null, turns: 0 });
  });
});

describe("how a period is cut up", () => {
  const starts = ({ buckets }: Usage) => buckets.map(({ start }) => start);
  const period = (from: string, to: string, more: Record<string, string> = {}) => ({ from, to, ...more });

  it("shows days in which nothing happened, and by default the last 30 days", async () => {
    const { client } = await openAccount();
    const usage = await ask(client);
    expect(usage.buckets).toHaveLength(31);
    expect(usage.buckets.every(({ calls }) => calls === 0)).toBe(true);
    expect(usage.to).toBe("2026-06-15T10:30:00.000Z");
  });

  it("begins days at midnight of the requested time zone, even with a quarter-hour offset", async () => {
    const { client, end } = await openAccount();
    await end({ at: "2026-06-13T18:14:59Z", talkSeconds: 1 });
    await end({ at: "2026-06-13T18:15:00Z", talkSeconds: 1 });
    const query = period("2026-06-12T18:15:00Z", "2026-06-14T18:15:00Z", { timeZone: "Asia/Kathmandu" });
    const usage = await ask(client, query);
    expect(starts(usage)).toEqual(["2026-06-12T18:15:00.000Z", "2026-06-13T18:15:00.000Z"]);
    expect(usage.buckets.map(({ calls }) => calls)).toEqual([1, 1]);
  });

  it("knows days of 23 and 25 hours", async () => {
    const { client } = await openAccount();
    const spring = await ask(
      client,
      period("2026-03-27T23:00:00Z", "2026-03-30T22:00:00Z", { timeZone: "Europe/Berlin" }),
    );
    expect(starts(spring)).toEqual([
      "2026-03-27T23:00:00.000Z",
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
    ]);
    const autumn = await ask(
      client,
      period("2026-10-24T22:00:00Z", "2026-10-26T23:00:00Z", { timeZone: "Europe/Berlin" }),
    );
    expect(starts(autumn)).toEqual(["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"]);
  });

  it("keeps the hour that a clock shows twice apart", async () => {
    const { client, end } = await openAccount();
    await end({ at: "2026-10-25T00:30:00Z", talkSeconds: 1 });
    await end({ at: "2026-10-25T01:30:00Z", talkSeconds: 1 });
    const query = period("2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z", {
      granularity: "hour",
      timeZone: "Europe/Berlin",
    });
    expect((await ask(client, query)).buckets.map(({ start, calls }) => [start, calls])).toEqual([
      ["2026-10-25T00:00:00.000Z", 1],
      ["2026-10-25T01:00:00.000Z", 1],
    ]);
  });

  it("leaves out what lies outside, to the quarter of an hour", async () => {
    const { client, place, end } = await openAccount();
    for (const at of ["2026-06-01T11:59:59Z", "2026-06-01T12:00:00Z", "2026-06-01T12:59:59Z", "2026-06-01T13:00:00Z"]) {
      await end({ at, reason: "busy" });
      await place(at);
    }
    const query = period("2026-06-01T12:07:00Z", "2026-06-01T12:50:00Z", { granularity: "hour" });
    expect((await ask(client, query)).total.calls).toBe(4);
  });

  it.each([
    [{ granularity: "week" }, "granularity"],
    [{ timeZone: "Mars/Olympus" }, "timeZone"],
    [{ timeZone: "+05:30" }, "timeZone"],
    [{ from: "2026-06-15T10:20:00Z", to: "2026-06-15T10:20:00Z" }, "from"],
    [{ from: "2026-01-01T00:00:00Z", granularity: "hour" }, "from"],
    [{ from: "2020-01-01T00:00:00Z" }, "from"],
    [{ from: "yesterday" }, "from"],
  ])("%j is refused and the field at fault is named", async (query, param) => {
    const { client } = await openAccount();
    const reply = await client.send("GET", `/usage?${new URLSearchParams(query as Record<string, string>)}`);
    expect(reply).toMatchObject({ status: 422, body: { error: { param } } });
  });
});
