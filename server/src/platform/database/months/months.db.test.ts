import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readCallEvents } from "../../../calls/event-store.ts";
import { type Database, inTransaction, run } from "../database.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { addMonths } from "./add-months.ts";
import { countRowsOutside } from "./month-store.ts";
import { withShortLocks } from "./short-locks.ts";

let t: TestDatabase;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => t.close());

const TABLES = ["call_events", "recording_peaks", "transcript_items", "transcript_revisions"];
const at = (text: string) => Date.parse(text);
const noteEvent = (callId: string, sequence = 1) =>
  run(t.db, "insert into call_events (call_id, sequence, type) values ($1, $2, 'call.noted')", [callId, sequence]);

async function partitionOf(callId: string): Promise<string | undefined> {
  const [row] = await run<{ name: string }>(
    t.db,
    "select tableoid::regclass::text as name from call_events where call_id = $1 limit 1",
    [callId],
  );
  return row?.name;
}

const partitionsOf = async (table: string) =>
  (
    await run<{ name: string }>(t.db, "select name from month_partitions() where parent = $1 order by upper_id, name", [
      table,
    ])
  ).map(({ name }) => name);

describe("the first id of a moment", () => {
  test.each(["2020-01-01T00:00:00.000Z", "2026-12-31T23:59:59.999Z", "2061-03-05T07:09:11.013Z"])(
    "in the database is what ids made at %s begin with",
    async (text) => {
      const id = makeId("call", at(text));
      const [row] = await run<{ first: string; moment: Date }>(
        t.db,
        "select id_at('call', $1::timestamptz) as first, moment_of_id($2) as moment",
        [new Date(text), id],
      );
      expect(row?.first).toBe(id.slice(0, "call_".length + 10));
      expect(row?.moment.toISOString()).toBe(text);
    },
  );

  test("cannot be asked of what is no id", async () => {
    const [row] = await run(t.db, "select moment_of_id('call_x') as a, moment_of_id('call_0il0000000') as b");
    expect(row).toEqual({ a: null, b: null });
  });
});

describe("months", () => {
  test("are there from the start, with the present in the first one", async () => {
    for (const table of TABLES) {
      const names = await partitionsOf(table);
      expect([names[0], names.at(-1)]).toEqual([`${table}_first`, `${table}_default`]);
      expect(names.length).toBeGreaterThanOrEqual(3);
    }
    await noteEvent(makeId("call"));
    expect(await countRowsOutside(t.db)).toBe(0);
  });

  test("are added ahead of time, and each row goes to the month of its call", async () => {
    expect(await addMonths(t.db, at("2060-05-10T12:00:00Z"))).toBe(0);
    for (const table of TABLES)
      expect(await partitionsOf(table)).toEqual(
        expect.arrayContaining(["05", "06", "07", "08"].map((month) => `${table}_2060_${month}`)),
      );
    const [first, last] = [
      makeId("call", at("2060-05-01T00:00:00.000Z")),
      makeId("call", at("2060-07-31T23:59:59.999Z")),
    ];
    for (const id of [first, last]) await noteEvent(id);
    expect(await partitionOf(first)).toBe("call_events_2060_05");
    expect(await partitionOf(last)).toBe("call_events_2060_07");
    for (const id of [first, last]) expect(await readCallEvents(t.db, id, 0, 10)).toHaveLength(1);
  });

  test("are not added twice, and the rest is left alone", async () => {
    const before = await partitionsOf("call_events");
    await addMonths(t.db, at("2060-05-11T12:00:00Z"));
    expect(await partitionsOf("call_events")).toEqual(before);
  });

  test("may be added by several processes at once", async () => {
    await Promise.all(Array.from({ length: 6 }, () => addMonths(t.db, at("2062-01-31T23:00:00Z"))));
    // One that found another at work leaves the rest to it.
    await addMonths(t.db, at("2062-01-31T23:00:00Z"));
    for (const table of TABLES)
      expect((await partitionsOf(table)).filter((name) => name.includes("_2062_"))).toHaveLength(4);
  });

  test("that were missed while the service was off are added, with the rows that arrived before them", async () => {
    const [early, late] = [makeId("call", at("2061-03-01T00:00:01Z")), makeId("call", at("2061-04-02T00:00:00Z"))];
    for (const id of [early, late]) for (const sequence of [1, 2]) await noteEvent(id, sequence);
    expect(await partitionOf(early)).toBe("call_events_default");
    expect(await countRowsOutside(t.db)).toBe(4);
    expect(await addMonths(t.db, at("2061-04-02T00:01:00Z"))).toBe(0);
    expect(await partitionOf(early)).toBe("call_events_2061_03");
    expect(await partitionOf(late)).toBe("call_events_2061_04");
    expect(await readCallEvents(t.db, early, 0, 10)).toHaveLength(2);
  });

  test("are not made up for rows that have no plausible time, which stay counted", async () => {
    await noteEvent("call_z");
    await noteEvent(makeId("call", at("2099-01-01T00:00:00Z")));
    expect(await addMonths(t.db, at("2061-04-02T00:01:00Z"))).toBe(2);
    expect(await partitionOf("call_z")).toBe("call_events_default");
  });

  test("keep every rule of their table", async () => {
    const id = makeId("call", at("2060-06-15T00:00:00Z"));
    const insert = (sequence: number, type: string) =>
      run(t.db, "insert into call_events (call_id, sequence, type) values ($1, $2, $3)", [id, sequence, type]);
    await insert(1, "call.completed");
    await expect(insert(1, "call.noted")).rejects.toThrow("duplicate key");
    await expect(insert(2, "call.failed")).rejects.toThrow("duplicate key");
    await expect(run(t.db, "update call_events set type = 'x' where call_id = $1", [id])).rejects.toThrow(
      "never changed",
    );
    await expect(run(t.db, "delete from call_events where call_id = $1", [id])).rejects.toThrow("never changed");
    await expect(run(t.db, "insert into recording_peaks values ($1, 0, '', '')", [id])).rejects.toThrow(
      "recording_peaks_samples_per_peak_check",
    );
    await expect(run(t.db, `insert into transcript_items values ($1, 1, 'note', null, 0, '{}')`, [id])).rejects.toThrow(
      "can have no transcript",
    );
  });
});

describe("what reads or changes one call", () => {
  /** The tables that PostgreSQL would read, of the partitioned ones. */
  async function tablesRead(statement: string): Promise<string[]> {
    const plan = await run<{ "QUERY PLAN": string }>(t.db, `explain ${statement}`);
    const lines = plan.map((row) => row["QUERY PLAN"]).join("\n");
    return [
      ...new Set(
        [
          ...lines.matchAll(/\bon ((?:call_events|recording_peaks|transcript_\w+?)_(?:\d{4}_\d\d|first|default))\b/g),
        ].map(([, name = ""]) => name),
      ),
    ];
  }

  test.each([
    ["select * from call_events where call_id = $ and sequence > 3 order by sequence limit 10"],
    ["select item from transcript_items where call_id = $ order by start_ms, ordinal"],
    [
      "select i.item from transcript_items i left join transcript_revisions r on r.call_id = i.call_id and r.ordinal = i.ordinal where i.call_id = $",
    ],
    ["select agent from recording_peaks where call_id = $"],
    ["delete from transcript_items where call_id = $"],
    ["delete from call_events where call_id = any (array[$])"],
  ])("touches no other month: %s", async (statement) => {
    const id = `'${makeId("call", at("2060-06-15T00:00:00Z"))}'`;
    const tables = await tablesRead(statement.replace("$", id));
    expect(tables.length).toBeGreaterThan(0);
    for (const name of tables) expect(name).toMatch(/_2060_06$/);
  });
});

describe("locking whole tables", () => {
  /** Holds the table as a long reader does, until released. */
  async function hold(db: Database, table: string): Promise<() => Promise<void>> {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = Promise.withResolvers<void>();
    const done = inTransaction(db, async (tx) => {
      await run(tx, `lock table ${table} in access share mode`);
      held.resolve();
      await released;
    });
    await held.promise;
    return async () => {
      release();
      await done;
    };
  }
  const lockAll = (tx: Database) => run(tx, "lock table call_events in access exclusive mode");

  test("is tried again until others are done with them", async () => {
    const release = await hold(t.db, "call_events");
    let pauses = 0;
    const result = await withShortLocks(t.db, lockAll, async () => {
      pauses += 1;
      await release();
    });
    expect([result, pauses]).toEqual([[], 1]);
  });

  test("is given up when others keep them", async () => {
    const release = await hold(t.db, "call_events");
    expect(await withShortLocks(t.db, lockAll, async () => undefined)).toBeNull();
    await release();
  });

  test("does not hide other failures", async () => {
    await expect(withShortLocks(t.db, (tx) => run(tx, "select 1/0"))).rejects.toThrow("division by zero");
  });
});
