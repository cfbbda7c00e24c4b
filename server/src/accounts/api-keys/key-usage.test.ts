import { expect, test } from "vitest";
import { createKeyUsage } from "./key-lookup.ts";

function scene() {
  const clock = { nowMs: 1_000_000 };
  const saved: [string, number][][] = [];
  const errors: unknown[] = [];
  const database = { isAway: false };
  const usage = createKeyUsage({
    nowMs: () => clock.nowMs,
    onError: (error) => errors.push(error),
    async save(uses) {
      if (database.isAway) throw new Error("away");
      saved.push([...uses]);
    },
  });
  return { clock, saved, errors, database, usage };
}

test("a busy key costs one write a minute, however often it is used", async () => {
  const { clock, saved, usage } = scene();
  for (let second = 0; second < 121; second += 1) {
    usage.record("key_1");
    await usage.flush();
    clock.nowMs += 1000;
  }
  expect(saved.map(([first]) => first?.[1])).toEqual([1_000_000, 1_060_000, 1_120_000]);
});

test("uses that could not be written while the database was away are written afterwards", async () => {
  const { clock, saved, errors, database, usage } = scene();
  database.isAway = true;
  usage.record("key_1");
  await usage.flush();
  clock.nowMs += 5000;
  usage.record("key_2");
  await usage.flush();
  expect(saved).toEqual([]);
  expect(errors).toHaveLength(2);
  database.isAway = false;
  await usage.flush();
  expect(saved).toEqual([
    [
      ["key_1", 1_000_000],
      ["key_2", 1_005_000],
    ],
  ]);
});

test("stopping writes the rest, even for a key that was written a moment ago", async () => {
  const { clock, saved, usage } = scene();
  usage.start();
  usage.record("key_1");
  await usage.flush();
  clock.nowMs += 1;
  usage.record("key_1");
  await usage.stop();
  expect(saved).toEqual([[["key_1", 1_000_000]], [["key_1", 1_000_001]]]);
});

test("nothing is written when no key was used", async () => {
  const { saved, usage } = scene();
  await usage.flush();
  await usage.stop();
  expect(saved).toEqual([]);
});
