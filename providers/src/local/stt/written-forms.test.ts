import { expect, test } from "vitest";
import { writtenForms } from "./written-forms.ts";

test("an answer may be written as a sentence, as a word, and with figures", () => {
  expect(writtenForms("twenty-five")).toEqual(expect.arrayContaining(["twenty-five", "Twenty-five.", "25", "25."]));
  expect(writtenForms("yes, please.")).toEqual(expect.arrayContaining(["yes, please", "Yes, please.", "Yes, please!"]));
});

test("an answer without a word has no form", () => {
  expect(writtenForms(" . ")).toEqual([]);
});
