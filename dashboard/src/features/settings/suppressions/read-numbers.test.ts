import { expect, test } from "vitest";
import { readNumber, readNumbers } from "./read-numbers.ts";

test("a number is recognized however people write it", () => {
  for (const text of ["+49 30 1234567", "+49 (30) 123-4567", "0049/30/1234567", "\u202a+49\u201130\u20111234567\u202c"])
    expect(readNumber(text)).toBe("+49301234567");
});

test("a number without its country is not guessed", () => {
  for (const text of ["030 1234567", "1234567", "+0301234567", "+49 30 12345678901234", "", "+49abc1234567"])
    expect(readNumber(text)).toBeNull();
});

test("a pasted list contains each number once and names the invalid ones", () => {
  const text = `number,name\n"+15550100001",Ada <script>\n+1 555 010 0002;+1 555 010 0001\n\n  030 1234  `;
  expect(readNumbers(text)).toEqual({
    numbers: ["+15550100001", "+15550100002"],
    unreadable: ["number", "name", "Ada <script>", "030 1234"],
  });
});
