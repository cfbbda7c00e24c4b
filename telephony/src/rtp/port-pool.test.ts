import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { type PortPair, PortPool } from "./port-pool.ts";

describe("the port pool", () => {
  it("returns even ports with the odd one above, and reports when there are none left", () => {
    const pool = new PortPool(10_001, 10_006);
    expect(pool.take(0)).toEqual({ rtpPort: 10_002, rtcpPort: 10_003 });
    expect(pool.take(0)).toEqual({ rtpPort: 10_004, rtcpPort: 10_005 });
    expect(pool.take(0)).toBeNull();
    expect(pool.counts(0)).toEqual({ free: 0, inUse: 2, draining: 0, coolingDown: 0, refusals: 1 });
  });

  it("keeps a released port idle, so that the last packets of a call do not reach the next one", () => {
    const pool = new PortPool(10_000, 10_001, 5_000);
    const pair = pool.take(0) as PortPair;
    pool.drain(pair);
    expect(pool.counts(0).draining).toBe(1);
    pool.release(pair, 1_000);
    expect(pool.take(5_999)).toBeNull();
    expect(pool.take(6_000)).toEqual(pair);
  });

  it("never hands a port out twice, however often it is released", () => {
    const random = createRandom(11);
    const pool = new PortPool(20_000, 20_031, 100);
    const held = new Map<number, PortPair>();
    for (let nowMs = 0; nowMs < 20_000; nowMs++) {
      if (random.next() < 0.5) {
        const pair = pool.take(nowMs);
        if (pair === null) continue;
        expect(held.has(pair.rtpPort)).toBe(false);
        held.set(pair.rtpPort, pair);
      } else {
        const rtpPort = 20_000 + 2 * random.wholeBetween(0, 15);
        held.delete(rtpPort);
        pool.release({ rtpPort, rtcpPort: rtpPort + 1 }, nowMs);
      }
    }
    const counts = pool.counts(20_000);
    expect(counts.free + counts.inUse + counts.coolingDown).toBe(16);
    expect(counts.inUse).toBe(held.size);
  });

  it("refuses a range without a pair", () => {
    expect(() => new PortPool(10_001, 10_002)).toThrow(RangeError);
    expect(() => new PortPool(65_534, 65_537)).toThrow(RangeError);
  });
});
