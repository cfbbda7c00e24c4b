import { describe, expect, test } from "vitest";
import { choosePeriod, type UsageSearch } from "./usage-search.ts";
import { changeInWords, comparisonInWords, groupLabel, periodInWords } from "./usage-words.ts";

test.each([
  ["relative", 0.256, "+26%"],
  ["relative", -0.034, "−3.4%"],
  ["relative", 0.0001, "No change"],
  ["relative", 24, "Over 10 times as much"],
  ["points", 0.031, "+3.1 points"],
  ["points", -0.2, "−20 points"],
] as const)("a %s change of %d is %s", (kind, amount, words) => expect(changeInWords({ kind, amount })).toBe(words));

describe("a period", () => {
  const now = new Date(2026, 5, 15, 17, 45);
  test.each<[UsageSearch, string, string]>([
    [{ period: "today" }, "today", "vs. yesterday at this time"],
    [{}, "in the last 30 days", "vs. previous 30 days"],
    [{ from: "2026-06-01", to: "2026-06-01" }, "on Jun 1, 2026", "vs. the day before"],
    [{ from: "2026-06-01", to: "2026-06-10" }, "in the chosen period (Jun 1 – 10, 2026)", "vs. previous 10 days"],
  ])("%j is said in words", (search, words, comparison) => {
    const period = choosePeriod(search, now);
    // The spaces around the dash are of another width.
    expect(periodInWords(search, period).replaceAll(/\s/gu, " ")).toBe(words);
    expect(comparisonInWords(search, period)).toBe(comparison);
  });
});

test("groups are named by words, and by their id if they are no longer listed", () => {
  const names = { agents: new Map([["agt_1", "Reminder"]]), keys: new Map([["key_1", "Nightly"]]) };
  const label = (by: Parameters<typeof groupLabel>[0], key: string) => groupLabel(by, key, names);
  expect(label("outcome", "no_answer")).toBe("No answer");
  expect(label("outcome", "wants_callback")).toBe("Wants callback");
  expect(label("outcome", "toString")).toBe("ToString");
  expect([label("agent", "agt_1"), label("agent", "agt_2")]).toEqual(["Reminder", "agt_2"]);
  expect([label("key", "key_1"), label("key", "")]).toEqual(["Nightly", "Placed by members"]);
  expect(label("day", "2026-06-05")).toBe("Jun 5, 2026");
  expect([label("version", "0"), label("version", "3")]).toEqual(["Draft", "Version 3"]);
});
