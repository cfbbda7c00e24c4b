import { SIMULATED_NETWORK } from "@parley/contract/calls";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { readBalance } from "../../accounts/credits/ledger-store.ts";
import type { GateDeps } from "../../phone/gate/judge-number.ts";
import { checkInvariants } from "../../platform/checks/check-invariants.ts";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { type CallRow, toCall } from "../call-record.ts";
import { commitTalking } from "./commits.ts";
import { commitAttempt, commitAttemptEnd } from "./dialing/attempts.ts";
import { askGate } from "./dialing/gate.ts";
import { registerWorker } from "./lease/lease-store.ts";
import { extendHold, needsMoreCredit } from "./talking/credit.ts";
import { type Scene, setScene, simulatedGate, trunkGate } from "./testing/call-scene.ts";
import { claimOwn } from "./testing/claim-own.ts";
import { end, writeAhead } from "./testing/simulated-steps.ts";
import { addTrunk } from "./testing/trunk-scene.ts";

// Ten in the morning in Berlin.
const MORNING = () => Date.parse("2026-07-01T08:00:00Z");
const BERLIN = "+4930123456";
const ORDERLY = { reason: "callee_hangup", by: "callee", isOrderly: true } as const;

let t: TestDatabase;
let workerId: string;
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  workerId = makeId("worker");
  await registerWorker(t.db, workerId, 100);
});
afterAll(() => t.close());

async function read(id: string) {
  const [row] = await run<CallRow>(t.db, "select * from calls where id = $1", [id]);
  if (!row) throw new Error("the call is gone");
  return toCall(row);
}

async function admitted(gate: GateDeps, id: string): Promise<CallRow> {
  const asked = await askGate(t.db, gate, await claimOwn(t.db, workerId, id));
  if (asked.decision !== "allowed") throw new Error(`the gate said ${asked.decision}`);
  return asked.call;
}

/** Holds a call of 90 seconds on the simulated network. */
async function hold(gate: GateDeps, id: string): Promise<CallRow> {
  const call = await admitted(gate, id);
  await writeAhead(t.db, call);
  await commitTalking(t.db, call, 90_000);
  await end(t.db, call, ORDERLY, 90_000);
  return call;
}

const transfersOf = (scene: Scene) =>
  run(t.db, "select kind from ledger_transfers where account_id = $1 and kind <> 'sign_up_credit'", [scene.accountId]);

describe("the network of a call", () => {
  it("is on the record and in the first event's report from the moment it is accepted", async () => {
    const simulated = await setScene(t.db);
    const onTrunks = await setScene(t.db, { gate: trunkGate({ network: "Carrier One", nowMs: MORNING }) });
    const expected = [
      [await simulated.place("test"), SIMULATED_NETWORK],
      [await simulated.place("live"), SIMULATED_NETWORK],
      [await onTrunks.place("test"), SIMULATED_NETWORK],
      [await onTrunks.place("live", { phoneNumber: BERLIN }), "Carrier One"],
    ] as const;
    for (const [id, network] of expected) {
      expect((await read(id)).network).toBe(network);
      const [report] = await run<{ network: string }>(
        t.db,
        "select body::jsonb #>> '{data,call,network}' as network from outbox where call_id = $1 and type = 'call.initiated'",
        [id],
      );
      expect(report?.network).toBe(network);
    }
    // Those of the next tests are claimed before them.
    await run(t.db, "update calls set due_at = now() + interval '1 hour' where account_id = any($1)", [
      [simulated.accountId, onTrunks.accountId],
    ]);
  });

  it("follows the call from trunk to trunk", async () => {
    const gate = trunkGate({ network: "Carrier One", nowMs: MORNING });
    const scene = await setScene(t.db, { gate });
    const id = await scene.place("live", { phoneNumber: BERLIN });
    const call = await admitted(gate, id);
    for (const trunkId of [await addTrunk(t.db), await addTrunk(t.db)]) {
      const dialId = makeId("dial");
      await commitAttempt(t.db, call, { carrier: "sip", dialId, trunkId, record: null });
      // A trunk of the scene bears its id as its name.
      expect((await read(id)).network).toBe(trunkId);
      await commitAttemptEnd(t.db, dialId, { cause: "unavailable", code: 503, reason: "Busy" });
    }
    await end(t.db, call, { reason: "carrier_unavailable", by: "service", isOrderly: false });
  });

  it("becomes a trunk's, with credit held, for a call that waited while the trunk was connected", async () => {
    const scene = await setScene(t.db, { gate: simulatedGate({ isCharged: false, nowMs: MORNING }) });
    const id = await scene.place("live", { phoneNumber: BERLIN });
    expect((await read(id)).network).toBe(SIMULATED_NETWORK);
    const call = await admitted(trunkGate({ network: "Carrier One", nowMs: MORNING }), id);
    expect(call).toMatchObject({ network: "Carrier One", is_charged: true, held_micros: 60_000n });
    const [counted] = await run<{ calls: number }>(
      t.db,
      "select calls from gate_counts where account_id = $1 and kind = 'number'",
      [scene.accountId],
    );
    expect(counted?.calls).toBe(1);
    await end(t.db, call, { reason: "canceled", by: "api", isOrderly: true });
    expect((await checkInvariants(t.db)).results.filter(({ total }) => total > 0)).toEqual([]);
  });
});

describe("a live call on the simulated network", () => {
  it("shows what it would have cost, and moves no credit", async () => {
    const gate = simulatedGate({ isCharged: false });
    const scene = await setScene(t.db, { gate });
    const id = await scene.place("live");
    await hold(gate, id);
    expect(await read(id)).toMatchObject({
      network: SIMULATED_NETWORK,
      status: "completed",
      cost: { total: "0.045", charged: false, lines: [{ amount: "0.03" }, { amount: "0.015" }] },
    });
    expect(await transfersOf(scene)).toEqual([]);
    const [usage] = await run<{ cost_micros: bigint; talk_seconds: bigint }>(
      t.db,
      "select cost_micros, talk_seconds from usage_quarters where account_id = $1",
      [scene.accountId],
    );
    expect(usage).toEqual({ cost_micros: 0n, talk_seconds: 90n });
    expect((await checkInvariants(t.db)).results.filter(({ total }) => total > 0)).toEqual([]);
  });

  it("needs no credit and is not cut when there is none", async () => {
    const gate = simulatedGate({ isCharged: false });
    const scene = await setScene(t.db, { gate, creditMicros: 0n });
    const call = await hold(gate, await scene.place("live"));
    expect(needsMoreCredit(call, 590_000)).toBe(false);
    expect(await readBalance(t.db, scene.accountId)).toEqual({ availableMicros: 0n, heldMicros: 0n });
  });

  it("is charged where the operator enables it, to test billing", async () => {
    const gate = simulatedGate({ isCharged: true });
    const scene = await setScene(t.db, { gate });
    const id = await scene.place("live");
    const call = await admitted(gate, id);
    await writeAhead(t.db, call);
    await commitTalking(t.db, call, 90_000);
    expect(await extendHold(t.db, id, call.fence)).toMatchObject({ ok: true });
    await end(t.db, call, ORDERLY, 90_000);
    expect((await read(id)).cost).toMatchObject({ total: "0.045", charged: true });
    expect(await readBalance(t.db, scene.accountId)).toEqual({ availableMicros: 9_955_000n, heldMicros: 0n });
  });
});
