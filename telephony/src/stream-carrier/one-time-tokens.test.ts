import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import { OneTimeTokens } from "./one-time-tokens.ts";

describe("one-time tokens", () => {
  it("are accepted once, before they expire, and not after they were revoked", async () => {
    const clock = createVirtualClock();
    const tokens = new OneTimeTokens<string>(() => clock.now());
    const [first, second, third] = [tokens.issue("a", 1_000), tokens.issue("b", 1_000), tokens.issue("c", 1_000)];
    expect([tokens.isValid("a guess"), tokens.isValid(first)]).toEqual([false, true]);
    expect([tokens.redeem("a guess"), tokens.redeem(first), tokens.redeem(first)]).toEqual([null, "a", null]);
    expect(tokens.isValid(first)).toBe(false);
    tokens.revoke("b");
    expect(tokens.redeem(second)).toBeNull();
    await clock.advance(1_000);
    expect([tokens.isValid(third), tokens.redeem(third)]).toEqual([false, null]);
    tokens.issue("d", 1_000);
    expect(tokens.size).toBe(1);
  });
});
