import { parseDay } from "@parley/flow/calendar";
import { expect, test } from "vitest";
import { type SpokenKind, speakValue } from "./speak-value.ts";

const context = { language: "en-US", today: parseDay("2026-03-02") ?? 0 };

test.each<[unknown, SpokenKind, string]>([
  ["2026-03-05", "date", "Thursday, March fifth"],
  ["2027-03-05", "date", "Friday, March fifth, twenty twenty-seven"],
  ["soon", "date", "soon"],
  ["09:30", "time", "nine thirty A M"],
  ["00:00", "time", "midnight"],
  ["+15550100001", "phone", "plus one, five five five, zero one zero, zero zero zero one"],
  ["911", "phone", "nine one one"],
  ["00421234", "digits", "zero zero four two, one two three four"],
  [true, "boolean", "yes"],
  [3, "number", "3"],
  [null, "text", ""],
])("%j of the kind %s is said %j", (value, kind, spoken) => {
  expect(speakValue(value, kind, context)).toBe(spoken);
});

test("dates and times are said as people there say them", () => {
  expect(speakValue("2026-03-05", "date", { ...context, language: "en-GB" })).toBe("Thursday, the fifth of March");
  expect(speakValue("2026-03-05", "date", { ...context, language: "de-DE" })).toBe("Donnerstag, 5. März");
  expect(speakValue("14:30", "time", { ...context, language: "de-DE" })).toBe("14:30");
});
