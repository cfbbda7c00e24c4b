import { Alert, AlertRules } from "@parley/contract/alerts";
import type { Mode } from "@parley/contract/shared-fields";
import { AlertBody } from "@parley/contract/webhooks";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient } from "../../platform/http/testing/open-test-api.ts";
import { forgetOldAlerts } from "./alert-store.ts";
import { alertMail, evaluateAlerts } from "./evaluate-alerts.ts";
import { alertRoutes } from "./routes.ts";

const NOON = Date.parse("2026-06-15T12:00:00Z");
const MINUTE_MS = 60_000;
let t: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(t.db, (cursors) => alertRoutes({ db: t.db, cursors }));
});
afterAll(async () => {
  await api.close();
  await t.close();
});

const change = (client: TestClient, body: object, mode: Mode = "test") =>
  client.send("PATCH", "/alert-rules", { body, mode });
const listed = async (client: TestClient, mode: Mode = "test") =>
  (await client.send("GET", "/alerts", { mode })).readPage(Alert).data;

interface Counted {
  readonly at: string;
  readonly calls: number;
  readonly answered: number;
  readonly incidents?: number;
}

async function count({ accountId }: TestClient, { at, calls, answered, incidents = 0 }: Counted): Promise<void> {
  await run(
    t.db,
    `insert into usage_hours (account_id, mode, hour_at, agent_id, agent_version, engine, api_key_id, outcome, calls,
       answered, failed, talk_seconds, cost_micros, turns, interruptions, incidents)
     values ($1, 'test', $2, 'agt_1', 1, 'local', '', 'done', $3, $4, 0, 0, 0, 0, 0, $5)
     on conflict (account_id, mode, hour_at, agent_id, agent_version, engine, api_key_id, outcome)
       do update set calls = $3, answered = $4, incidents = $5`,
    [accountId, at, calls, answered, incidents],
  );
}

/** Evaluates everything, and returns what owners of the account are mailed. */
async function evaluate({ accountId }: TestClient, minutes: number): Promise<Alert[]> {
  const mailed: Alert[] = [];
  await evaluateAlerts({
    db: t.db,
    nowMs: () => NOON + minutes * MINUTE_MS,
    onRaised: (id, alert) => void (id === accountId && mailed.push(alert)),
    onError: (_, error) => expect.unreachable(String(error)),
  });
  return mailed;
}

async function reported({ accountId }: TestClient): Promise<AlertBody[]> {
  const rows = await run<{ body: string }>(
    t.db,
    "select body from outbox where account_id = $1 and type like 'alert.%' order by created_at, id",
    [accountId],
  );
  return rows.map(({ body }) => AlertBody.parse(JSON.parse(body)));
}

const RATE = { belowPercent: 50, hours: 2, callsMin: 10 };
const BAD = { at: "2026-06-15T12:00:00Z", calls: 20, answered: 5 };

describe("rules", () => {
  test("of a new account watch nothing, and change one by one and by mode", async () => {
    const client = await api.addAccount("Rules");
    const read = async (mode: Mode) => (await client.send("GET", "/alert-rules", { mode })).read(AlertRules);
    const nothing = { answerRate: null, incidents: null, creditLow: false, quietMinutes: 60, emailOwners: true };
    expect(await read("test")).toEqual({ mode: "test", ...nothing });
    expect((await change(client, { answerRate: RATE })).read(AlertRules)).toMatchObject({ answerRate: RATE });
    await change(client, { quietMinutes: 5, emailOwners: false });
    expect(await read("test")).toEqual({
      ...{ mode: "test", ...nothing, answerRate: RATE, quietMinutes: 5, emailOwners: false },
    });
    expect(await read("live")).toEqual({ mode: "live", ...nothing });
    await change(client, { answerRate: null });
    expect((await read("test")).answerRate).toBeNull();
    const audit = await run<{ data: unknown }>(
      t.db,
      "select data from audit_log where account_id = $1 and action = 'alert_rules.changed' order by created_at, id",
      [client.accountId],
    );
    expect(audit.map(({ data }) => data)).toContainEqual({ answerRate: { from: null, to: RATE } });
  });

  test.each([
    [{}],
    [{ answerRate: { ...RATE, belowPercent: 0 } }],
    [{ incidents: { atLeast: 1, hours: 169 } }],
    [{ quietMinutes: -1 }],
    [{ creditLow: true }],
  ])("%o are refused in test mode", async (body) => {
    const client = await api.addAccount("Refused");
    expect(await change(client, body)).toMatchObject({ status: 422 });
  });
});

test("an alert is raised once, stays while the figure is close, and is resolved and raised again", async () => {
  const client = await api.addAccount("Rate");
  await change(client, { answerRate: RATE });
  await count(client, { at: "2026-06-15T10:00:00Z", calls: 1_000, answered: 1_000 });
  await count(client, BAD);
  const [mailed] = await evaluate(client, 0);
  expect(mailed).toMatchObject({ mode: "test", cause: { percent: 25, calls: 20 }, resolvedAt: null });
  expect(await evaluate(client, 1)).toEqual([]);
  await count(client, { ...BAD, answered: 10 });
  await evaluate(client, 2);
  expect(await listed(client)).toMatchObject([{ resolvedAt: null }]);
  await count(client, { ...BAD, answered: 11 });
  await evaluate(client, 3);
  expect(await listed(client)).toMatchObject([{ resolvedAt: "2026-06-15T12:03:00.000Z" }]);
  await count(client, BAD);
  await evaluate(client, 59);
  expect(await listed(client)).toHaveLength(1);
  await evaluate(client, 60);
  expect(await listed(client)).toHaveLength(2);
  expect((await reported(client)).map(({ type, data }) => [type, data.alert.resolvedAt])).toEqual([
    ["alert.raised", null],
    ["alert.resolved", "2026-06-15T12:03:00.000Z"],
    ["alert.raised", null],
  ]);
});

test("incidents of hours that no longer count are forgotten, and an alert ends with its rule", async () => {
  const client = await api.addAccount("Incidents");
  await change(client, { incidents: { atLeast: 3, hours: 1 }, emailOwners: false });
  await count(client, { at: "2026-06-15T11:00:00Z", calls: 9, answered: 9, incidents: 9 });
  await evaluate(client, 0);
  expect(await listed(client)).toEqual([]);
  await count(client, { ...BAD, incidents: 3 });
  expect(await evaluate(client, 1)).toEqual([]);
  expect(await listed(client)).toMatchObject([{ cause: { type: "incidents", incidents: 3, atLeast: 3, hours: 1 } }]);
  await change(client, { incidents: null });
  await evaluate(client, 2);
  expect(await listed(client)).toMatchObject([{ resolvedAt: "2026-06-15T12:02:00.000Z" }]);
});

test("low credit raises an alert in live mode", async () => {
  const client = await api.addAccount("Credit");
  await change(client, { creditLow: true }, "live");
  const [alert] = await evaluate(client, 0);
  expect(alert?.cause).toEqual({ type: "credit_low", balance: "0.00", creditLowAt: "1.00" });
  expect(await listed(client, "live")).toHaveLength(1);
  expect(await listed(client)).toEqual([]);
});

test("alerts are listed newest first over pages, and for a year", async () => {
  const client = await api.addAccount("Pages");
  await change(client, { incidents: { atLeast: 1, hours: 1 }, answerRate: RATE, quietMinutes: 0 });
  await count(client, { ...BAD, incidents: 1 });
  await evaluate(client, 0);
  const first = (await client.send("GET", "/alerts?limit=1")).readPage(Alert);
  const second = (await client.send("GET", `/alerts?limit=1&cursor=${first.nextCursor}`)).readPage(Alert);
  expect(second.nextCursor).toBeNull();
  expect([...first.data, ...second.data].map(({ cause }) => cause.type).sort()).toEqual(["answer_rate", "incidents"]);
  await run(t.db, "update alerts set raised_at = now() - interval '366 days' where account_id = $1", [
    client.accountId,
  ]);
  await run(t.db, "update alerts set resolved_at = now() where account_id = $1 and type = 'incidents'", [
    client.accountId,
  ]);
  await forgetOldAlerts(t.db);
  expect((await listed(client)).map(({ cause }) => cause.type)).toEqual(["answer_rate"]);
});

test("the e-mail says what was measured, the threshold, and where to change it", () => {
  const alert: Alert = {
    ...{ id: "alr_1", mode: "test", raisedAt: "2026-06-15T12:00:00.000Z", resolvedAt: null },
    cause: { type: "answer_rate", percent: 25, calls: 20, hours: 1, belowPercent: 50 },
  };
  const { subject, text } = alertMail("ada@example.com", alert, "https://parley.example");
  expect(subject).toBe("Few calls are answered");
  expect(text).toContain("25% of 20 calls in the last hour were answered. Your threshold is 50%.");
  expect(text).toContain("https://parley.example/settings/alerts");
});
