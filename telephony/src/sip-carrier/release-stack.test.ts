import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import { ReleaseStack } from "./leg/sip-leg.ts";

describe("releasing what was acquired", () => {
  it("runs in reverse and once, however often it is requested", async () => {
    const order: number[] = [];
    const stack = new ReleaseStack(createVirtualClock(), () => undefined);
    for (const name of [1, 2, 3]) stack.add(() => void order.push(name));
    await Promise.all([stack.run(), stack.run()]);
    await stack.run();
    expect(order).toEqual([3, 2, 1]);
  });

  it("is not stopped by a release that fails or hangs", async () => {
    const clock = createVirtualClock();
    const errors: unknown[] = [];
    const order: number[] = [];
    const stack = new ReleaseStack(clock, (error) => errors.push(error));
    stack.add(() => void order.push(1));
    stack.add(() => {
      throw new Error("fails at once");
    });
    stack.add(() => Promise.reject(new Error("fails later")));
    stack.add(() => new Promise(() => undefined));
    const running = stack.run();
    await clock.advance(2_500);
    await running;
    expect(order).toEqual([1]);
    expect(errors.map(String)).toEqual(["Error: fails later", "Error: fails at once"]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it("immediately releases what comes too late", async () => {
    const stack = new ReleaseStack(createVirtualClock(), () => undefined);
    await stack.run();
    const order: number[] = [];
    stack.add(() => void order.push(1));
    await stack.run();
    expect(order).toEqual([1]);
  });
});
