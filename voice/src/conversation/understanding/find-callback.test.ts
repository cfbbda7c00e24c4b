import { describe, expect, it } from "vitest";
import { findCallback } from "./find-callback.ts";

/** Monday, March 2, 2026, noon in New York. */
const reading = { nowMs: Date.UTC(2026, 2, 2, 17), timeZone: "America/New_York", isDayFirst: false };

describe("when a callee would like to be called", () => {
  it.each([
    ["Call me tomorrow at five.", "2026-03-03 17:00"],
    ["Can you call me back on Friday at half past two?", "2026-03-06 14:30"],
    ["I'm driving, call me at six.", "2026-03-02 18:00"],
    ["Call me at eleven in the morning.", "2026-03-03 11:00"],
    ["Please call again in an hour.", "2026-03-02 13:00"],
    ["Call me back in about twenty minutes.", "2026-03-02 12:20"],
    ["In half an hour, please.", "2026-03-02 12:30"],
    ["Try me in a couple of hours.", "2026-03-02 14:00"],
    ["Could you ring me tomorrow morning?", "2026-03-03"],
    ["Call me later.", "later"],
    ["I'll be free in a few minutes.", "later"],
  ])("%s", (said, when) => {
    expect(findCallback(said, reading)).toBe(when);
  });

  it("is a moment where the callee is, also when a day begins there earlier", () => {
    const sydney = { ...reading, timeZone: "Australia/Sydney" };
    expect(findCallback("Call me in two hours.", sydney)).toBe("2026-03-03 06:00");
  });
});
