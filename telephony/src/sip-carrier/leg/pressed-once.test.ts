import { describe, expect, it } from "vitest";
import { createPressedOnce, type KeyWay } from "./sip-leg.ts";

/** The keys that count, of those received in this way at this time. */
function counted(...told: (readonly [way: KeyWay, key: string, atMs: number])[]): string {
  const isNew = createPressedOnce();
  return told.flatMap(([way, key, atMs]) => (isNew(way, key, atMs) ? [key] : [])).join("");
}

describe("a key sent with the audio and by INFO", () => {
  it("counts once, whichever comes first", () => {
    expect(counted(["audio", "5", 0], ["info", "5", 300])).toBe("5");
    expect(counted(["info", "5", 0], ["audio", "5", 300])).toBe("5");
  });

  it("counts as often as it was pressed", () => {
    expect(counted(["audio", "1", 0], ["info", "1", 50], ["audio", "1", 200], ["info", "1", 250])).toBe("11");
    expect(counted(["info", "1", 0], ["info", "1", 150], ["audio", "1", 200], ["audio", "1", 350])).toBe("11");
    expect(counted(["info", "1", 0], ["info", "2", 100], ["audio", "1", 200], ["audio", "2", 300])).toBe("12");
  });

  it("is not mixed up with the same key pressed later", () => {
    expect(counted(["audio", "1", 0], ["info", "1", 3_000])).toBe("11");
  });
});

it("keys sent in one way only all count, however fast they come", () => {
  const many = Array.from({ length: 100 }, (_, index) => ["info", "7", index] as const);
  expect(counted(...many)).toHaveLength(100);
});
