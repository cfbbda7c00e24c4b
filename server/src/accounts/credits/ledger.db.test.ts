import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { setScene } from "../../calls/runs/testing/call-scene.ts";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { holdCredit, settleCredit } from "./hold-credit.ts";
import { postTransfer, readBalance } from "./ledger-store.ts";

let t: TestDatabase;
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => t.close());

describe("the ledger", () => {
  test("refuses a transfer that does not sum to zero, and any change to one that was posted", async () => {
    const { accountId } = await setScene(t.db);
    await expect(
      inTransaction(t.db, (tx) => postTransfer(tx, { accountId, kind: "credit_added", availableMicros: 1n })),
    ).rejects.toThrow("transfer_sums_to_zero");
    await expect(
      run(t.db, "update ledger_transfers set note = 'x' where account_id = $1", [accountId]),
    ).rejects.toThrow("never changed");
    await expect(run(t.db, "delete from ledger_transfers where account_id = $1", [accountId])).rejects.toThrow(
      "never changed",
    );
  });

  test("with credit for three calls admits exactly three of a hundred parallel calls", async () => {
    const scene = await setScene(t.db, { creditMicros: 200_000n });
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => scene.place("live")));
    const refused = outcomes
      .filter((outcome) => outcome.status === "rejected")
      .map((outcome) => (outcome.reason as AppError).code);
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(3);
    expect(new Set(refused)).toEqual(new Set(["insufficient_credit"]));
    expect(await readBalance(t.db, scene.accountId)).toEqual({ availableMicros: 20_000n, heldMicros: 180_000n });
    const calls = await run(t.db, "select 1 from calls where account_id = $1", [scene.accountId]);
    expect(calls).toHaveLength(3);
  });

  test("holds a daily cap of the account and of the key to the last micro", async () => {
    const scene = await setScene(t.db);
    await run(t.db, "update accounts set daily_spend_cap_micros = 120000 where id = $1", [scene.accountId]);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => scene.place("live")));
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(2);
    const reasons = outcomes
      .filter((outcome) => outcome.status === "rejected")
      .map((outcome) => (outcome.reason as AppError).code);
    expect(new Set(reasons)).toEqual(new Set(["spend_limit_reached"]));
    await run(t.db, "update accounts set daily_spend_cap_micros = null where id = $1", [scene.accountId]);
    await run(t.db, "update api_keys set daily_spend_cap_micros = 179999 where id = $1", [scene.actor("live").keyId]);
    await expect(scene.place("live")).rejects.toMatchObject({ code: "spend_limit_reached" });
    await run(t.db, "update api_keys set daily_spend_cap_micros = 180000 where id = $1", [scene.actor("live").keyId]);
    await scene.place("live");
  });

  test("stays exact over any history of holds, extensions, settlements, top-ups and withdrawals", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("hold" as const), micros: fc.bigInt({ min: 1n, max: 3_000_000n }) }),
      fc.record({
        kind: fc.constant("extend" as const),
        micros: fc.bigInt({ min: 1n, max: 2_000_000n }),
        pick: fc.nat(),
      }),
      fc.record({ kind: fc.constant("settle" as const), share: fc.integer({ min: 0, max: 100 }), pick: fc.nat() }),
      fc.record({ kind: fc.constant("add" as const), micros: fc.bigInt({ min: 1n, max: 1_000_000n }) }),
      fc.record({ kind: fc.constant("remove" as const), micros: fc.bigInt({ min: 1n, max: 4_000_000n }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { accountId } = await setScene(t.db);
        const model = { available: 10_000_000n, held: new Map<string, { micros: bigint; day: string }>(), earned: 0n };
        for (const each of steps) {
          const open = [...model.held.entries()];
          try {
            await inTransaction(t.db, async (tx) => {
              if (each.kind === "hold") {
                const callId = makeId("call");
                const day = new Date().toISOString().slice(0, 10);
                await holdCredit(tx, {
                  accountId,
                  callId,
                  keyId: null,
                  micros: each.micros,
                  kind: "hold",
                  day,
                  phoneNumber: "+15550100001",
                  heldMicros: 0n,
                });
                model.available -= each.micros;
                model.held.set(callId, { micros: each.micros, day });
              } else if (each.kind === "extend" && open.length > 0) {
                const [callId, hold] = open[each.pick % open.length] ?? ["", { micros: 0n, day: "" }];
                await holdCredit(tx, {
                  accountId,
                  callId,
                  keyId: null,
                  micros: each.micros,
                  kind: "hold_extended",
                  day: hold.day,
                  phoneNumber: "+15550100001",
                  heldMicros: hold.micros,
                });
                model.available -= each.micros;
                model.held.set(callId, { ...hold, micros: hold.micros + each.micros });
              } else if (each.kind === "settle" && open.length > 0) {
                const [callId, hold] = open[each.pick % open.length] ?? ["", { micros: 0n, day: "" }];
                const costMicros = (hold.micros * BigInt(each.share)) / 100n;
                await settleCredit(tx, {
                  accountId,
                  callId,
                  keyId: null,
                  heldMicros: hold.micros,
                  costMicros,
                  day: hold.day,
                });
                model.available += hold.micros - costMicros;
                model.earned += costMicros;
                model.held.delete(callId);
              } else if (each.kind === "add" || each.kind === "remove") {
                const micros = each.kind === "add" ? each.micros : -each.micros;
                await postTransfer(tx, {
                  accountId,
                  kind: each.kind === "add" ? "credit_added" : "credit_removed",
                  availableMicros: micros,
                  fundedMicros: -micros,
                });
                model.available += micros;
              }
            });
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
            const wanted = each.kind === "hold" || each.kind === "extend" || each.kind === "remove" ? each.micros : 0n;
            expect(model.available < wanted).toBe(true);
          }
        }
        const heldMicros = [...model.held.values()].reduce((sum, hold) => sum + hold.micros, 0n);
        expect(await readBalance(t.db, accountId)).toEqual({ availableMicros: model.available, heldMicros });
        const [spent] = await run<{ micros: bigint }>(
          t.db,
          "select coalesce(sum(micros), 0)::bigint as micros from spend_days where spender_id = $1",
          [accountId],
        );
        expect(spent?.micros).toBe(heldMicros + model.earned);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
