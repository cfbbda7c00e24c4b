import { expect, test } from "vitest";
import { calleeTimeZone } from "./callee-time-zone.ts";

test.each([
  ["+442079460000", "Europe/London"],
  ["+4930123456", "Europe/Berlin"],
  ["+12025550123", "America/New_York"],
  ["+81312345678", "Asia/Tokyo"],
  ["+8835100012345", "UTC"],
])("a callee with the number %s is in %s", (phoneNumber, timeZone) => {
  expect(calleeTimeZone(phoneNumber)).toBe(timeZone);
});

test("whatever the number, the zone is one that clocks know", () => {
  for (const prefix of ["1", "7", "20", "33", "55", "61", "86", "91", "234", "380", "598", "676", "998"]) {
    const timeZone = calleeTimeZone(`+${prefix}2345678901`.slice(0, 13));
    expect(() => new Intl.DateTimeFormat("en", { timeZone })).not.toThrow();
  }
});
