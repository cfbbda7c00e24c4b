import { expect, test } from "vitest";
import { readWantedNumber } from "./call-search.ts";

test.each([
  ["+15550100020", "+15550100020"],
  ["+1 (555) 010-0020", "+15550100020"],
  [" +1.555.010/0020 ", "+15550100020"],
])("%s is that number alone", (text, number) => {
  expect(readWantedNumber(text)).toEqual({ kind: "whole", number });
});

test.each([
  ["(555) 010-0020", "%5550100020%"],
  ["0100020", "%0100020%"],
  ["555299", "%555299%"],
  ["15550100020", "%15550100020%"],
  ["020", "%020%"],
  ["+1 555", "+1555%"],
  ["0049 30 5550 1000", "%493055501000%"],
  ["030 5550 1000", "%3055501000%"],
  // A query string in which the plus sign was not escaped.
  [" 15550100020", "%15550100020%"],
])("%s is part of numbers", (text, pattern) => {
  expect(readWantedNumber(text)).toEqual({ kind: "part", pattern });
});
