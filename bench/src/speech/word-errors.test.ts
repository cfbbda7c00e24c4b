import { expect, test } from "vitest";
import { textErrors as errors } from "./word-errors.ts";

test("a text that was understood has no errors, however it is written", () => {
  expect(errors("Press 1 to accept, or 2 to reject it.", "press one to accept or two to reject it")).toBe(0);
});

test("words are the same in short and written out, together and apart", () => {
  expect(errors("I am sorry, that's not valid.", "I'm sorry, that is not valid.")).toBe(0);
  expect(errors("You can't use it.", "You cannot use it.")).toBe(0);
  expect(errors("Log in to your voicemail.", "Login to your voice mail.")).toBe(0);
  expect(errors("press # or *", "Press pound or star.")).toBe(0);
});

test("each word that is missing, wrong or too many is one error", () => {
  expect(errors("please hold the line", "please the line")).toBe(1);
  expect(errors("please hold the line", "please fold the line")).toBe(1);
  expect(errors("please hold the line", "please hold on the line")).toBe(1);
  expect(errors("please hold the line", "")).toBe(4);
  expect(errors("one two three", "three one two")).toBe(2);
});
