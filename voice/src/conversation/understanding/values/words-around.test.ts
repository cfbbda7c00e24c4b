import { expect, test } from "vitest";
import { parseUtterance } from "../parse-utterance.ts";
import { foreignWords } from "./words-around.ts";

function around(text: string, value: string, asked: string): string[] {
  const start = text.indexOf(value);
  const { clauses } = parseUtterance(text);
  const clause = clauses.findLast(({ tokens }) => (tokens[0]?.start ?? 0) <= start);
  return clause === undefined ? [] : foreignWords(clause, text, { start, end: start + value.length }, 0, asked);
}

test.each([
  ["I could come at four", "four", "What time would suit you?"],
  ["let's say around half past four", "half past four", "What time would suit you?"],
  ["Friday's fine with me", "Friday", "Which day would suit you?"],
  ["Friday is my day off", "Friday", "Which day would suit you?"],
  ["I get the bus at nine so ten would be better", "ten", "What time would suit you?"],
  ["we'd like to check in on Friday", "Friday", "When would you like to check in?"],
  ["I've six radiators", "six", "How many radiators do you have?"],
])("%j offers %j", (text, value, asked) => {
  expect(around(text, value, asked)).toEqual([]);
});

test.each([
  ["the wedding is at four", "four", "What time would suit you?", ["wedding"]],
  ["Friday's the wake", "Friday", "Which day would suit you?", ["wake"]],
  ["I'm flying out on Friday", "Friday", "Which day would suit you?", ["flying", "out"]],
  ["we lost the dog on Saturday", "Saturday", "Which day would suit you?", ["lost", "dog"]],
  ["cut it in two", "two", "How many boxes do you need?", ["cut"]],
])("%j says something else of %j", (text, value, asked, foreign) => {
  expect(around(text, value, asked)).toEqual(foreign);
});
