import { expect, test } from "vitest";
import { describeRate, readRateSearch } from "./rate-queries.ts";

test.each([
  ["+49", { prefix: "+49" }],
  ["49 30", { prefix: "+4930" }],
  ["Germany", { country: "DE" }],
  ["de", { country: "DE" }],
  ["deep sea", { q: "deep sea" }],
  ["  ", {}],
])("%s is understood", (typed, query) => expect(readRateSearch(typed).query).toEqual(query));

test("a rate of the numbering plan is shown by the name of its country, and any other as written", () => {
  expect(describeRate("DE mobile")).toBe("Germany, mobiles");
  expect(describeRate("CA")).toBe("Canada");
  expect(describeRate("DE and others")).toBe("DE and others");
});
