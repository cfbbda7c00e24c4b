import { expect, test } from "vitest";
import { placeExactlyOnce } from "./place-exactly-once.ts";

const COUNT = 1000;
const TEN_MINUTES_MS = 600_000;

test.each(["TypeScript", "Python"] as const)(
  "the %s SDK places 1,000 calls once each although the service is killed three times",
  async (language) => {
    const { returned, placed, faults } = await placeExactlyOnce({ languages: [language], count: COUNT, kills: 3 });
    console.log(`${placed.size} calls placed, requests by what happened to them: ${JSON.stringify(faults)}`);
    for (const [fault, times] of Object.entries(faults)) expect(times, fault).toBeGreaterThan(0);
    expect(returned.size).toBe(COUNT);
    expect([...placed].toSorted()).toEqual([...returned].toSorted());
  },
  TEN_MINUTES_MS,
);
