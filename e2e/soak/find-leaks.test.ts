import { expect, test } from "vitest";
import { findLeaks } from "./find-leaks.ts";
import type { HeldResources } from "./held-resources.ts";

const HELD: HeldResources = { sockets: 4, handles: { UDPWrap: 2, Timeout: 1 }, heapMiB: 20, bufferMiB: 3 };

function leaksOf(after: Partial<HeldResources>, afterClose: Partial<HeldResources> = {}): string[] {
  const rounds = [
    { legs: 100, held: HELD },
    { legs: 1_100, held: { ...HELD, ...after } },
  ];
  return findLeaks(rounds, { ...HELD, sockets: 0 }, { ...HELD, sockets: 0, ...afterClose });
}

test("what was released is not a leak", () => {
  expect(leaksOf({ heapMiB: 21, bufferMiB: 3.5 })).toEqual([]);
});

test.each([
  ["a socket", { sockets: 5 }, "4 sockets became 5 in 1000 legs"],
  ["a timer", { handles: { UDPWrap: 2, Timeout: 2 } }, expect.stringContaining('"Timeout":2')],
  ["the heap of each leg", { heapMiB: 40 }, "20.0 MiB of heap became 40.0 in 1000 legs"],
  ["the sound of a few legs", { bufferMiB: 6 }, "3.0 MiB of buffers became 6.0 in 1000 legs"],
])("%s that stays behind is found", (_, after, leak) => {
  expect(leaksOf(after)).toEqual([leak]);
});

test("a socket that outlives its carrier is found", () => {
  expect(leaksOf({}, { sockets: 1 })).toEqual(["0 sockets before the carrier opened, 1 after it closed"]);
});

test("a soak without a round proves nothing", () => {
  expect(findLeaks([], HELD, HELD)).toEqual(["there was no round to compare"]);
});
