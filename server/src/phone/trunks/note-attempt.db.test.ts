import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { forgetOldAttempts, noteAttempt } from "./attempt-note-store.ts";

let t: TestDatabase;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => t.close());
beforeEach(async () => {
  await run(t.db, "delete from trunks");
  await run(t.db, "insert into trunks (id, name, host, codecs) values ('trk_1', 'one', 'sip.example', '{PCMA}')");
});

const attempt = (callerId: string | null, rang: boolean, answered: boolean, trunkId = "trk_1") =>
  noteAttempt(t.db, { trunkId, callerId, rang, answered });
const counts = () => run(t.db, "select caller_id, attempts, rang, answered from trunk_caller_days order by caller_id");

describe("attempts on a trunk", () => {
  test("are counted for each caller id, even when many end concurrently", async () => {
    await Promise.all([
      ...Array.from({ length: 6 }, () => attempt("+4930100", true, true)),
      ...Array.from({ length: 3 }, () => attempt("+4930100", true, false)),
      attempt("+4930100", false, false),
      attempt(null, false, true),
    ]);
    expect(await counts()).toEqual([
      { caller_id: "", attempts: 1, rang: 0, answered: 1 },
      { caller_id: "+4930100", attempts: 10, rang: 9, answered: 6 },
    ]);
  });

  test("are kept by the day, in UTC", async () => {
    await attempt("+4930100", true, true);
    await run(t.db, "update trunk_caller_days set day = day - 1");
    await attempt("+4930100", true, true);
    const days = await run(
      t.db,
      "select attempts, (clock_timestamp() at time zone 'utc')::date - day as days_ago from trunk_caller_days order by day",
    );
    expect(days).toEqual([
      { attempts: 1, days_ago: 1 },
      { attempts: 1, days_ago: 0 },
    ]);
  });

  test("of a trunk that was removed meanwhile are not an error", async () => {
    await attempt("+4930100", true, true, "trk_gone");
    expect(await counts()).toEqual([]);
  });

  test("are forgotten after a year and a month", async () => {
    await attempt("+4930100", true, true);
    await run(t.db, "update trunk_caller_days set day = day - 401");
    await attempt("+4930100", true, true);
    expect(await forgetOldAttempts(t.db)).toBe(1);
    expect(await counts()).toHaveLength(1);
  });
});
