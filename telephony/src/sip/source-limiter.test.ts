import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import { createSourceLimiter } from "./answer-stray.ts";

describe("a limit on sources", () => {
  it("admits each source up to its limit, and again when time has passed", async () => {
    const clock = createVirtualClock();
    const mayPass = createSourceLimiter(clock, { perSecond: 1, burst: 2, sourcesMax: 10 });
    expect([mayPass("a"), mayPass("a"), mayPass("a"), mayPass("b")]).toEqual([true, true, false, true]);
    await clock.advance(1_000);
    expect([mayPass("a"), mayPass("a")]).toEqual([true, false]);
  });

  it("remembers a limited number of sources, so that forged ones cannot fill our memory", () => {
    const mayPass = createSourceLimiter(createVirtualClock(), { perSecond: 1, burst: 1, sourcesMax: 2 });
    expect([mayPass("a"), mayPass("a")]).toEqual([true, false]);
    expect([mayPass("b"), mayPass("a")]).toEqual([true, false]);
    // Of the two that are remembered, `b` was heard less recently.
    expect([mayPass("c"), mayPass("a"), mayPass("b")]).toEqual([true, false, true]);
  });
});
