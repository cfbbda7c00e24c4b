import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { freeTrunkSlot, takeTrunkSlot } from "./slot-store.ts";

let t: TestDatabase;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await run(t.db, "insert into trunks (id, name, host, codecs) values ('trk_1', 'one', 'sip.example', '{PCMA}')");
});
afterAll(() => t.close());
beforeEach(() => limit(null, null));

async function limit(channelsMax: number | null, callsPerSecond: number | null): Promise<void> {
  await run(t.db, "delete from trunk_channels");
  await run(t.db, "insert into trunk_channels (trunk_id, channels_max, calls_per_second) values ('trk_1', $1, $2)", [
    channelsMax,
    callsPerSecond,
  ]);
}

const take = (trunkId = "trk_1") => inTransaction(t.db, (tx) => takeTrunkSlot(tx, trunkId));
const free = () => inTransaction(t.db, (tx) => freeTrunkSlot(tx, "trk_1"));

async function readChannels(): Promise<{ active_count: number; ahead_ms: number }> {
  const [row] = await run<{ active_count: number; ahead_ms: number }>(
    t.db,
    `select active_count, extract(epoch from greatest(next_send_at, clock_timestamp()) - clock_timestamp())::float8 * 1000 as ahead_ms
     from trunk_channels where trunk_id = 'trk_1'`,
  );
  if (!row) throw new Error("the trunk has no channels row");
  return row;
}

describe("the channels of a trunk", () => {
  test("are never exceeded, however many workers ask concurrently", async () => {
    await limit(3, null);
    const taken = await Promise.all(Array.from({ length: 20 }, () => take()));
    expect(taken.filter((slot) => slot !== "full")).toHaveLength(3);
    expect((await readChannels()).active_count).toBe(3);
  });

  test("are assigned again once one is free", async () => {
    await limit(1, null);
    expect(await take()).toEqual({ afterMs: 0 });
    expect(await take()).toBe("full");
    await free();
    expect(await take()).toEqual({ afterMs: 0 });
  });

  test("are not taken by a transaction that fails", async () => {
    await limit(1, null);
    const failing = inTransaction(t.db, async (tx) => {
      await takeTrunkSlot(tx, "trk_1");
      throw new Error("the attempt could not be written");
    });
    await expect(failing).rejects.toThrow("could not be written");
    expect(await take()).toEqual({ afterMs: 0 });
  });

  test("have no end where the operator set no limit", async () => {
    const taken = await Promise.all(Array.from({ length: 10 }, () => take()));
    expect(taken).toEqual(Array.from({ length: 10 }, () => ({ afterMs: 0 })));
  });

  test("are none on a trunk that was removed while a call was being prepared", async () => {
    expect(await take("trk_gone")).toBe("full");
  });

  test("cannot be exceeded by a statement that forgot to look, nor fall below none", async () => {
    await limit(1, null);
    await take();
    const add = run(t.db, "update trunk_channels set active_count = active_count + 1");
    await expect(add).rejects.toMatchObject({ code: "23514", constraint: "trunk_within_limit" });
    await free();
    await expect(free()).rejects.toMatchObject({ code: "23514" });
  });

  test("may be fewer from now on than calls already use, and then refuse until enough have ended", async () => {
    await limit(2, null);
    await take();
    await take();
    await run(t.db, "update trunk_channels set channels_max = 1");
    await free();
    expect(await take()).toBe("full");
    await free();
    expect(await take()).toEqual({ afterMs: 0 });
  });
});

describe("the pace of a trunk", () => {
  test("is kept by handing out send times that lie one after the other", async () => {
    // So slow that the time the statements take does not matter.
    await limit(null, 0.01);
    const waits: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      const slot = await take();
      if (slot === "full") throw new Error("no channel");
      waits.push(Math.round(slot.afterMs / 100_000));
    }
    expect(waits).toEqual([0, 1, 2, 3]);
    expect(Math.round((await readChannels()).ahead_ms / 100_000)).toBe(4);
  });

  test("never assigns the same time to two concurrent workers", async () => {
    await limit(null, 0.01);
    const slots = await Promise.all(Array.from({ length: 8 }, () => take()));
    const turns = slots.map((slot) => (slot === "full" ? -1 : Math.round(slot.afterMs / 100_000)));
    expect(turns.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test("does not let a trunk that was idle catch up", async () => {
    await limit(null, 0.01);
    await run(t.db, "update trunk_channels set next_send_at = clock_timestamp() - interval '1 day'");
    await take();
    const second = await take();
    expect(second === "full" ? -1 : Math.round(second.afterMs / 100_000)).toBe(1);
  });
});
