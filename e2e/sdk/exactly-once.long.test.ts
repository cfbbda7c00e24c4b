import { expect, test } from "vitest";
import { placeExactlyOnce, placeWithTypeScript } from "./place-exactly-once.ts";

const COUNT = 1000;
const TEN_MINUTES_MS = 600_000;

test(
  "the TypeScript SDK places 1,000 calls once each although the service is killed three times",
  async () => {
    const { returned, placed, faults } = await placeExactlyOnce({ count: COUNT, kills: 3, place: placeWithTypeScript });
    console.log(`${placed.size} calls placed, requests by what happened to them: ${JSON.stringify(faults)}`);
    for (const [fault, times] of Object.entries(faults)) expect(times, fault).toBeGreaterThan(0);
    expect(new Set(returned).size).toBe(COUNT);
    expect(placed.size).toBe(COUNT);
    for (const [n, ids] of placed) expect(ids).toEqual([returned[Number(n)]]);
  },
  TEN_MINUTES_MS,
);
