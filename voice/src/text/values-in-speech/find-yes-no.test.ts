import { expect, test } from "vitest";
import { findYesNo } from "./find-yes-no.ts";

test.each([
  "yes",
  "Yeah, sure.",
  "yep",
  "Of course!",
  "that's right",
  "correct",
  "I do",
  "I am.",
  "Speaking.",
  "uh huh",
  "mhm",
  "why not",
  "no problem",
  "okay",
  "Right, okay.",
  "sounds good to me",
  "I think so",
  "not sure, but yes",
  "fine by me",
])("%j is a yes", (text) => {
  expect(findYesNo(text)).toMatchObject({ value: true, others: [] });
});

test.each([
  "no",
  "Nope.",
  "no thanks",
  "No. Thanks.",
  "not really",
  "uh-uh",
  "it isn't",
  "nobody",
  "I don't think so",
  "of course not",
  "that's not right",
  "That's wrong.",
  "I'm afraid not",
  "I can't",
  "I'd rather not",
  "never",
  "No, please do not cancel it.",
  "yeah, no",
])("%j is a no", (text) => {
  expect(findYesNo(text)).toMatchObject({ value: false, others: [] });
});

test.each([
  ["yes, I mean no", false],
  ["no wait, yes", true],
  ["no, that's fine", false],
])("%j says both", (text, value) => {
  expect(findYesNo(text)).toMatchObject({ value, others: [!value] });
});

test.each([
  "maybe",
  "I don't know",
  "I'm not sure",
  "no one is here",
  "right now is bad",
  "I am at home",
  "it is tuesday",
  "hello",
  "I can't hear you",
  "Well, I told you that it's",
  "yesterday we'll",
  "I'd",
  "",
])("%j says neither", (text) => {
  expect(findYesNo(text)).toBeNull();
});

test("the deciding words are reported", () => {
  const text = "Well, of course not today.";
  const found = findYesNo(text);
  expect(text.slice(found?.start, found?.end)).toBe("of course not");
});
