import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commonHours, isWithinHours, nextOpening } from "./calling-hours.ts";

const HOURS = { start: "08:00", end: "21:00" };
const DAY_MS = 86_400_000;
const at = (text: string) => Date.parse(text);
const ZONES = ["America/New_York", "America/Los_Angeles", "Europe/London", "Asia/Kolkata", "Australia/Lord_Howe"];

describe("calling hours", () => {
  it.each([
    ["in the evening of New York", ["America/New_York"], "2026-07-01T00:59:00Z", true],
    ["after nine in New York", ["America/New_York"], "2026-07-01T01:00:00Z", false],
    ["before eight in New York", ["America/New_York"], "2026-07-01T11:59:59Z", false],
    ["at eight in New York, but five in Los Angeles", ZONES.slice(0, 2), "2026-07-01T12:00:00Z", false],
    ["at eleven in New York and eight in Los Angeles", ZONES.slice(0, 2), "2026-07-01T15:00:00Z", true],
    ["at eight by winter time", ["America/New_York"], "2026-12-01T13:00:00Z", true],
    ["at seven by winter time", ["America/New_York"], "2026-12-01T12:00:00Z", false],
  ])("%s are judged by every zone in which the callee may be", (_, zones, moment, isOpen) => {
    expect(isWithinHours(HOURS, zones, at(moment))).toBe(isOpen);
  });

  it.each([
    ["the same morning", ["Europe/Berlin"], "2026-07-01T04:12:31Z", "2026-07-01T06:00:00Z"],
    ["the next morning", ["Europe/Berlin"], "2026-07-01T19:00:00Z", "2026-07-02T06:00:00Z"],
    ["the morning after clocks go forward", ["Europe/Berlin"], "2026-03-28T22:00:00Z", "2026-03-29T06:00:00Z"],
    ["the morning after clocks go back", ["Europe/Berlin"], "2026-10-24T22:00:00Z", "2026-10-25T07:00:00Z"],
    ["when the last zone has opened", ZONES.slice(0, 2), "2026-07-01T09:00:00Z", "2026-07-01T15:00:00Z"],
    ["in a zone that is half an hour off", ["Asia/Kolkata"], "2026-07-01T00:00:00Z", "2026-07-01T02:30:00Z"],
    ["at once while open", ["Europe/Berlin"], "2026-07-01T10:10:10Z", "2026-07-01T10:10:10Z"],
  ])("begin again %s", (_, zones, from, opening) => {
    const found = nextOpening(HOURS, zones, at(from), at(from) + DAY_MS);
    expect(found === null ? null : new Date(found).toISOString()).toBe(new Date(opening).toISOString());
  });

  it("never begin for zones that have no hour in common", () => {
    const zones = ["Pacific/Honolulu", "Asia/Tokyo", "Europe/London"];
    const from = at("2026-07-01T00:00:00Z");
    expect(nextOpening({ start: "09:00", end: "17:00" }, zones, from, from + 3 * DAY_MS)).toBeNull();
  });

  it("begin at a moment that is within them, and at none before", () => {
    const times = fc.integer({ min: at("2026-01-01"), max: at("2027-01-01") });
    fc.assert(
      fc.property(
        times,
        fc.subarray(ZONES, { minLength: 1 }),
        fc.integer({ min: 0, max: 999 }),
        (from, zones, part) => {
          const opening = nextOpening(HOURS, zones, from, from + DAY_MS);
          if (opening === null) return;
          expect(isWithinHours(HOURS, zones, opening)).toBe(true);
          if (opening > from) expect(isWithinHours(HOURS, zones, from + ((opening - from) * part) / 1000)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("of several rules are those that all of them allow", () => {
    expect(commonHours([])).toBeUndefined();
    expect(commonHours([null, HOURS])).toEqual(HOURS);
    expect(commonHours([HOURS, { start: "10:00", end: "23:00" }])).toEqual({ start: "10:00", end: "21:00" });
    expect(commonHours([HOURS, { start: "21:00", end: "23:00" }])).toBeNull();
  });
});
