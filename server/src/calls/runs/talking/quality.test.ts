import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, test } from "vitest";
import { qualityOf, readCallQuality } from "./quality.ts";

const statistics = {
  packetsSent: 500,
  packetsReceived: 495,
  packetsLost: 5,
  jitterMs: 3.0625,
  roundTripMs: 40,
  isHeard: null,
  mos: 4.3456,
};

describe("the quality of a call", () => {
  test("is the opinion score, what was lost of what was expected, and the jitter, rounded", () => {
    expect(qualityOf(statistics)).toEqual({ mos: 4.35, lossPercent: 1, jitterMs: 3.1 });
  });

  test("shows no loss where packets came twice", () => {
    expect(qualityOf({ ...statistics, packetsLost: -3 })).toMatchObject({ lossPercent: 0 });
  });

  test("is not known where nothing was heard", () => {
    expect(qualityOf({ ...statistics, mos: null })).toBeNull();
  });

  test("is not known where the carrier does not say in time, and the end of the call does not wait for it", async () => {
    const clock = createVirtualClock();
    const reading = readCallQuality({ statistics: () => new Promise(() => undefined) }, clock, () => undefined);
    await clock.advance(1000);
    expect(await Promise.race([reading, Promise.resolve("hangs")])).toBeNull();
    expect(clock.pendingTimers()).toBe(0);
  });

  test("is not known where the carrier fails, which is reported", async () => {
    const clock = createVirtualClock();
    const errors: unknown[] = [];
    const failing = { statistics: () => Promise.reject(new Error("the thread is gone")) };
    expect(await readCallQuality(failing, clock, (error) => errors.push(error))).toBeNull();
    expect(errors).toHaveLength(1);
    expect(clock.pendingTimers()).toBe(0);
  });
});
