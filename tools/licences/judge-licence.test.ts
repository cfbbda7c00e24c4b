import { expect, test } from "vitest";
import { isAllowed } from "./judge-licence.ts";

test.each([
  ["MIT", true],
  ["(MIT OR GPL-3.0-only)", true],
  ["GPL-2.0-or-later OR Apache-2.0", true],
  ["MIT AND (BSD-3-Clause OR LGPL-3.0-only)", true],
  ["Apache-2.0 WITH LLVM-exception", true],
  ["GPL-3.0", false],
  ["AGPL-3.0-only", false],
  ["LGPL-2.1-or-later", false],
  ["MIT AND GPL-3.0-only", false],
  ["MPL-2.0", false],
  ["SEE LICENSE IN LICENSE", false],
  ["MIT GPL-3.0-only", false],
  ["UNLICENSED", false],
  ["", false],
])("%j in what is shipped: %s", (expression, expected) => {
  expect(isAllowed(expression, true)).toBe(expected);
});

test("tools that are not shipped may require changes to their own files to be published, and no more", () => {
  expect(isAllowed("MPL-2.0", false)).toBe(true);
  expect(isAllowed("GPL-3.0-only", false)).toBe(false);
});
