import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { expect, test } from "vitest";
import { OpeningGate } from "./opening-gate.ts";

/** When each of so many calls that start together is dialed. */
async function dialedMs(calls: number, openingsAtOnce: number): Promise<readonly number[]> {
  const clock = createVirtualClock();
  const gate = new OpeningGate(clock);
  const dialed: number[] = [];
  for (let call = 0; call < calls; call++) void gate.enter(openingsAtOnce).then(() => dialed.push(clock.now()));
  await clock.advance(60_000);
  return dialed;
}

test("calls within what the machine can speak at once are dialed immediately", async () => {
  expect(await dialedMs(3, 3)).toEqual([0, 0, 0]);
  expect(await dialedMs(3, Number.POSITIVE_INFINITY)).toEqual([0, 0, 0]);
});

test("further calls wait for the greetings before them, but not for long", async () => {
  expect(await dialedMs(5, 3)).toEqual([0, 0, 0, 8_000, 8_000]);
  expect(await dialedMs(40, 3)).toHaveLength(40);
});

test("a call that comes later does not wait", async () => {
  const clock = createVirtualClock();
  const gate = new OpeningGate(clock);
  await Promise.all([gate.enter(2), gate.enter(2)]);
  await clock.advance(8_000);
  await gate.enter(2);
  expect(clock.now()).toBe(8_000);
  expect(clock.pendingTimers()).toBe(0);
});
