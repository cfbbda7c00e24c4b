import { expect, test } from "vitest";
import { cutAtPlaceholders, finishPlaceholder, placeholderAt, suggestNames, unknownNames } from "./text-fields.tsx";

const NAMES = ["first_name", "day", "last_day"];

test("while a name is typed in braces, the beginning is recognized", () => {
  expect(placeholderAt("Hello {{fir", 11)).toEqual({ start: 6, end: 11, begun: "fir" });
  expect(placeholderAt("Hello {{", 8)).toEqual({ start: 6, end: 8, begun: "" });
});

test("outside of braces, and after closed ones, nothing is offered", () => {
  expect(placeholderAt("Hello first", 11)).toBeNull();
  expect(placeholderAt("Hello {{day}} you", 13)).toBeNull();
  expect(placeholderAt("", 0)).toBeNull();
});

test("a chosen name is closed with its braces and the cursor is placed after it", () => {
  const text = "Come {{da and bring it.";
  const open = placeholderAt(text, 9);
  expect(open && finishPlaceholder(text, open, "day")).toEqual({ text: "Come {{day}} and bring it.", cursor: 12 });
});

test("a name inside of closed braces is replaced as a whole", () => {
  const text = "Come {{da}}!";
  const open = placeholderAt(text, 8);
  expect(open && finishPlaceholder(text, open, "last_day").text).toBe("Come {{last_day}}!");
});

test("names with this prefix come before names that contain it", () => {
  expect(suggestNames(NAMES, "da")).toEqual(["day", "last_day"]);
  expect(suggestNames(NAMES, "")).toEqual(NAMES);
});

test("an unknown name is distinguished, and reported once", () => {
  const text = "{{day}} and {{dya}} and {{ dya }}";
  expect(cutAtPlaceholders(text, NAMES).map(({ kind }) => kind)).toEqual([
    "known",
    "words",
    "unknown",
    "words",
    "unknown",
  ]);
  expect(unknownNames(text, NAMES)).toEqual(["dya"]);
});
