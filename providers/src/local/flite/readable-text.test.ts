import { expect, test } from "vitest";
import { readableText } from "./readable-text.ts";

test.each([
  ["It’s “fine” — really…", `It's "fine" , really,`],
  ["José Müller-Łukasz, Straße", "Jose Muller-Lukasz, Strasse"],
  ["ﬁne ｔｅｘｔ", "fine text"],
  ["one\n\ttwo\0three", "one two three"],
  ["10 €", "10 euros"],
  ["hello 👋 there", "hello there"],
  ["Anna 東京", "Anna"],
  ["日本語 2", "2"],
])("%j is read as %j", (text, readable) => {
  expect(readableText(text)).toBe(readable);
});

test.each(["", "  ", "👋"])("there is nothing to say in %j", (text) => {
  expect(readableText(text)).toBe("");
});

test.each(["東京", "Привет", "שלום"])("%j has words that cannot be said", (text) => {
  expect(readableText(text)).toBeNull();
});
