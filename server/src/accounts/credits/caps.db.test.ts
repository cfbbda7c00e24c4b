import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import { CreditLowBody } from "@parley/contract/webhooks";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { CallRow } from "../../calls/call-record.ts";
import { commitRinging, commitTalking } from "../../calls/runs/commits.ts";
import { askGate } from "../../calls/runs/dialing/gate.ts";
import { registerWorker } from "../../calls/runs/lease/lease-store.ts";
import { extendHold } from "../../calls/runs/talking/credit.ts";
import { type Scene, setScene, simulatedGate } from "../../calls/runs/testing/call-scene.ts";
import { end, writeAhead } from "../../calls/runs/testing/simulated-steps.ts";
import { claimCalls } from "../../calls/runs/worker/worker.ts";
import { checkInvariants } from "../../platform/checks/check-invariants.ts";
import { inTransaction, run } from "../../platform/database/database.ts";
import { isDatabaseAway } from "../../platform/database/failures.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { postTransfer, readBalance } from "./ledger-store.ts";

const GATE = simulatedGate();
const ORDERLY = { reason: "callee_hangup", by: "callee", isOrderly: true } as const;
// In a scene a minute costs 30,000 micro-USD, so that what is held at first is twice that.
const MINUTE = 30_000n;

let t: TestDatabase;
let workerId: string;
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  workerId = makeId("worker");
  await registerWorker(t.db, workerId, 100);
});
afterAll(() => t.close());

async function claim(scene: Scene): Promise<CallRow> {
  await run(t.db, "update dispatch_lanes set next_send_at = '-infinity'");
  await run(
    t.db,
    "update waiting_lanes set served_at = case when account_id = $1 then '-infinity'::timestamptz else now() end",
    [scene.accountId],
  );
  const [claimed] = await claimCalls(t.db, workerId, 1);
  if (claimed?.call.account_id !== scene.accountId) throw new Error("the call of another account was claimed");
  return claimed.call;
}

async function talk(call: CallRow): Promise<void> {
  await writeAhead(t.db, call);
  await commitRinging(t.db, call);
  await commitTalking(t.db, call, 0);
}

const setCap = (scene: Scene, name: "call" | "destination", micros: bigint) =>
  run(t.db, `update accounts set ${name}_spend_cap_micros = $2 where id = $1`, [scene.accountId, micros]);

/** The error of a refused post. A busy machine may not get a connection in time; then nothing was done. */
async function codeOf(post: () => Promise<unknown>): Promise<string> {
  try {
    await post();
    return "none";
  } catch (error) {
    if (isDatabaseAway(error)) return codeOf(post);
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

describe("what one call may cost", () => {
  it("refuses a call whose first two minutes would cost more", async () => {
    const scene = await setScene(t.db);
    await setCap(scene, "call", 2n * MINUTE - 1n);
    expect(await codeOf(() => scene.place("live"))).toBe("spend_limit_reached");
    await setCap(scene, "call", 2n * MINUTE);
    expect(await codeOf(() => scene.place("live"))).toBe("none");
  });

  it("allows a call exactly the seconds that the cap pays for", async () => {
    const scene = await setScene(t.db);
    await setCap(scene, "call", 2n * MINUTE + MINUTE / 2n);
    await scene.place("live");
    const call = await claim(scene);
    await talk(call);
    const grown = await extendHold(t.db, call.id, call.fence);
    expect(grown).toMatchObject({ ok: true, call: { held_micros: 2n * MINUTE + MINUTE / 2n } });
    expect(await extendHold(t.db, call.id, call.fence)).toEqual({ ok: false, reason: "spend_limit" });
    await end(t.db, call, ORDERLY, 9_000_000);
    const [ended] = await run<CallRow>(t.db, "select * from calls where id = $1", [call.id]);
    expect(ended).toMatchObject({ cost_micros: 2n * MINUTE + MINUTE / 2n, billed_seconds: 150 });
  });
});

describe("what calls to one number may cost in a day", () => {
  it("holds for ten concurrent posts, for that number alone", async () => {
    const scene = await setScene(t.db);
    await setCap(scene, "destination", 6n * MINUTE);
    const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(() => scene.place("live"))));
    expect(codes.filter((code) => code === "none")).toHaveLength(3);
    expect(await codeOf(() => scene.place("live", { phoneNumber: "+15550100002" }))).toBe("none");
  });

  it("counts the cost of calls and not their holds", async () => {
    const scene = await setScene(t.db);
    await setCap(scene, "destination", 3n * MINUTE);
    await scene.place("live");
    expect(await codeOf(() => scene.place("live"))).toBe("spend_limit_reached");
    const call = await claim(scene);
    await talk(call);
    await end(t.db, call, ORDERLY, 30_000);
    expect(await codeOf(() => scene.place("live"))).toBe("none");
  });
});

describe("an account whose credit is low", () => {
  const told = (scene: Scene) =>
    run<{ body: string; mode: string }>(
      t.db,
      "select body, mode from outbox where account_id = $1 and type = 'credit.low'",
      [scene.accountId],
    );
  const give = (scene: Scene, micros: bigint) =>
    inTransaction(t.db, (tx) =>
      postTransfer(tx, {
        accountId: scene.accountId,
        kind: "credit_added",
        availableMicros: micros,
        fundedMicros: -micros,
      }),
    );

  it("is reported once for any number of concurrent calls, and again after a top-up", async () => {
    const scene = await setScene(t.db, { creditMicros: 1_100_000n });
    await scene.place("live");
    expect(await told(scene)).toEqual([]);
    await Promise.all(Array.from({ length: 8 }, () => scene.place("live")));
    const [first, ...others] = await told(scene);
    expect(others).toEqual([]);
    expect(CreditLowBody.parse(JSON.parse(first?.body ?? ""))).toMatchObject({
      type: "credit.low",
      data: { balance: "0.98", held: "0.12", creditLowAt: "1.00" },
    });
    await give(scene, 100_000n);
    await scene.place("live");
    expect(await told(scene)).toHaveLength(2);
    await give(scene, 5_000_000n);
    await scene.place("live");
    expect(await told(scene)).toHaveLength(2);
  });

  it("is not reported for a refused call", async () => {
    const scene = await setScene(t.db, { creditMicros: 10_000n });
    expect(await codeOf(() => scene.place("live"))).toBe("insufficient_credit");
    expect(await told(scene)).toEqual([]);
  });
});

type Step =
  | { readonly kind: "post"; readonly number: number; readonly isLater: boolean }
  | { readonly kind: "dial"; readonly seconds: number; readonly extensions: number }
  | { readonly kind: "top_up"; readonly micros: bigint }
  | { readonly kind: "cap"; readonly which: "call" | "destination"; readonly micros: bigint };

describe("the money of calls", () => {
  it("is exact over any history of calls, schedules, extensions, top-ups and caps", async () => {
    const seed = Number(process.env["PROPERTY_SEED"] ?? Date.now() % 2 ** 31);
    const step: fc.Arbitrary<Step> = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant("post"), number: fc.nat(2), isLater: fc.boolean() }) },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant("dial"), seconds: fc.nat(300), extensions: fc.nat(4) }),
      },
      fc.record({ kind: fc.constant("top_up"), micros: fc.bigInt({ min: 1n, max: 100_000n }) }),
      fc.record({
        kind: fc.constant("cap"),
        which: fc.constantFrom("call", "destination"),
        micros: fc.bigInt({ min: MINUTE, max: 8n * MINUTE }),
      }),
    );
    console.info(`money over random histories: PROPERTY_SEED=${seed}`);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        const scene = await setScene(t.db, { creditMicros: 300_000n });
        const model = new MoneyModel(300_000n);
        for (const each of steps) await follow(scene, model, each);
        expect(await readBalance(t.db, scene.accountId)).toEqual({
          availableMicros: model.available,
          heldMicros: model.held,
        });
      }),
      { numRuns: 10, seed },
    );
    const { results } = await checkInvariants(t.db);
    expect(results.filter(({ total }) => total > 0)).toEqual([]);
  }, 180_000);
});

/** The invariants of an account's money. */
class MoneyModel {
  available: bigint;
  held = 0n;
  readonly waiting: { number: string; held: bigint }[] = [];
  readonly spentOn = new Map<string, bigint>();
  callCap: bigint | null = null;
  destinationCap: bigint | null = null;

  constructor(available: bigint) {
    this.available = available;
  }

  /** Whether so much more may be set aside for a call to a number that has `before`. */
  hold(number: string, before: bigint, micros: bigint): boolean {
    const spent = (this.spentOn.get(number) ?? 0n) + micros;
    if (micros > this.available) return false;
    if (this.callCap !== null && before + micros > this.callCap) return false;
    if (this.destinationCap !== null && spent > this.destinationCap) return false;
    this.available -= micros;
    this.held += micros;
    this.spentOn.set(number, spent);
    return true;
  }

  settle(number: string, held: bigint, cost: bigint): void {
    this.held -= held;
    this.available += held - cost;
    this.spentOn.set(number, (this.spentOn.get(number) ?? 0n) - held + cost);
  }
}

async function follow(scene: Scene, model: MoneyModel, step: Step): Promise<void> {
  switch (step.kind) {
    case "top_up":
      model.available += step.micros;
      await inTransaction(t.db, (tx) =>
        postTransfer(tx, {
          accountId: scene.accountId,
          kind: "credit_added",
          availableMicros: step.micros,
          fundedMicros: -step.micros,
        }),
      );
      return;
    case "cap":
      if (step.which === "call") model.callCap = step.micros;
      else model.destinationCap = step.micros;
      await setCap(scene, step.which, step.micros);
      return;
    case "post":
      return post(scene, model, `+1555010000${step.number}`, step.isLater);
    case "dial":
      return dial(scene, model, step);
  }
}

async function post(scene: Scene, model: MoneyModel, number: string, isLater: boolean): Promise<void> {
  const isAllowed = isLater || model.hold(number, 0n, 2n * MINUTE);
  const later = isLater ? { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() } : {};
  const code = await codeOf(() => scene.place("live", { phoneNumber: number, ...later }));
  expect(code === "none").toBe(isAllowed);
  if (isAllowed) model.waiting.push({ number, held: isLater ? 0n : 2n * MINUTE });
}

/** Dials the oldest waiting call, whether or not it is due, and talks for some time. */
async function dial(
  scene: Scene,
  model: MoneyModel,
  { seconds, extensions }: Extract<Step, { kind: "dial" }>,
): Promise<void> {
  const next = model.waiting.shift();
  if (next === undefined) return;
  await run(t.db, "update calls set due_at = created_at where account_id = $1 and state = 'queued'", [scene.accountId]);
  const call = await claim(scene);
  expect(call.phone_number).toBe(next.number);
  const { decision } = await askGate(t.db, GATE, call);
  const isHeld = next.held > 0n || model.hold(next.number, 0n, 2n * MINUTE);
  expect(decision === "allowed").toBe(isHeld);
  if (!isHeld) return end(t.db, call, { reason: "insufficient_credit", by: "service", isOrderly: false });
  let paidSeconds = 120;
  await talk(call);
  for (let count = 0; count < extensions; count += 1) {
    let wanted = paidSeconds + 60;
    while (model.callCap !== null && wanted > paidSeconds && costOf(wanted) > model.callCap) wanted -= 1;
    const more = costOf(wanted) - costOf(paidSeconds);
    const isAllowed = more > 0n && model.hold(next.number, costOf(paidSeconds), more);
    expect((await extendHold(t.db, call.id, call.fence)).ok).toBe(isAllowed);
    if (!isAllowed) break;
    paidSeconds = wanted;
  }
  await end(t.db, call, ORDERLY, seconds * 1000);
  model.settle(next.number, costOf(paidSeconds), costOf(Math.min(seconds, paidSeconds)));
}

/** Route and engine are two lines, each rounded up to a whole micro-USD. */
function costOf(seconds: number): bigint {
  return BigInt(Math.ceil((20_000 * seconds) / 60) + Math.ceil((10_000 * seconds) / 60));
}
