import { expect, test } from "vitest";
import { readRetryAfterMs, withoutSecrets } from "./explain-failure.ts";

const KEY = "sk-proj-AbCdEf123456";

test.each([
  [`The key ${KEY} is wrong.`, "The key [removed] is wrong."],
  ["The key sk-proj-********* is wrong.", "The key [removed] is wrong."],
  ['{"key":"Bearer sk-proj-AbC..."}', '{"key":"Bearer [removed]"}'],
  ["ends in ****123456, see above", "ends in [removed], see above"],
  ["Nothing of it is here.", "Nothing of it is here."],
])("what shows a piece of a key is taken out of %j", (text, expected) => {
  expect(withoutSecrets(text, [KEY])).toBe(expected);
});

test("without a key nothing is removed", () => {
  expect(withoutSecrets("any words", [])).toBe("any words");
  expect(withoutSecrets("any words", ["", "any"])).toBe("any words");
});

const NOW_MS = Date.parse("2026-01-01T00:00:00Z");

test.each([
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  [{ "retry-after": "later" }, null],
  [{ "retry-after": " " }, null],
  [{}, null],
])("a wish to be left alone is read from %j", (headers, expected) => {
  expect(readRetryAfterMs(headers, NOW_MS)).toBe(expected);
});
