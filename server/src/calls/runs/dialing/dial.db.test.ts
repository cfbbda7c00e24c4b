import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { run } from "../../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../../platform/database/testing/test-database.ts";
import type { CallRow } from "../../call-record.ts";
import { commitEnd, commitRinging } from "../commits.ts";
import { LeaseLost, registerWorker } from "../lease/lease-store.ts";
import { setScene } from "../testing/call-scene.ts";
import { claimOwn } from "../testing/claim-own.ts";
import { addTrunk, countChannels, readAttempts } from "../testing/trunk-scene.ts";
import { commitAttempt, freeForgottenChannels } from "./attempts.ts";
import { AttemptJournal } from "./dial.ts";

let t: TestDatabase;
const worker = makeId("worker");

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
});
afterAll(() => t.close());

async function openJournal() {
  const scene = await setScene(t.db);
  const id = await scene.place("test");
  const call = await claimOwn(t.db, worker, id);
  const told: string[] = [];
  const run = { mayDial: true };
  const journal = new AttemptJournal({
    db: t.db,
    call,
    carrier: "sip",
    commit: (attempt) => commitAttempt(t.db, call, attempt),
    mayDial: () => run.mayDial,
    retry: (write) => write(),
    onWritten: () => told.push("written"),
    onRefused: () => told.push("refused"),
    onLost: () => told.push("lost"),
    onError: (error) => told.push(String(error)),
  });
  const attempt = (trunkId: string | null, ordinal = 1, record: object = { kind: "invite", ordinal }) => ({
    dialId: `${id}.${ordinal}`,
    ordinal,
    trunkId,
    record,
  });
  return { id, call, journal, told, attempt, run };
}

const read = async (id: string) => {
  const [row] = await run<CallRow>(t.db, "select * from calls where id = $1", [id]);
  if (!row) throw new Error("the call is gone");
  return row;
};
const timeline = async (id: string) =>
  (await run<{ type: string }>(t.db, "select type from call_events where call_id = $1 order by sequence", [id])).map(
    ({ type }) => type,
  );
const hangUp = (call: CallRow, isConfirmed: boolean) =>
  commitEnd(t.db, call, {
    decision: { reason: "api_hangup", by: "api", isOrderly: true },
    carrierName: "sip",
    leg: isConfirmed ? { type: "ended", cause: "hangup", code: null, reason: "", by: "us" } : null,
    wasSent: true,
    talkedMs: null,
    agoMs: 0,
  });
const unreachable = { cause: "unavailable", code: 503, reason: "Service Unavailable" } as const;
const hungUp = { cause: "hangup", code: null, reason: "Normal Clearing" } as const;

describe("an attempt on a trunk", () => {
  test("is committed with its trunk, and with what ends it, before its request may leave", async () => {
    const { id, journal, told, attempt } = await openJournal();
    const trunkId = await addTrunk(t.db, { channelsMax: 1 });
    expect(await journal.writeAhead(attempt(trunkId))).toEqual({ decision: "send", afterMs: 0 });
    expect(told).toEqual(["written"]);
    expect(await read(id)).toMatchObject({ state: "dialing", carrier: { name: "sip" } });
    expect(await readAttempts(t.db, id)).toMatchObject([
      { dial_id: `${id}.1`, carrier: "sip", trunk_id: trunkId, record: { kind: "invite" }, ended_at: null },
    ]);
    expect(await countChannels(t.db, trunkId)).toBe(1);
  });

  test("is sent when its trunk's rate limit allows it, and goes elsewhere when that is not soon", async () => {
    const trunkId = await addTrunk(t.db, { callsPerSecond: 0.01 });
    const place = async () => {
      const { journal, attempt } = await openJournal();
      return journal.writeAhead(attempt(trunkId));
    };
    const turnIn = (seconds: number) =>
      run(
        t.db,
        "update trunk_channels set next_send_at = clock_timestamp() + make_interval(secs => $2) where trunk_id = $1",
        [trunkId, seconds],
      );
    expect(await place()).toEqual({ decision: "send", afterMs: 0 });
    expect(await place()).toEqual({ decision: "trunk_full" });
    await turnIn(0.9);
    expect(await place()).toMatchObject({ decision: "send" });
    expect(await countChannels(t.db, trunkId)).toBe(2);
  });

  test("on a full trunk leaves nothing behind: the call is as it was and may still go back to the queue", async () => {
    const trunkId = await addTrunk(t.db, { channelsMax: 1 });
    const first = await openJournal();
    await first.journal.writeAhead(first.attempt(trunkId));
    const second = await openJournal();
    expect(await second.journal.writeAhead(second.attempt(trunkId))).toEqual({ decision: "trunk_full" });
    expect(second.journal.wasTrunkFull).toBe(true);
    expect(second.told).toEqual([]);
    expect(await read(second.id)).toMatchObject({ state: "claimed", carrier: null });
    expect(await readAttempts(t.db, second.id)).toEqual([]);
    expect(await timeline(second.id)).toEqual(["call.initiated"]);
  });

  test("is followed by one on another trunk only after it has ended, and each has its own row", async () => {
    const { id, journal, attempt } = await openJournal();
    const [one, two] = [await addTrunk(t.db), await addTrunk(t.db)];
    await journal.writeAhead(attempt(one, 1));
    await expect(journal.writeAhead(attempt(two, 2))).rejects.toThrow("still under way");
    journal.noteEnd(`${id}.1`, unreachable);
    expect(await journal.writeAhead(attempt(two, 2))).toEqual({ decision: "send", afterMs: 0 });
    expect(await readAttempts(t.db, id)).toMatchObject([
      { ordinal: 1, dial_id: `${id}.1`, trunk_id: one, ...unreachable },
      { ordinal: 2, dial_id: `${id}.2`, trunk_id: two, record: { ordinal: 2 }, ended_at: null },
    ]);
    expect([await countChannels(t.db, one), await countChannels(t.db, two)]).toEqual([0, 1]);
    expect(await timeline(id)).toEqual(["call.initiated", "call.dialing", "call.rerouted"]);
  });

  test("is not followed by another once a hang-up was requested", async () => {
    const { id, journal, told, attempt } = await openJournal();
    const [one, two] = [await addTrunk(t.db), await addTrunk(t.db)];
    await journal.writeAhead(attempt(one, 1));
    journal.noteEnd(`${id}.1`, unreachable);
    await run(t.db, "update calls set hangup_requested_at = now() where id = $1", [id]);
    expect(await journal.writeAhead(attempt(two, 2))).toEqual({ decision: "stop" });
    expect(told).toEqual(["written", "refused"]);
    expect(await countChannels(t.db, two)).toBe(0);
  });

  test("is not followed by another once a phone rang", async () => {
    const { id, call, journal, attempt } = await openJournal();
    const trunkId = await addTrunk(t.db);
    await journal.writeAhead(attempt(trunkId, 1));
    await commitRinging(t.db, call);
    journal.noteEnd(`${id}.1`, unreachable);
    expect(await journal.writeAhead(attempt(trunkId, 2))).toEqual({ decision: "stop" });
    expect(await readAttempts(t.db, id)).toHaveLength(1);
  });

  test("is not written for a run that turned to its end, and not sent when it turned meanwhile", async () => {
    const { id, journal, attempt, run } = await openJournal();
    const trunkId = await addTrunk(t.db);
    run.mayDial = false;
    expect(await journal.writeAhead(attempt(trunkId))).toEqual({ decision: "stop" });
    expect(await readAttempts(t.db, id)).toEqual([]);
    run.mayDial = true;
    const decision = journal.writeAhead(attempt(trunkId));
    queueMicrotask(() => setImmediate(() => (run.mayDial = false)));
    expect(await decision).toEqual({ decision: "stop" });
  });

  test("of a run that lost its lease is refused, and the run is notified", async () => {
    const { id, journal, told, attempt } = await openJournal();
    await run(t.db, "update calls set fence = fence + 1 where id = $1", [id]);
    await expect(journal.writeAhead(attempt(await addTrunk(t.db)))).rejects.toBeInstanceOf(LeaseLost);
    expect(told).toEqual(["lost"]);
    expect(await readAttempts(t.db, id)).toEqual([]);
  });
});

describe("an answer", () => {
  test("is acknowledged only after what hangs it up was committed", async () => {
    const { id, journal, attempt } = await openJournal();
    const trunkId = await addTrunk(t.db);
    await journal.writeAhead(attempt(trunkId));
    await journal.commitAnswer(attempt(trunkId, 1, { kind: "dialog" }));
    expect(await readAttempts(t.db, id)).toMatchObject([{ record: { kind: "dialog" } }]);
  });

  test("of a call that another worker took over is not committed, so that it is never acknowledged", async () => {
    const { id, journal, told, attempt } = await openJournal();
    const trunkId = await addTrunk(t.db);
    await journal.writeAhead(attempt(trunkId));
    await run(t.db, "update calls set fence = fence + 1 where id = $1", [id]);
    await expect(journal.commitAnswer(attempt(trunkId, 1, { kind: "dialog" }))).rejects.toBeInstanceOf(LeaseLost);
    expect(told).toEqual(["written", "lost"]);
    expect(await readAttempts(t.db, id)).toMatchObject([{ record: { kind: "invite" } }]);
  });
});

describe("the channel of a trunk", () => {
  async function talk(limits: Parameters<typeof addTrunk>[1] = {}) {
    const rig = await openJournal();
    const trunkId = await addTrunk(t.db, limits);
    await rig.journal.writeAhead(rig.attempt(trunkId));
    return { ...rig, trunkId, channels: () => countChannels(t.db, trunkId) };
  }

  test("is freed once, whether the attempt's end or the call's end is written first", async () => {
    for (const isAttemptFirst of [true, false]) {
      const { id, call, journal, trunkId, channels } = await talk();
      // Another call on the trunk: its channel is the one that a second release would give away.
      const other = await openJournal();
      await other.journal.writeAhead(other.attempt(trunkId));
      if (!isAttemptFirst) await hangUp(call, true);
      journal.noteEnd(`${id}.1`, hungUp);
      journal.noteEnd(`${id}.1`, hungUp);
      await journal.settled;
      if (isAttemptFirst) await hangUp(call, true);
      expect(await channels()).toBe(1);
      await hangUp(other.call, true);
      expect(await channels()).toBe(0);
    }
  });

  test("stays taken after the call's end until the carrier confirms that the leg is gone", async () => {
    const { id, call, journal, channels } = await talk();
    await hangUp(call, false);
    expect(await channels()).toBe(1);
    expect(await freeForgottenChannels(t.db)).toBe(0);
    journal.noteEnd(`${id}.1`, hungUp);
    await journal.settled;
    expect(await channels()).toBe(0);
  });

  test("of a lost leg is free again when the trunk's session timer has passed, and not before", async () => {
    const { id, call, journal, channels } = await talk({ sessionTimerSeconds: 90 });
    journal.noteEnd(`${id}.1`, { cause: "lost", code: null, reason: "" });
    await journal.settled;
    await hangUp(call, false);
    await backdate(id, 80);
    expect(await freeForgottenChannels(t.db)).toBe(0);
    await backdate(id, 100);
    expect(await freeForgottenChannels(t.db)).toBe(1);
    expect(await channels()).toBe(0);
    expect(await freeForgottenChannels(t.db)).toBe(0);
  });

  /** The end of a call cannot be changed, so the guard is set aside for the moment. */
  async function backdate(id: string, seconds: number): Promise<void> {
    await run(t.db, "alter table calls disable trigger call_end_is_final");
    await run(t.db, "update calls set ended_at = now() - make_interval(secs => $2) where id = $1", [id, seconds]);
    await run(t.db, "alter table calls enable trigger call_end_is_final");
  }
});
