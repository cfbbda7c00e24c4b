import { expect, test } from "vitest";
import { makeId } from "./ids.ts";

test("ids sort in the order in which they were created, also within a millisecond", () => {
  const ids = Array.from({ length: 5_000 }, (_, index) =>
    makeId("event", 1_800_000_000_000 + Math.floor(index / 1_000)),
  );
  expect(ids.toSorted()).toEqual(ids);
});

test("no two ids are the same, also when a clock is set back to a millisecond that has had some", () => {
  const moments = Array.from({ length: 2_000 }, (_, index) => 1_800_000_000_000 + (index % 2));
  const ids = moments.map((ms) => makeId("call", ms));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^call_[0-9a-hjkmnp-tv-z]{26}$/);
});
