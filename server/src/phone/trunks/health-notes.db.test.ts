import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { HealthNotes } from "./health-notes.ts";

let t: TestDatabase;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => t.close());
beforeEach(async () => {
  await run(t.db, "delete from trunks");
  await run(t.db, "insert into trunks (id, name, host, codecs) values ('trk_1', 'one', 'sip.example', '{PCMA}')");
});

const healthy = { isReachable: true, isRegistered: null, circuit: "closed", trouble: null } as const;
const reports = () =>
  run(
    t.db,
    "select worker_id, circuit, length(trouble) as length, reported_at > clock_timestamp() - interval '1 minute' as is_new from trunk_health order by 1",
  );

function open(workerId: string) {
  const clock = createVirtualClock();
  const failures: unknown[] = [];
  const notes = new HealthNotes({ db: t.db, clock, workerId, onError: (error) => void failures.push(error) });
  return { clock, failures, notes };
}

test("the newest word of each worker is kept, and goes with the worker", async () => {
  const [one, two] = [open("wrk_1"), open("wrk_2")];
  one.notes.note("trk_1", healthy);
  two.notes.note("trk_1", healthy);
  one.notes.note("trk_1", { ...healthy, circuit: "open", trouble: "x".repeat(900) });
  one.notes.note("trk_gone", healthy);
  await expect.poll(reports).toEqual([
    { worker_id: "wrk_1", circuit: "open", length: 500, is_new: true },
    { worker_id: "wrk_2", circuit: "closed", length: null, is_new: true },
  ]);
  await one.notes.close();
  one.notes.note("trk_1", healthy);
  expect(await reports()).toMatchObject([{ worker_id: "wrk_2" }]);
  await two.notes.close();
  expect(await reports()).toEqual([]);
  expect([...one.failures, ...two.failures]).toEqual([]);
  expect(one.clock.pendingTimers()).toBe(0);
});

test("a word is repeated while the worker lives, and that of a worker long dead is dropped", async () => {
  const { clock, notes } = open("wrk_1");
  await run(
    t.db,
    "insert into trunk_health (trunk_id, worker_id, circuit, reported_at) values ('trk_1', 'wrk_dead', 'closed', clock_timestamp() - interval '2 days')",
  );
  notes.note("trk_1", healthy);
  await expect.poll(reports).toMatchObject([{ worker_id: "wrk_1" }, { worker_id: "wrk_dead" }]);
  await run(t.db, "update trunk_health set reported_at = reported_at - interval '10 minutes'");
  await clock.advance(5 * 60_000);
  await expect.poll(reports).toEqual([{ worker_id: "wrk_1", circuit: "closed", length: null, is_new: true }]);
  await notes.close();
});

test("a note that cannot be written is reported, and the next one is still written", async () => {
  const { notes, failures } = open("wrk_1");
  notes.note("trk_1", { ...healthy, circuit: "sideways" as "open" });
  notes.note("trk_1", healthy);
  await expect.poll(reports).toMatchObject([{ worker_id: "wrk_1", circuit: "closed" }]);
  expect(failures).toHaveLength(1);
  await notes.close();
});
