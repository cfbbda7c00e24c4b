import { makeId } from "@parley/contract/ids";
import { USAGE_DIMENSIONS, Usage, UsageBreakdown } from "@parley/contract/usage";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient } from "../../platform/http/testing/open-test-api.ts";
import { type CallFilter, readCalls } from "../call-store.ts";
import { usageRoutes } from "./routes.ts";

const NOW = "2026-06-15T10:20:00.000Z";
let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(database.db, () => usageRoutes({ reading: () => database.db, nowMs: () => Date.parse(NOW) }));
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
  readonly outcome?: string;
  readonly version?: number;
  readonly engine?: string;
  readonly interruptions?: number;
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
  for (const version of [1, 2, -1]) {
    await run(
      database.db,
      "insert into agent_versions (id, agent_id, version, language, flow) values ($1, $2, $3, 'en-US', '{}')",
      [makeId("agentVersion"), agentId, version],
    );
  }
  async function place(at: string, mode: "test" | "live" = "test", version = 1, engine = "local"): Promise<string> {
    const id = makeId("call");
    await run(
      database.db,
      `insert into calls (id, account_id, mode, phone_number, agent_id, agent_version, engine, max_duration_seconds,
         ring_timeout_seconds, created_at)
       values ($1, $2, $3, '+15550100001', $4, $6, $7, 600, 30, $5)`,
      [id, client.accountId, mode, agentId, at, version, engine],
    );
    return id;
  }
  async function end({
    at,
    mode,
    reason = "callee_hangup",
    talkSeconds,
    costMicros = 0,
    repliesMs = [],
    ...rest
  }: Fate) {
    const id = await place(at, mode, rest.version, rest.engine);
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
           end_reason = $3, ended_at = created_at, duration_seconds = $2, cost_micros = $4,
           analysis = case when $5::text is not null then jsonb_build_object('outcome', $5::text) end,
           latency = case when $2::int is not null then jsonb_build_object('turns', $6::int, 'interruptions', $7::int) end
         where id = $1`,
        [id, talkSeconds ?? null, reason, costMicros, rest.outcome ?? null, repliesMs.length, rest.interruptions ?? 0],
      ),
    );
    return id;
  }
  return { client, agentId, place, end };
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

describe("interruptions", () => {
  it("are counted in the bucket of their call, also across months", async () => {
    const { client, end, place } = await openAccount();
    await end({ at: "2026-05-31T23:50:00Z", talkSeconds: 60, interruptions: 2 });
    await end({ at: "2026-06-01T00:10:00Z", talkSeconds: 60, interruptions: 1 });
    await end({ at: "2026-06-01T00:12:00Z", talkSeconds: 60, interruptions: 3 });
    await end({ at: "2026-06-01T00:13:00Z", reason: "busy" });
    await place("2026-06-01T10:00:00Z");
    const { total, buckets } = await ask(client, { from: "2026-05-31T00:00:00Z", to: "2026-06-03T00:00:00Z" });
    expect(buckets.map(({ interruptions }) => interruptions)).toEqual([2, 4, 0]);
    expect(total.interruptions).toBe(6);
  });

  it("are not known for a period in which some were not counted", async () => {
    const { client, end } = await openAccount();
    await end({ at: "2026-06-01T08:00:00Z", talkSeconds: 60, interruptions: 2 });
    await run(database.db, "update usage_quarters set interruptions = null where account_id = $1", [client.accountId]);
    await end({ at: "2026-06-01T08:01:00Z", talkSeconds: 60, interruptions: 1 });
    await end({ at: "2026-06-02T08:00:00Z", talkSeconds: 60, interruptions: 5 });
    const { total, buckets } = await ask(client, { from: "2026-06-01T00:00:00Z", to: "2026-06-03T00:00:00Z" });
    expect(buckets.map(({ interruptions }) => interruptions)).toEqual([null, 5]);
    expect(total).toMatchObject({ calls: 3, interruptions: null });
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

describe("a breakdown", () => {
  const breakDown = async (client: TestClient, query: Record<string, string>) =>
    (await client.send("GET", `/usage/breakdown?${new URLSearchParams(query)}`)).read(UsageBreakdown).rows;

  it("adds up ended calls by each property, apart from other accounts", async () => {
    const { client, agentId, place, end } = await openAccount();
    await end({ at: "2026-06-14T09:01:00Z", talkSeconds: 61, costMicros: 20_000 });
    await end({ at: "2026-06-15T09:30:00Z", talkSeconds: 30, costMicros: 10_500 });
    await end({ at: "2026-06-15T08:00:00Z", reason: "busy" });
    await place("2026-06-15T10:00:00Z");
    await (await openAccount()).end({ at: "2026-06-15T09:00:00Z", talkSeconds: 10 });
    const all = { calls: 3, answered: 2, failed: 1, talkSeconds: 91, spend: "0.0305" };
    expect(await breakDown(client, { by: "agent" })).toMatchObject([{ key: agentId, ...all }]);
    expect(await breakDown(client, { by: "version", agentId })).toMatchObject([{ key: "1", ...all }]);
    expect(await breakDown(client, { by: "engine" })).toMatchObject([{ key: "local", ...all }]);
    expect(await breakDown(client, { by: "key" })).toMatchObject([{ key: "", ...all }]);
    expect((await breakDown(client, { by: "outcome" })).map(({ key, calls }) => [key, calls])).toEqual([
      ["callee_hangup", 2],
      ["busy", 1],
    ]);
  });

  it("counts hours and days in the requested time zone", async () => {
    const { client, end } = await openAccount();
    await end({ at: "2026-06-13T22:30:00Z", talkSeconds: 1 });
    await end({ at: "2026-06-14T08:00:00Z", talkSeconds: 1 });
    const zone = { timeZone: "Europe/Berlin" };
    const keys = async (by: string) => (await breakDown(client, { by, ...zone })).map(({ key, calls }) => [key, calls]);
    expect(await keys("hour")).toEqual([
      ["0", 1],
      ["10", 1],
    ]);
    expect(await keys("day")).toEqual([["2026-06-14", 2]]);
  });

  const whole = async (client: TestClient, query: Record<string, string>) =>
    (await client.send("GET", `/usage/breakdown?${new URLSearchParams(query)}`)).read(UsageBreakdown);
  const starts = (buckets: readonly { start: string; calls: number }[] | undefined) =>
    buckets?.map(({ start, calls }) => [start, calls]);

  it("has the total of all groups, also of a period without calls", async () => {
    const { client, end } = await openAccount();
    expect((await whole(client, { by: "engine" })).total).toMatchObject({ calls: 0, talkSeconds: 0, spend: "0.00" });
    await end({ at: "2026-06-15T09:30:00Z", talkSeconds: 30, costMicros: 10_500 });
    await end({ at: "2026-06-15T08:00:00Z", reason: "busy" });
    const { total, rows } = await whole(client, { by: "outcome" });
    expect(total).toMatchObject({ calls: 2, answered: 1, failed: 1, talkSeconds: 30, spend: "0.0105" });
    expect([total, ...rows].map(({ buckets }) => buckets)).toEqual([undefined, undefined, undefined]);
  });

  it("is divided by day in the requested time zone: empty days in the total, and only days with calls in a group", async () => {
    const { client, end } = await openAccount();
    await end({ at: "2026-06-13T22:30:00Z", talkSeconds: 20, costMicros: 3_000 });
    await end({ at: "2026-06-14T08:00:00Z", talkSeconds: 1 });
    await end({ at: "2026-06-11T23:00:00Z", reason: "busy" });
    const { total, rows } = await whole(client, {
      ...{ by: "outcome", granularity: "day", timeZone: "Europe/Berlin" },
      ...{ from: "2026-06-11T22:00:00Z", to: "2026-06-14T22:00:00Z" },
    });
    expect(starts(total.buckets)).toEqual([
      ["2026-06-11T22:00:00.000Z", 1],
      ["2026-06-12T22:00:00.000Z", 0],
      ["2026-06-13T22:00:00.000Z", 2],
    ]);
    expect(rows.map(({ key, buckets }) => [key, starts(buckets)])).toEqual([
      ["callee_hangup", [["2026-06-13T22:00:00.000Z", 2]]],
      ["busy", [["2026-06-11T22:00:00.000Z", 1]]],
    ]);
    expect(rows[0]?.buckets).toMatchObject([{ talkSeconds: 21, spend: "0.003", failed: 0 }]);
  });

  it("is divided by hour for a short period only", async () => {
    const { client, end } = await openAccount();
    await end({ at: "2026-06-15T08:59:00Z", talkSeconds: 1 });
    await end({ at: "2026-06-15T09:00:00Z", talkSeconds: 1 });
    const query = { by: "key", granularity: "hour", from: "2026-06-15T08:00:00Z" };
    expect(starts((await whole(client, query)).total.buckets)).toEqual([
      ["2026-06-15T08:00:00.000Z", 1],
      ["2026-06-15T09:00:00.000Z", 1],
      ["2026-06-15T10:00:00.000Z", 0],
    ]);
    const long = await client.send("GET", "/usage/breakdown?by=key&granularity=hour&from=2026-05-15T00:00:00Z");
    expect(long).toMatchObject({ status: 422, body: { error: { param: "from" } } });
  });

  it.each(USAGE_DIMENSIONS.flatMap((by) => [[by, "day"] as const, [by, "hour"] as const]))(
    "by %s is divided by %s",
    async (by, granularity) => {
      const { client, agentId, end } = await openAccount();
      await end({ at: "2026-06-15T08:59:00Z", talkSeconds: 1 });
      const query = { by, granularity, from: "2026-06-15T08:00:00Z", ...(by === "version" ? { agentId } : {}) };
      const { rows } = await whole(client, query);
      expect(rows.map(({ buckets }) => buckets?.map(({ calls }) => calls))).toEqual([[1]]);
    },
  );

  it("gives only the largest groups buckets, and lists a year of days", async () => {
    const { client, end } = await openAccount();
    for (const index of Array.from({ length: 13 }).keys())
      await end({ at: "2026-06-15T08:00:00Z", reason: "busy", outcome: `outcome ${index}` });
    await end({ at: "2026-06-15T08:00:00Z", reason: "busy", outcome: "outcome 12" });
    const { total, rows } = await whole(client, { by: "outcome", granularity: "day" });
    expect(rows.filter(({ buckets }) => buckets !== undefined)).toHaveLength(12);
    expect(rows[0]).toMatchObject({ key: "outcome 12", calls: 2, buckets: [{ calls: 2 }] });
    expect(total.buckets?.at(-1)).toMatchObject({ calls: 14 });
    const year = await whole(client, { by: "day", granularity: "day", from: "2025-06-15T00:00:00Z" });
    expect(year.total.buckets).toHaveLength(366);
  });

  it("counts the calls that a list with the same filter has", async () => {
    const { client, agentId, place, end } = await openAccount();
    const draft = await end({ at: "2026-06-14T22:30:00Z", talkSeconds: 5, version: -1 });
    const published = await end({ at: "2026-06-15T09:30:00Z", talkSeconds: 5, outcome: "confirmed" });
    const byKey = await end({ at: "2026-06-15T09:45:00Z", reason: "busy" });
    const apiKeyId = makeId("apiKey");
    await run(
      database.db,
      "insert into api_keys (id, account_id, mode, name, prefix, last_four, digest, scopes) values ($1, $2, 'test', 'k', '', '', $3, '{}')",
      [apiKeyId, client.accountId, Buffer.from(apiKeyId)],
    );
    await run(database.db, "update calls set api_key_id = $2 where id = $1", [byKey, apiKeyId]);
    await place("2026-06-15T10:00:00Z");
    const list = async (filter: CallFilter) =>
      (await readCalls(database.db, client.accountId, "test", { phase: "ended", ...filter }, null, 10)).map(
        ({ id }) => id,
      );
    expect(await list({ agentId, agentVersion: 0 })).toEqual([draft]);
    expect(await list({ agentId, agentVersion: 1 })).toEqual([byKey, published]);
    expect(await list({ outcome: "confirmed" })).toEqual([published]);
    expect(await list({ outcome: "busy" })).toEqual([byKey]);
    expect(await list({ outcome: "callee_hangup" })).toEqual([draft]);
    expect(await list({ apiKeyId })).toEqual([byKey]);
    expect(await list({ apiKeyId: "none" })).toEqual([published, draft]);
    expect(await list({ hourOfDay: 9 })).toEqual([byKey, published]);
    expect(await list({ hourOfDay: 0, timeZone: "Europe/Berlin" })).toEqual([draft]);
  });

  // What the middle of a bin is rounded to.
  const [FAST, MEDIUM, SLOW] = [404, 800, 2986];
  const many = (count: number, ms: number) => Array.from({ length: count }, () => ms);

  it("compares the versions of an agent by response time and interruptions, over replies and not over calls", async () => {
    const { client, agentId, end } = await openAccount();
    await end({ at: "2026-06-14T09:00:00Z", talkSeconds: 60, repliesMs: many(18, 800), interruptions: 4 });
    await end({ at: "2026-06-14T09:30:00Z", talkSeconds: 60, repliesMs: many(2, 3000) });
    await end({ at: "2026-06-14T09:40:00Z", version: 2, talkSeconds: 60, repliesMs: many(19, 400), interruptions: 1 });
    await end({ at: "2026-06-15T09:00:00Z", version: 2, talkSeconds: 60, repliesMs: [3000] });
    await end({ at: "2026-06-15T09:00:00Z", version: -1, reason: "busy" });
    const { total, rows } = await whole(client, { by: "version", agentId });
    const times = (row: UsageBreakdown["total"]) => [
      ...[row.turns, row.responseMsP50, row.responseMsP95],
      row.interruptions,
    ];
    expect(rows.map((row) => [row.key, ...times(row)])).toEqual([
      ["2", 20, FAST, FAST, 1],
      ["1", 20, MEDIUM, SLOW, 4],
      ["0", 0, null, null, 0],
    ]);
    expect(times(total)).toEqual([40, MEDIUM, SLOW, 5]);
  });

  it("has response times and interruptions per day, across months, in the requested time zone", async () => {
    const { client, agentId, end } = await openAccount();
    await end({ at: "2026-05-31T21:59:00Z", talkSeconds: 9, repliesMs: many(3, 800), interruptions: 1 });
    await end({ at: "2026-05-31T22:00:00Z", talkSeconds: 9, repliesMs: many(3, 400), interruptions: 2 });
    await end({ at: "2026-06-01T10:00:00Z", talkSeconds: 9, version: 2, repliesMs: many(4, 3000), interruptions: 3 });
    const { total, rows } = await whole(client, {
      ...{ by: "version", agentId, granularity: "day", timeZone: "Europe/Berlin" },
      ...{ from: "2026-05-30T22:00:00Z", to: "2026-06-02T22:00:00Z" },
    });
    const perDay = (buckets: UsageBreakdown["total"]["buckets"]) =>
      buckets?.map(({ start, turns, responseMsP50, responseMsP95, interruptions }) => [
        ...[start.slice(0, 10), turns, responseMsP50, responseMsP95, interruptions],
      ]);
    expect(perDay(total.buckets)).toEqual([
      ["2026-05-30", 3, MEDIUM, MEDIUM, 1],
      ["2026-05-31", 7, SLOW, SLOW, 5],
      ["2026-06-01", 0, null, null, 0],
    ]);
    expect(rows.map(({ key, buckets }) => [key, perDay(buckets)])).toEqual([
      ["2", [["2026-05-31", 4, SLOW, SLOW, 3]]],
      [
        "1",
        [
          ["2026-05-30", 3, MEDIUM, MEDIUM, 1],
          ["2026-05-31", 3, FAST, FAST, 2],
        ],
      ],
    ]);
  });

  it.each(USAGE_DIMENSIONS)("by %s has the response times of its groups", async (by) => {
    const { client, agentId, end } = await openAccount();
    await end({ at: "2026-06-15T08:59:00Z", talkSeconds: 1, repliesMs: [400, 3000] });
    const { rows } = await whole(client, { by, ...(by === "version" ? { agentId } : {}) });
    expect(rows).toMatchObject([{ turns: 2, responseMsP50: FAST, responseMsP95: SLOW }]);
  });

  it("of one version of an agent leaves out its other versions", async () => {
    const { client, agentId, end } = await openAccount();
    await end({ at: "2026-06-15T08:00:00Z", talkSeconds: 1, repliesMs: [400] });
    await end({ at: "2026-06-15T08:00:00Z", talkSeconds: 1, repliesMs: [3000], version: 2 });
    await end({ at: "2026-06-15T08:00:00Z", reason: "busy", version: -1 });
    const of = async (agentVersion: string) => (await whole(client, { by: "outcome", agentId, agentVersion })).total;
    expect(await of("2")).toMatchObject({ calls: 1, responseMsP50: SLOW });
    expect(await of("0")).toMatchObject({ calls: 1, answered: 0, responseMsP50: null });
  });

  it("of one engine leaves out the calls of others, in the total, the rows and the buckets", async () => {
    const { client, end } = await openAccount();
    await end({ at: "2026-06-15T08:00:00Z", talkSeconds: 1 });
    await end({ at: "2026-06-15T08:00:00Z", talkSeconds: 1, engine: "gemini_live" });
    await end({ at: "2026-06-15T08:00:00Z", reason: "busy", engine: "gemini_live" });
    const of = (engine: string) => whole(client, { by: "outcome", engine, granularity: "day" });
    const { total, rows } = await of("gemini_live");
    expect(total).toMatchObject({ calls: 2, answered: 1 });
    expect(total.buckets?.reduce((sum, { calls }) => sum + calls, 0)).toBe(2);
    expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(2);
    expect((await of("local")).total).toMatchObject({ calls: 1 });
    expect((await of("none")).total).toMatchObject({ calls: 0 });
  });

  it("has no response times of calls that were counted before these were", async () => {
    const { client, end } = await openAccount();
    await end({ at: "2026-06-15T08:00:00Z", talkSeconds: 1, repliesMs: [3000] });
    await run(database.db, "update usage_hours set replies = default where account_id = $1", [client.accountId]);
    const total = async () => (await whole(client, { by: "agent" })).total;
    expect(await total()).toMatchObject({ turns: 1, responseMsP50: null, responseMsP95: null });
    await end({ at: "2026-06-15T08:01:00Z", talkSeconds: 1, repliesMs: [400] });
    expect(await total()).toMatchObject({ turns: 2, responseMsP50: FAST, responseMsP95: FAST });
  });

  it.each([
    [{}, "by"],
    [{ by: "version" }, "agentId"],
    [{ by: "outcome", agentVersion: "2" }, "agentId"],
    [{ by: "weekday" }, "by"],
    [{ by: "agent", from: "2020-01-01T00:00:00Z" }, "from"],
  ])("%j is refused and the field at fault is named", async (query, param) => {
    const { client } = await openAccount();
    const reply = await client.send("GET", `/usage/breakdown?${new URLSearchParams(query as Record<string, string>)}`);
    expect(reply).toMatchObject({ status: 422, body: { error: { param } } });
  });
});
