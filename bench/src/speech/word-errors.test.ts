import { expect, test } from "vitest";
import { plainWords } from "./plain-words.ts";
import { wordErrors } from "./word-errors.ts";

const errors = (said: string, heard: string) => wordErrors(plainWords(said), plainWords(heard));

test("a text that was understood has no errors, however it is written", () => {
  expect(errors("Press 1 to accept, or 2 to reject it.", "press one to accept or two to reject it")).toBe(0);
});

test("each word that is missing, wrong or too many is one error", () => {
  expect(errors("please hold the line", "please the line")).toBe(1);
  expect(errors("please hold the line", "please fold the line")).toBe(1);
  expect(errors("please hold the line", "please hold on the line")).toBe(1);
  expect(errors("please hold the line", "")).toBe(4);
  expect(errors("one two three", "three one two")).toBe(2);
});
