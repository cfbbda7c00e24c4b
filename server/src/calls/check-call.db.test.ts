import { CallCheck } from "@parley/contract/calls";
import { AppError } from "@parley/contract/errors";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { findRate } from "../accounts/credits/find-rate.ts";
import { postTransfer } from "../accounts/credits/ledger-store.ts";
import { type GateDeps, judgeNumber } from "../phone/gate/judge-number.ts";
import { putSuppression } from "../phone/gate/suppression-store.ts";
import { inTransaction, run } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient } from "../platform/http/testing/open-test-api.ts";
import { noTracing } from "../platform/telemetry/tracing.ts";
import { createEngineRegistry } from "../speech/models/engine-registry.ts";
import { createStreamSlots } from "./live/stream-slots.ts";
import { callRoutes } from "./routes.ts";
import { simulatedGate, trunkGate } from "./runs/testing/call-scene.ts";

const BERLIN = "+4930123456";
const clock = { nowMs: 0 };
// Ten in the morning in Berlin, and three at night.
const MORNING = Date.parse("2026-07-01T08:00:00Z");
const NIGHT = Date.parse("2026-07-01T01:00:00Z");

let t: TestDatabase;
let onTrunks: TestApi;
let simulated: TestApi;

const notAsked = (): never => {
  throw new Error("a check does no such thing");
};

function openApi(gate: GateDeps): TestApi {
  const engines = createEngineRegistry();
  return openTestApi(t.db, (cursors) =>
    callRoutes({
      db: t.db,
      reading: () => t.db,
      tracing: noTracing,
      cursors,
      changes: { follow: () => () => undefined },
      streamSlots: createStreamSlots(1),
      onStreamError: notAsked,
      endUnclaimed: notAsked,
      refuseFlow: async () => undefined,
      findAgent: notAsked,
      countAndHoldCredit: notAsked,
      chooseEngine: (asked) => engines.requireEngine(asked ?? engines.defaultName).name,
      findRate,
      routeCall: gate.routeCall,
      judgeNumber: (db, question) => judgeNumber(db, gate, question),
      nowMs: gate.nowMs,
      refuseCallerId: (_mode, from) =>
        from === "+15550100098" ? new AppError("validation_failed", "from is not allowed", { param: "from" }) : null,
    }),
  );
}

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  onTrunks = openApi(trunkGate({ network: "Carrier One", nowMs: () => clock.nowMs }));
  simulated = openApi(simulatedGate({ isCharged: false, nowMs: () => clock.nowMs }));
});
afterAll(async () => {
  await onTrunks.close();
  await simulated.close();
  await t.close();
});

async function openAccount(api: TestApi, creditMicros = 10_000_000n): Promise<TestClient> {
  const client = await api.addAccount("Checking");
  if (creditMicros > 0n)
    await inTransaction(t.db, (tx) =>
      postTransfer(tx, {
        accountId: client.accountId,
        kind: "credit_added",
        availableMicros: creditMicros,
        fundedMicros: -creditMicros,
      }),
    );
  return client;
}

const check = (client: TestClient, body: object = {}) =>
  client.send("POST", "/calls/check", { mode: "live", body: { phoneNumber: BERLIN, ...body } });

describe("POST /calls/check", () => {
  it("answers 200 with the gate's word, the price and the local time, and writes nothing", async () => {
    clock.nowMs = MORNING;
    const client = await openAccount(onTrunks);
    const counted = async () =>
      (
        await run<{ rows: bigint }>(
          t.db,
          `select (select count(*) from calls) + (select count(*) from gate_counts) + (select count(*) from ledger_transfers)
             + (select count(*) from outbox) + (select count(*) from audit_log) as rows`,
        )
      )[0]?.rows;
    const before = await counted();
    const reply = await check(client);
    expect(reply.status).toBe(200);
    expect(reply.read(CallCheck)).toMatchObject({
      phoneNumber: BERLIN,
      country: "DE",
      network: "Carrier One",
      gate: { decision: "allowed" },
      waitsUntil: null,
      localTimes: [{ timeZone: "Europe/Berlin", localTime: "2026-07-01T10:00:00" }],
      price: { prefix: "+49", routePerMinute: "0.02", enginePerMinute: "0.01", totalPerMinute: "0.03", charged: true },
    });
    expect(await counted()).toBe(before);
  });

  it("says when it would be dialed outside calling hours, or that it would be refused", async () => {
    clock.nowMs = NIGHT;
    const client = await openAccount(onTrunks);
    expect((await check(client)).read(CallCheck)).toMatchObject({
      gate: { decision: "waiting", reasons: ["outside_calling_hours"] },
      waitsUntil: "2026-07-01T06:00:00.000Z",
    });
    const refused = (await check(client, { callingHours: "fail" })).read(CallCheck);
    expect(refused).toMatchObject({
      gate: { decision: "refused", reasons: ["outside_calling_hours"] },
      waitsUntil: null,
    });
  });

  it("answers 200 with every reason for which a call would be refused", async () => {
    clock.nowMs = MORNING;
    const client = await openAccount(onTrunks, 0n);
    await inTransaction(t.db, (tx) => putSuppression(tx, client.accountId, BERLIN, "asked"));
    expect((await check(client)).read(CallCheck).gate).toEqual({
      decision: "refused",
      reasons: ["suppressed", "insufficient_credit"],
    });
    const unknown = (await check(client, { phoneNumber: "+9990000001" })).read(CallCheck);
    expect(unknown.gate.decision).toBe("refused");
    expect(unknown.price).toBeNull();
  });

  it("names the simulated network, and shows a price that is not charged", async () => {
    const client = await openAccount(simulated, 0n);
    expect((await check(client, { phoneNumber: "+15550100001" })).read(CallCheck)).toMatchObject({
      network: "simulated",
      gate: { decision: "allowed", reasons: ["simulated_network", "not_suppressed", "not_charged"] },
      price: { totalPerMinute: "0.03", charged: false },
    });
  });

  it("answers 422 to a number, a caller id or an engine that cannot be", async () => {
    const client = await openAccount(onTrunks);
    const params = [
      [{ phoneNumber: "12" }, "phoneNumber"],
      [{ from: "+15550100098" }, "from"],
      [{ engine: "nope" }, "engine"],
    ] as const;
    for (const [body, param] of params)
      expect(await check(client, body)).toMatchObject({ status: 422, body: { error: { param } } });
  });
});
