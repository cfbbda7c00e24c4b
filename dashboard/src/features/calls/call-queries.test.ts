import { expect, test } from "vitest";
import type { Page } from "../../api/send.ts";
import { mergeFresh, replaceRows } from "./call-queries.ts";

const row = (number: number, text = "") => ({
  id: `call_${number}`,
  createdAt: `2026-01-01T00:00:0${number}.000Z`,
  text,
});
const page = (numbers: number[], nextCursor: string | null = "more") => ({
  rows: numbers.map((n) => row(n)),
  nextCursor,
});
const shown = (pages: readonly Page<ReturnType<typeof row>>[]) =>
  pages.map(({ rows }) => rows.map(({ id }) => id).join(" "));

test("a new call appears at the top and a reader who has scrolled down loses no row", () => {
  const merged = mergeFresh([page([8, 7]), page([6, 5], "after 5"), page([4, 3], "after 3")], page([9, 8]));
  expect(shown(merged)).toEqual(["call_9 call_8", "call_7 call_6 call_5", "call_4 call_3"]);
  expect(merged.map(({ nextCursor }) => nextCursor)).toEqual(["more", "after 5", "after 3"]);
});

test("a call that no longer matches the filter leaves the list", () => {
  const merged = mergeFresh([page([9, 8]), page([7, 6])], page([9, 7]));
  expect(shown(merged)).toEqual(["call_9 call_7", "call_6"]);
});

test("a list that fits on one page is simply replaced", () => {
  expect(shown(mergeFresh([page([9, 8], null)], page([9], null)))).toEqual(["call_9"]);
  expect(shown(mergeFresh([page([9, 8]), page([7])], page([], null)))).toEqual([""]);
});

test("a call further down changes in place", () => {
  const pages = replaceRows([page([9]), page([8, 7])], [row(7, "ended")]);
  expect(pages[1]?.rows.map(({ text }) => text)).toEqual(["", "ended"]);
});
