import { expect, test } from "vitest";
import { placeExactlyOnce, placeWithTypeScript } from "./place-exactly-once.ts";

const COUNT = 60;

test("the TypeScript SDK places each call once although requests and replies are lost and the service is killed", async () => {
  const { returned, placed, faults } = await placeExactlyOnce({ count: COUNT, kills: 1, place: placeWithTypeScript });
  expect(new Set(returned).size).toBe(COUNT);
  expect([...placed].toSorted()).toEqual(returned.map((id, n) => [String(n), [id]]).toSorted());
  // Each kind of fault happened, or the test shows nothing.
  for (const [fault, times] of Object.entries(faults)) expect(times, fault).toBeGreaterThan(0);
});
