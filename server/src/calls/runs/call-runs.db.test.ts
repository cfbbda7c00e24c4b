import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { createLog } from "../../platform/telemetry/log.ts";
import { commitIncident, commitRequeue, commitRinging, commitTalking } from "./commits.ts";
import { endUnclaimed } from "./end.ts";
import { expireCalls } from "./expire-calls.ts";
import {
  abandonLeases,
  findLostRuns,
  LeaseLost,
  lockLost,
  lockOwnCall,
  recordHeartbeat,
  registerWorker,
  renewLeases,
} from "./lease/lease-store.ts";
import { setScene } from "./testing/call-scene.ts";
import { end, writeAhead } from "./testing/simulated-steps.ts";
import { recoverLostCalls } from "./worker/lost-calls.ts";
import { claimCalls } from "./worker/worker.ts";

let t: TestDatabase;
const worker = makeId("worker");
const orderly = { reason: "callee_hangup", by: "callee", isOrderly: true } as const;
const silentLog = createLog("silent");

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
});
afterAll(() => t.close());

async function claimOne(by = worker) {
  const [claimed] = await claimCalls(t.db, by, 1);
  if (!claimed) throw new Error("nothing to claim");
  return claimed.call;
}
const readCall = async (id: string) =>
  (await run<Record<string, unknown>>(t.db, "select * from calls where id = $1", [id]))[0];
const readBalance = async (accountId: string) =>
  (
    await run<{ available_micros: bigint; held_micros: bigint }>(
      t.db,
      "select * from account_balances where account_id = $1",
      [accountId],
    )
  )[0];

describe("the life of a call", () => {
  test("is charged by the second from answer to end, and the rest of the hold is released", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("live");
    expect(await readBalance(scene.accountId)).toMatchObject({ available_micros: 9_940_000n, held_micros: 60_000n });
    const call = await claimOne();
    expect(call.id).toBe(id);
    expect(await writeAhead(t.db, call, "dial_1")).toEqual({ decision: "written", afterMs: 0 });
    await commitRinging(t.db, call);
    await commitTalking(t.db, call, 0);
    await end(t.db, call, orderly, 10_001);
    expect(await readCall(id)).toMatchObject({
      status: "completed",
      state: "ended",
      duration_seconds: 11,
      cost_micros: 5501n,
    });
    expect(await readBalance(scene.accountId)).toMatchObject({ available_micros: 9_994_499n, held_micros: 0n });
    const events = await run<{ type: string; sequence: number }>(
      t.db,
      "select type, sequence from call_events where call_id = $1 order by sequence",
      [id],
    );
    expect(events.map((event) => event.type)).toEqual([
      "call.initiated",
      "call.dialing",
      "call.ringing",
      "call.in_progress",
      "call.completed",
      "call.transcript.ready",
      "call.analyzed",
    ]);
    expect(events.map((event) => event.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const lanes = await run<{ active_count: number }>(
      t.db,
      "select active_count from dispatch_lanes where account_id = $1 and mode = 'live'",
      [scene.accountId],
    );
    expect(lanes[0]?.active_count).toBe(0);
  });

  test("costs nothing when we failed the conversation, and the ledger, the record and the timeline say why", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("live");
    const call = await claimOne();
    await writeAhead(t.db, call, "dial_failed_by_us");
    await commitTalking(t.db, call, 0);
    const report = { what: "hearing_failed", reason: "the detector ended", agoMs: 3_000, totalMs: 12_000 } as const;
    await commitIncident(t.db, call, report);
    await commitIncident(t.db, call, report);
    await end(t.db, call, { reason: "engine_error", by: "service", isOrderly: false }, 30_000);
    const row = await readCall(id);
    expect(row).toMatchObject({ status: "failed", end_reason: "engine_error", duration_seconds: 30, cost_micros: 0n });
    expect(row?.incidents).toEqual([
      {
        at: expect.stringMatching(/Z$/),
        what: "hearing_failed",
        reason: "the detector ended",
        effect: "We could not hear the callee for 12 seconds. The call was not charged.",
        count: 2,
      },
    ]);
    expect(await readBalance(scene.accountId)).toMatchObject({ available_micros: 10_000_000n, held_micros: 0n });
    const ledger = await run(t.db, "select kind, note from ledger_transfers where call_id = $1 and kind <> 'hold'", [
      id,
    ]);
    expect(ledger).toEqual([{ kind: "released", note: "Not charged: the conversation failed on our side." }]);
    const events = await run<{ data: object }>(
      t.db,
      "select data from call_events where call_id = $1 and type = 'call.incident'",
      [id],
    );
    expect(events).toEqual([
      {
        data: {
          what: "hearing_failed",
          reason: "the detector ended",
          effect: "We could not hear the callee for 12 seconds.",
        },
      },
    ]);
  });

  test("is not charged for the time in which we could not hear the callee, and the record says so", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("live");
    const call = await claimOne();
    await writeAhead(t.db, call, "dial_partly_deaf");
    await commitTalking(t.db, call, 0);
    const report = { what: "hearing_failed", reason: "the detector was late", agoMs: 0, totalMs: 12_400 } as const;
    await commitIncident(t.db, call, report);
    await end(t.db, call, orderly, 30_000, 12_400);
    const row = await readCall(id);
    expect(row).toMatchObject({ status: "completed", duration_seconds: 30, billed_seconds: 18, cost_micros: 9_000n });
    expect(row?.incidents).toMatchObject([
      { effect: "We could not hear the callee for 12 seconds. 12 seconds of the call were not charged." },
    ]);
    expect(await readBalance(scene.accountId)).toMatchObject({ available_micros: 9_991_000n, held_micros: 0n });
  });

  test("that failed without an incident reports at least that it broke off", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("live");
    const call = await claimOne();
    await writeAhead(t.db, call, "dial_broke_off");
    await commitTalking(t.db, call, 0);
    await end(t.db, call, { reason: "engine_error", by: "service", isOrderly: false }, 2_000);
    expect((await readCall(id))?.incidents).toMatchObject([
      {
        what: "conversation_failed",
        reason: expect.stringMatching(/\w/),
        effect: expect.stringContaining("not charged"),
      },
    ]);
  });

  test("costs nothing when it was not answered", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("live");
    const call = await claimOne();
    await writeAhead(t.db, call, "dial_2");
    await end(t.db, call, { reason: "busy", by: "callee", isOrderly: false });
    expect(await readCall(id)).toMatchObject({ status: "failed", end_reason: "busy", cost_micros: 0n });
    expect(await readBalance(scene.accountId)).toMatchObject({ available_micros: 10_000_000n, held_micros: 0n });
  });

  test("cannot be ended twice, not even by a statement that skips our code", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("test");
    const call = await claimOne();
    await writeAhead(t.db, call, "dial_3");
    await end(t.db, call, orderly);
    await end(t.db, call, { ...orderly, reason: "busy" });
    expect(await readCall(id)).toMatchObject({ end_reason: "callee_hangup" });
    await expect(
      run(t.db, "update calls set state = 'queued', status = 'initiated' where id = $1", [id]),
    ).rejects.toThrow("has ended");
    await expect(run(t.db, "update calls set end_reason = 'busy' where id = $1", [id])).rejects.toThrow("has ended");
    const finals = await run(
      t.db,
      "select 1 from outbox where call_id = $1 and type in ('call.completed', 'call.failed')",
      [id],
    );
    expect(finals).toHaveLength(1);
  });

  test("is written ahead once: repeating it after a lost reply finds it done, another dialing is refused", async () => {
    const scene = await setScene(t.db);
    await scene.place("test");
    const call = await claimOne();
    expect(await writeAhead(t.db, call, "dial_4")).toMatchObject({ decision: "written" });
    expect(await writeAhead(t.db, call, "dial_4")).toMatchObject({ decision: "written" });
    await expect(writeAhead(t.db, call, "dial_5")).rejects.toThrow("still under way");
    expect(await run(t.db, "select 1 from call_attempts where call_id = $1", [call.id])).toHaveLength(1);
    await end(t.db, call, orderly);
  });

  test("that is canceled while it waits releases the hold", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("live");
    await inTransaction(t.db, async (tx) => {
      const [row] = await run<Parameters<typeof endUnclaimed>[1]>(tx, "select * from calls where id = $1 for update", [
        id,
      ]);
      if (row) await endUnclaimed(tx, row, "canceled", "api");
    });
    expect(await readCall(id)).toMatchObject({ status: "failed", end_reason: "canceled", ended_by: "api" });
    expect(await readBalance(scene.accountId)).toMatchObject({ available_micros: 10_000_000n, held_micros: 0n });
  });

  test("that waited a day is not dialed any more and expires", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("test");
    await run(t.db, "update calls set created_at = now() - interval '24 hours 1 minute' where id = $1", [id]);
    expect(await claimCalls(t.db, worker, 10)).toEqual([]);
    expect(await expireCalls(t.db)).toBe(1);
    expect(await readCall(id)).toMatchObject({ status: "failed", end_reason: "expired" });
  });
});

describe("claiming", () => {
  test("many calls together gives each its run, with a lease that starts after all were claimed", async () => {
    const scene = await setScene(t.db);
    await run(t.db, "update dispatch_lanes set concurrency_max = 100, calls_per_second = 1000 where account_id = $1", [
      scene.accountId,
    ]);
    const placed = await Promise.all(Array.from({ length: 40 }, () => scene.place("test")));
    const claimed = await claimCalls(t.db, worker, 100);
    expect(claimed.map(({ call }) => call.id).sort()).toEqual([...placed].sort());
    const runs = await run<{ call_id: string; fence: bigint; lease: string }>(
      t.db,
      "select call_id, fence, lease_expires_at::text as lease from call_runs where call_id = any($1)",
      [placed],
    );
    expect(runs.map(({ call_id, fence }) => [call_id, fence]).sort()).toEqual(
      claimed.map(({ call }) => [call.id, call.fence]).sort(),
    );
    expect(new Set(runs.map(({ lease }) => lease)).size).toBe(1);
    for (const { call } of claimed) await commitRequeue(t.db, call);
    await run(t.db, "update calls set due_at = 'infinity' where id = any($1)", [placed]);
  });

  test("never puts more calls of an account on the line than it may have, pressed by twelve claimers", async () => {
    const scene = await setScene(t.db, { concurrencyMax: 3 });
    for (let i = 0; i < 30; i += 1) await scene.place("test");
    let peak = 0;
    let done = 0;
    const claimer = async () => {
      while (done < 30) {
        const claimed = await claimCalls(t.db, worker, 2);
        for (const { call } of claimed) {
          if (call.account_id !== scene.accountId) throw new Error("a call of another test was claimed");
          const [lane] = await run<{ active_count: number }>(
            t.db,
            "select active_count from dispatch_lanes where account_id = $1 and mode = 'test'",
            [scene.accountId],
          );
          peak = Math.max(peak, lane?.active_count ?? 0);
          await writeAhead(t.db, call);
          await end(t.db, call, orderly);
          done += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: 12 }, claimer));
    expect(peak).toBe(3);
    const [lane] = await run<{ active_count: number }>(
      t.db,
      "select active_count from dispatch_lanes where account_id = $1 and mode = 'test'",
      [scene.accountId],
    );
    expect(lane?.active_count).toBe(0);
  });

  test("hands out send times at the account's pace", async () => {
    const scene = await setScene(t.db, { callsPerSecond: 4 });
    for (let i = 0; i < 6; i += 1) await scene.place("test");
    const claimed = await claimCalls(t.db, worker, 10);
    expect(claimed.map(({ sendInMs }) => sendInMs)).toEqual([0, 250, 500, 750]);
    for (const { call } of claimed) await end(t.db, call, orderly);
    await run(t.db, "update dispatch_lanes set next_send_at = '-infinity' where account_id = $1", [scene.accountId]);
    for (const { call } of await claimCalls(t.db, worker, 10)) await end(t.db, call, orderly);
  });

  test("of a returned claim lets another worker take the call, and the first can no longer change it", async () => {
    const scene = await setScene(t.db);
    await scene.place("test");
    const first = await claimOne();
    await commitRequeue(t.db, first);
    const second = await claimOne();
    expect(second.id).toBe(first.id);
    expect(second.fence).toBe(first.fence + 1n);
    await expect(writeAhead(t.db, first, "dial_6")).rejects.toBeInstanceOf(LeaseLost);
    await expect(inTransaction(t.db, (tx) => lockOwnCall(tx, first.id, first.fence))).rejects.toBeInstanceOf(LeaseLost);
    await end(t.db, second, orderly);
  });
});

test("a renewed lease leaves nothing behind in the indexes, however long the call lasts", async () => {
  const indexed = await run<{ index: string }>(
    t.db,
    `select indexrelid::regclass::text as index from pg_index
     where indrelid = 'call_runs'::regclass and pg_get_indexdef(indexrelid) ~ 'renewed_at|lease_expires_at'`,
  );
  expect(indexed).toEqual([]);
});

describe("the recovery of lost calls", () => {
  const expire = (callId: string) =>
    run(
      t.db,
      "update call_runs set lease_expires_at = now() - interval '1 second' where call_id = $1 and ended_at is null",
      [callId],
    );
  const recover = (endOrphan: (orphan: { dialId: string }) => Promise<boolean> = async () => true) =>
    recoverLostCalls({
      db: t.db,
      workerId: worker,
      findCarrier: () => ({ endOrphan }),
      log: silentLog,
      quietSeconds: 0,
    });

  test("puts back what a lost worker had only claimed", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("test");
    const call = await claimOne();
    await expire(call.id);
    await recover();
    expect(await readCall(id)).toMatchObject({ state: "queued", status: "initiated" });
    const again = await claimOne();
    await end(t.db, again, orderly);
  });

  test("permanently ends at the carrier what a lost worker had dialed, and bills to the last renewal", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("live");
    const call = await claimOne();
    await writeAhead(t.db, call, "dial_7");
    await commitTalking(t.db, call, 5000);
    await run(
      t.db,
      "update call_runs set renewed_at = (select answered_at from calls where id = $1) + interval '4 seconds' where call_id = $1",
      [id],
    );
    await expire(call.id);
    const orphans: string[] = [];
    expect(
      await recover(async ({ dialId }) => {
        orphans.push(dialId);
        return true;
      }),
    ).toBe(1);
    expect(orphans).toEqual(["dial_7"]);
    expect(await readCall(id)).toMatchObject({
      state: "ended",
      status: "failed",
      end_reason: "worker_lost",
      duration_seconds: 4,
      cost_micros: 2001n,
    });
    expect(await readBalance(scene.accountId)).toMatchObject({ available_micros: 9_997_999n, held_micros: 0n });
    await expect(commitTalking(t.db, call, 0)).rejects.toBeInstanceOf(LeaseLost);
  });

  test.each(["dialing", "ringing"])(
    "ends a call that a lost worker left %s, and never requeues it, because a phone may ring",
    async (state) => {
      const scene = await setScene(t.db);
      const id = await scene.place("test");
      const call = await claimOne();
      await writeAhead(t.db, call, `dial_${state}`);
      if (state === "ringing") await commitRinging(t.db, call);
      expect(await readCall(id)).toMatchObject({ state });
      await expire(id);
      const orphans: string[] = [];
      const recovered = await recover(async ({ dialId }) => {
        orphans.push(dialId);
        return true;
      });
      expect([recovered, orphans]).toEqual([1, [`dial_${state}`]]);
      expect(await readCall(id)).toMatchObject({ state: "ended", status: "failed", end_reason: "worker_lost" });
    },
  );

  test("bills nothing for the time in which a worker could not write that the callee had hung up", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("live");
    const call = await claimOne();
    await writeAhead(t.db, call, "dial_10");
    await commitTalking(t.db, call, 60_000);
    await run(
      t.db,
      "update call_runs set renewed_at = (select answered_at from calls where id = $1) + interval '4 seconds' where call_id = $1",
      [id],
    );
    const renewed = await renewLeases(t.db, worker, () => ({ callIds: [id], talkingIds: [] }));
    expect(renewed).toEqual([{ call_id: id, hangup_requested: false }]);
    await expire(id);
    await recover();
    expect(await readCall(id)).toMatchObject({ end_reason: "worker_lost", duration_seconds: 4, cost_micros: 2001n });
  });

  test("bills to the last renewal also when the worker that recovered it was lost halfway", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("live");
    const call = await claimOne();
    await writeAhead(t.db, call, "dial_9");
    await commitTalking(t.db, call, 60_000);
    await run(
      t.db,
      "update call_runs set renewed_at = (select answered_at from calls where id = $1) + interval '4 seconds' where call_id = $1",
      [id],
    );
    await expire(id);
    await recover(async () => {
      // The first worker has taken the call over and gets no further; another one finds it.
      await expire(id);
      await recover();
      return true;
    });
    expect(await readCall(id)).toMatchObject({ end_reason: "worker_lost", duration_seconds: 4, cost_micros: 2001n });
  });

  const setPulse = (beatAgo: string, steadyFor: string) =>
    run(t.db, "update worker_pulse set beat_at = now() - $1::interval, steady_since = now() - $2::interval", [
      beatAgo,
      steadyFor,
    ]);
  // Less than in production, because the test database has not been up for long.
  const QUIET_SECONDS = 2;
  beforeAll(async () => {
    await vi.waitFor(async () => {
      const up = "select pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => $1) as for_long";
      expect(await run(t.db, up, [QUIET_SECONDS])).toEqual([{ for_long: true }]);
    }, 10_000);
  });
  const recoverQuietly = () =>
    recoverLostCalls({
      db: t.db,
      workerId: worker,
      log: silentLog,
      quietSeconds: QUIET_SECONDS,
      findCarrier: () => ({ endOrphan: async () => true }),
    });
  async function loseOne() {
    const scene = await setScene(t.db);
    await scene.place("test");
    const call = await claimOne();
    await writeAhead(t.db, call);
    await expire(call.id);
    return call;
  }
  const stateOf = async (id: string) => (await readCall(id))?.["state"];

  test("declares no worker lost until the database has been reachable for long enough", async () => {
    const call = await loseOne();
    // It stood still with all its connections, or was away, and every lease ran out meanwhile.
    await setPulse("20 seconds", "1 hour");
    expect(await recoverQuietly()).toBe(0);
    expect(await recoverQuietly()).toBe(0);
    // Not long enough, however slow the machine is.
    await setPulse("1 second", "-1 hour");
    expect(await recoverQuietly()).toBe(0);
    expect(await stateOf(call.id)).toBe("dialing");
    await setPulse("1 second", "2 seconds");
    expect(await recoverQuietly()).toBe(1);
    expect(await stateOf(call.id)).toBe("ended");
  });

  test("immediately ends the calls of a worker known to be dead, and no others", async () => {
    const other = "wrk_alive";
    await registerWorker(t.db, other, 10);
    const scene = await setScene(t.db);
    const lost = await scene.place("test").then(() => claimOne());
    await writeAhead(t.db, lost);
    const claimed = await scene.place("test").then(() => claimOne());
    const alive = await scene.place("test").then(() => claimOne(other));
    await writeAhead(t.db, alive);
    // The database has just started, so no worker that only failed to renew may be declared lost.
    await setPulse("20 seconds", "-1 hour");
    const recoverNow = () =>
      recoverLostCalls({
        db: t.db,
        workerId: other,
        log: silentLog,
        quietSeconds: null,
        findCarrier: () => ({ endOrphan: async () => true }),
      });
    expect(await recoverNow()).toBe(0);
    expect(await abandonLeases(t.db, [worker])).toBeGreaterThanOrEqual(2);
    await recoverNow();
    expect(await Promise.all([lost, claimed, alive].map(({ id }) => stateOf(id)))).toEqual([
      "ended",
      "queued",
      "dialing",
    ]);
    expect(await readCall(lost.id)).toMatchObject({ end_reason: "worker_lost" });
    await run(t.db, "update call_runs set ended_at = now() where ended_at is null");
    await setPulse("1 second", "1 minute");
  });

  test("an outage delays the recovery only if calls were being conducted during it", async () => {
    const steadyFor = async () => {
      const [row] = await run<{ seconds: number | null }>(
        t.db,
        "select nullif(extract(epoch from clock_timestamp() - steady_since), 'infinity')::float8 as seconds from worker_pulse",
      );
      return row?.seconds ?? Number.POSITIVE_INFINITY;
    };
    await run(t.db, "update call_runs set ended_at = now() where ended_at is null");
    await setPulse("1 hour", "2 hours");
    await recordHeartbeat(t.db);
    expect(await steadyFor()).toBe(Number.POSITIVE_INFINITY);
    const call = await loseOne();
    await setPulse("1 hour", "2 hours");
    await recordHeartbeat(t.db);
    expect(await steadyFor()).toBeLessThan(3_000);
    await setPulse("1 second", "1 minute");
    expect(await recoverQuietly()).toBe(1);
    expect(await stateOf(call.id)).toBe("ended");
  });

  test("checks again before it takes a call: a database that stalled after the check delays the recovery", async () => {
    const call = await loseOne();
    await setPulse("1 second", "1 minute");
    const [expired] = await findLostRuns(t.db, QUIET_SECONDS, 10);
    expect(expired).toMatchObject({ call_id: call.id });
    await setPulse("20 seconds", "1 hour");
    const locked = await inTransaction(t.db, (tx) =>
      lockLost(tx, { call_id: call.id, fence: call.fence }, QUIET_SECONDS),
    );
    expect(locked).toBeNull();
    await setPulse("1 second", "1 minute");
    expect(await recoverQuietly()).toBe(1);
  });

  test("treats a database clock jump in either direction as an outage, and finds workers lost before it", async () => {
    const call = await loseOne();
    for (const jump of ["2 hours", "-2 hours"]) {
      await setPulse(jump, "1 day");
      expect(await recoverQuietly()).toBe(0);
    }
    // What was written before the clock was set back ends two hours from now.
    await run(t.db, "update call_runs set lease_expires_at = now() + interval '2 hours' where call_id = $1", [call.id]);
    await setPulse("1 second", "1 minute");
    expect(await recoverQuietly()).toBe(1);
    expect(await stateOf(call.id)).toBe("ended");
  });

  test("ends a hundred lost calls at the same time when no network confirms", async () => {
    const scene = await setScene(t.db, { concurrencyMax: 100 });
    for (let n = 0; n < 100; n += 1) await scene.place("test");
    const claimed = await claimCalls(t.db, worker, 100);
    await Promise.all(claimed.map(({ call }) => writeAhead(t.db, call)));
    await run(t.db, "update call_runs set lease_expires_at = now() - interval '1 second' where ended_at is null");
    const all = Promise.withResolvers<boolean>();
    let asked = 0;
    const recovered = await recover(() => {
      asked += 1;
      // No result is returned before all were queried.
      if (asked === claimed.length) all.resolve(false);
      return all.promise;
    });
    expect([claimed.length, asked, recovered]).toEqual([100, 100, 100]);
  });

  test("leaves a run alone whose worker came back in time", async () => {
    const scene = await setScene(t.db);
    const id = await scene.place("test");
    const call = await claimOne();
    await writeAhead(t.db, call, "dial_8");
    await recover();
    expect(await readCall(id)).toMatchObject({ state: "dialing" });
    await end(t.db, call, orderly);
  });
});
