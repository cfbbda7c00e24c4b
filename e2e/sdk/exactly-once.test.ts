import { expect, test } from "vitest";
import { placeExactlyOnce } from "./place-exactly-once.ts";

const COUNT = 30;

test("both SDKs place each call once although requests and replies are lost and the service is killed", async () => {
  const languages = ["TypeScript", "Python"] as const;
  const { returned, placed, faults } = await placeExactlyOnce({ languages, count: COUNT, kills: 1 });
  expect(returned.size).toBe(2 * COUNT);
  expect([...placed].toSorted()).toEqual([...returned].toSorted());
  // Each kind of fault happened, or the test shows nothing.
  for (const [fault, times] of Object.entries(faults)) expect(times, fault).toBeGreaterThan(0);
});
