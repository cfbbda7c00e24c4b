import { expect, test } from "vitest";
import { findPlaces, pagePlaces } from "./command-palette.tsx";

const find = (text: string, isOperator = false) => findPlaces(pagePlaces(isOperator), text).map(({ label }) => label);

test("a page is found by the beginning of its name before others that merely contain it", () => {
  expect(find("ca")[0]).toBe("Calls");
  expect(find("web")).toEqual(["Webhooks"]);
});

test("a page is found by other words for it, and by several words in any order", () => {
  expect(find("2fa")).toEqual(["Security settings"]);
  expect(find("list suppression")).toEqual(["Suppression list"]);
});

test("only operators are offered the pages for operators", () => {
  expect(find("trunks")).toEqual([]);
  expect(find("trunks", true)).toEqual(["Trunks"]);
});

test("nothing typed offers everything, and nonsense nothing", () => {
  expect(find("").length).toBeGreaterThan(10);
  expect(find("zeppelin")).toEqual([]);
});
