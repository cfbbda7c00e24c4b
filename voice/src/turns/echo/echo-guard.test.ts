import { describe, expect, it } from "vitest";
import { USUAL_TURN_SETTINGS } from "../turn-settings.ts";
import { isEcho, sharesOwnWords } from "./echo-guard.ts";

const judge = (likeness: number, expectedDbfs: number | null, levelDbfs: number) =>
  isEcho({ likeness, expectedDbfs }, levelDbfs, USUAL_TURN_SETTINGS);

describe("audio that correlates with our playback is not speech", () => {
  it("treats audio as ours that is similar and somewhat louder than our echo was", () => {
    expect(judge(0.9, -40, -33)).toBe(true);
  });

  it("hears a callee who is much louder than our echo, even if the voices are briefly alike", () => {
    expect(judge(0.6, -36, -18)).toBe(false);
  });

  it("treats audio as ours that is no louder than our expected echo", () => {
    expect(judge(0.1, -40, -38)).toBe(true);
  });

  it("hears a callee who speaks over our echo", () => {
    expect(judge(0.2, -40, -25)).toBe(false);
  });

  it("hears everything while we play nothing, and on a line that does not echo", () => {
    expect(judge(0.9, null, -60)).toBe(false);
    expect(isEcho(null, -60, USUAL_TURN_SETTINGS)).toBe(false);
  });
});

describe("words that may be ours", () => {
  const own = "your appointment was moved by the doctor to thursday".split(" ");

  it("are ours when most of them are, in our order", () => {
    expect(sharesOwnWords(["appointment", "was", "moved"], own)).toBe(true);
    expect(sharesOwnWords(["moved", "by", "a", "doctor"], own)).toBe(true);
  });

  it("are not when only some are, or none", () => {
    expect(sharesOwnWords(["which", "doctor", "was", "that"], own)).toBe(false);
    expect(sharesOwnWords(["hello"], own)).toBe(false);
    expect(sharesOwnWords([], own)).toBe(false);
  });
});
