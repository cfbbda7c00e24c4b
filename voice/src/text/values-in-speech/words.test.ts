import { expect, test } from "vitest";
import { wordsOf } from "./words.ts";

const texts = (text: string, signs?: string) => wordsOf(text, signs).map(({ text: word }) => word);

test.each([
  ["It’s twenty-five, I guess.", ["it's", "twenty", "five", "i", "guess"]],
  ["$1,234.50 at 2:30 p.m.", ["$", "1,234.50", "at", "2:30", "p", "m"]],
  ["the 3rd of Mai", ["the", "3rd", "of", "mai"]],
  ["José, 50%", ["josé", "50", "%"]],
  ["A12", ["a", "12"]],
  ["...", []],
])("%j is heard as %j", (text, words) => {
  expect(texts(text)).toEqual(words);
});

test("additional signs are words only if they join others", () => {
  expect(texts("J-O at gmail.com. Bye - now", ".-")).toEqual(["j", "-", "o", "at", "gmail", ".", "com", "bye", "now"]);
});

test("pauses are kept: none, a space, a comma, the end of a sentence", () => {
  const gaps = wordsOf("p.m. is late, sorry. Yes - no").map(({ gap }) => gap);
  expect(gaps).toEqual(["none", "none", "stop", "space", "comma", "stop", "comma"]);
});

test("each word has its position in the text", () => {
  const text = "Well,  it's 5pm.";
  expect(wordsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(["Well", "it's", "5", "pm"]);
});
