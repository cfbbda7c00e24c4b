import { createSeededRandom } from "@parley/audio/seeded-random";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Database, openDatabase, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { createLog } from "../../platform/telemetry/log.ts";
import type { CallRow } from "../call-record.ts";
import { commitRequeue } from "./commits.ts";
import { commitAttempt, commitAttemptEnd } from "./dialing/attempts.ts";
import { LeaseLost, registerWorker } from "./lease/lease-store.ts";
import { setScene } from "./testing/call-scene.ts";
import { end } from "./testing/simulated-steps.ts";
import { addTrunk, countChannels } from "./testing/trunk-scene.ts";
import { recoverLostCalls } from "./worker/lost-calls.ts";
import { claimCalls } from "./worker/worker.ts";

const seed = Number(process.env["PRESS_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
const WORKERS = 5;
const orderly = { reason: "callee_hangup", by: "callee", isOrderly: true } as const;
const log = createLog("silent");

let t: TestDatabase;
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => t.close());

/** Counts how many of something exist, and the maximum so far. */
class Tally {
  readonly #now = new Map<string, number>();
  readonly most = new Map<string, number>();
  add(name: string, step: 1 | -1): void {
    const count = (this.#now.get(name) ?? 0) + step;
    this.#now.set(name, count);
    this.most.set(name, Math.max(count, this.most.get(name) ?? 0));
  }
}

/** Workers as in production: each with its own connections, all on one database. */
async function openWorkers(): Promise<{ id: string; db: Database }[]> {
  return Promise.all(
    Array.from({ length: WORKERS }, async () => {
      const id = makeId("worker");
      const db = openDatabase({ url: t.url, connectionsMax: 3, applicationName: id, onIdleError: () => undefined });
      await registerWorker(db, id, 100);
      return { id, db };
    }),
  );
}

const laneOf = ({ account_id, mode }: CallRow) => `${account_id} ${mode}`;

describe(`limits pressed by ${WORKERS} workers that come and go (PRESS_SEED=${seed})`, () => {
  test("of accounts and trunks are reached and never exceeded by one, and nothing stays taken", async () => {
    console.log(`PRESS_SEED=${seed}`);
    const random = createSeededRandom(seed);
    const below = (max: number) => Math.floor(random() * max);
    const laneMax = new Map<string, number>();
    const trunkMax = new Map<string, number>();
    for (let n = 0; n < 2; n += 1) {
      const channelsMax = 1 + below(2);
      trunkMax.set(await addTrunk(t.db, { channelsMax }), channelsMax);
    }
    const trunkIds = [...trunkMax.keys()];
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const concurrencyMax = 2 + below(3);
      const scene = await setScene(t.db, { concurrencyMax });
      laneMax.set(`${scene.accountId} test`, concurrencyMax);
      for (let calls = 0; calls < 15; calls += 1) ids.push(await scene.place("test"));
    }
    const workers = await openWorkers();
    const lanes = new Tally();
    const trunks = new Tally();
    const ended = new Set<string>();
    const dialed = new Set<string>();
    const fullLanes = new Set<string>();
    let timesFull = 0;

    /** The view from outside: counted after the commit that took it, until before the one that returns it. */
    async function conduct(db: Database, call: CallRow): Promise<void> {
      lanes.add(laneOf(call), 1);
      const trunkId = trunkIds[below(trunkIds.length)] ?? null;
      const dialId = makeId("dial");
      const { decision } = await commitAttempt(db, call, { carrier: "sip", dialId, trunkId, record: null });
      if (decision !== "written") {
        timesFull += 1;
        lanes.add(laneOf(call), -1);
        await commitRequeue(db, call);
        return;
      }
      if (dialed.has(call.id)) throw new Error(`${call.id} was dialed twice`);
      dialed.add(call.id);
      trunks.add(String(trunkId), 1);
      const pauses = below(6);
      for (let pause = 0; pause < pauses; pause += 1) await run(db, "select 1");
      lanes.add(laneOf(call), -1);
      trunks.add(String(trunkId), -1);
      // One in five workers dies here as far as this call is concerned, and another one finds it.
      if (below(5) === 0)
        return void (await run(
          db,
          "update call_runs set lease_expires_at = now() - interval '1 second' where call_id = $1 and ended_at is null",
          [call.id],
        ));
      await commitAttemptEnd(db, dialId, { cause: "hangup", code: null, reason: "" });
      await end(db, call, orderly);
    }

    async function work({ id, db }: { id: string; db: Database }): Promise<void> {
      while (ended.size < ids.length) {
        const claimed = await claimCalls(db, id, 1 + below(3));
        const full = await run<{ account_id: string }>(
          db,
          "select account_id from dispatch_lanes where active_count = concurrency_max",
        );
        for (const { account_id } of full) fullLanes.add(account_id);
        const done = await Promise.allSettled(claimed.map(({ call }) => conduct(db, call)));
        for (const outcome of done)
          if (outcome.status === "rejected" && !(outcome.reason instanceof LeaseLost)) throw outcome.reason;
        await recoverLostCalls({
          db,
          workerId: id,
          log,
          quietSeconds: 0,
          findCarrier: () => ({ endOrphan: async () => true }),
        });
        const rows = await run<{ id: string }>(db, "select id from calls where state = 'ended' and id = any($1)", [
          ids,
        ]);
        for (const row of rows) ended.add(row.id);
      }
    }
    const outcomes = await Promise.allSettled(workers.map(work));
    await Promise.all(workers.map(({ db }) => db.destroy()));
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;

    for (const [lane, max] of laneMax) expect(lanes.most.get(lane)).toBeLessThanOrEqual(max);
    for (const [trunkId, max] of trunkMax) expect(trunks.most.get(trunkId)).toBeLessThanOrEqual(max);
    // Pressed, not only approached.
    expect(timesFull).toBeGreaterThan(0);
    expect(fullLanes.size).toBeGreaterThan(0);
    for (const trunkId of trunkIds) expect(await countChannels(t.db, trunkId)).toBe(0);
    expect(await run(t.db, "select 1 from dispatch_lanes where active_count <> 0")).toEqual([]);
    expect(dialed.size).toBe(ids.length);
  });
});

describe("the pace of an account", () => {
  test("never assigns two workers the same send time", async () => {
    // So slow that the time the statements take does not matter: the next slot is further away than any worker may
    // claim.
    const scene = await setScene(t.db, { callsPerSecond: 0.01 });
    for (let n = 0; n < 6; n += 1) await scene.place("test");
    const workers = await openWorkers();
    const claimed = (await Promise.all(workers.map(({ id, db }) => claimCalls(db, id, 6)))).flat();
    await Promise.all(workers.map(({ db }) => db.destroy()));
    expect(claimed.map(({ sendInMs }) => sendInMs)).toEqual([0]);
    for (const { call } of claimed) await end(t.db, call, orderly);
    await run(t.db, "update calls set due_at = now() + interval '1 day' where account_id = $1 and state = 'queued'", [
      scene.accountId,
    ]);
  });
});

describe("an account with a thousand calls waiting", () => {
  async function crowd(scene: Awaited<ReturnType<typeof setScene>>, count: number): Promise<void> {
    const id = await scene.place("test");
    await run(t.db, "create table one_call as select * from calls where id = $1", [id]);
    await run(
      t.db,
      `insert into calls select (jsonb_populate_record(c, jsonb_build_object('id', c.id || '_' || n))).*
       from one_call o join calls c on c.id = o.id, generate_series(1, $1) n`,
      [count],
    );
    await run(t.db, "drop table one_call");
  }

  test("does not make another's one call wait, however many workers with however few slots", async () => {
    const greedy = await setScene(t.db, { concurrencyMax: 500 });
    await crowd(greedy, 1_000);
    const worker = makeId("worker");
    await registerWorker(t.db, worker, 10);
    // It has been served before, which makes no difference.
    const before = await claimCalls(t.db, worker, 3);
    expect(before.map(({ call }) => call.account_id)).toEqual(Array.from({ length: 3 }, () => greedy.accountId));
    const modest = await setScene(t.db);
    const id = await modest.place("test");
    const [next] = await claimCalls(t.db, worker, 1);
    expect(next?.call.id).toBe(id);
    // From then on they take turns: of two that both have calls waiting neither is served twice in a row.
    for (let n = 0; n < 3; n += 1) await modest.place("test");
    const turns: boolean[] = [];
    for (let n = 0; n < 6; n += 1)
      turns.push((await claimCalls(t.db, worker, 1))[0]?.call.account_id === modest.accountId);
    expect(turns).toEqual([false, true, false, true, false, true]);
    await run(t.db, "update calls set due_at = now() + interval '1 day' where account_id = $1 and state = 'queued'", [
      greedy.accountId,
    ]);
  });
});

describe("an account whose calls wait for a trunk with one channel", () => {
  test("lets another account's single call go first when the channel is free, and continues after it", async () => {
    const trunkId = await addTrunk(t.db, { channelsMax: 1 });
    const greedy = await setScene(t.db, { concurrencyMax: 20 });
    const modest = await setScene(t.db);
    const worker = makeId("worker");
    await registerWorker(t.db, worker, 100);
    for (let n = 0; n < 3; n += 1) await greedy.place("test");
    const crowd = (await claimCalls(t.db, worker, 3)).map(({ call }) => call);
    await modest.place("test");
    const [single] = (await claimCalls(t.db, worker, 1)).map(({ call }) => call);
    const [first, second, third] = crowd;
    if (!first || !second || !third || !single) throw new Error("a call was not claimed");
    const dial = async (call: CallRow) => {
      const dialId = makeId("dial");
      const { decision } = await commitAttempt(t.db, call, { carrier: "sip", dialId, trunkId, record: null });
      return { decision, hangUp: () => commitAttemptEnd(t.db, dialId, { cause: "hangup", code: null, reason: "" }) };
    };

    const talking = await dial(first);
    expect(talking.decision).toBe("written");
    expect((await dial(second)).decision).toBe("full");
    expect((await dial(single)).decision).toBe("full");
    // Until it has asked again, however slow the machine is.
    await run(t.db, "update trunk_turns set wanted_until = now() + interval '1 hour' where account_id = $1", [
      modest.accountId,
    ]);
    await talking.hangUp();
    // The channel is free, and kept for the one who has not had one.
    expect((await dial(second)).decision).toBe("full");
    expect((await dial(third)).decision).toBe("full");
    const turn = await dial(single);
    expect(turn.decision).toBe("written");
    await turn.hangUp();
    const again = await dial(third);
    expect(again.decision).toBe("written");
    await again.hangUp();
    // A worker that does not return does not keep the channel from others for long.
    await run(
      t.db,
      "update trunk_turns set wanted_until = now() - interval '1 second', served_at = '-infinity' where account_id = $1",
      [modest.accountId],
    );
    expect((await dial(second)).decision).toBe("written");
    for (const call of [first, second, third, single]) await end(t.db, call, orderly);
  });
});
