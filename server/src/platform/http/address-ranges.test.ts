import { expect, test } from "vitest";
import { isAddressAllowed } from "./authenticate.ts";

test("an address inside a range, or equal to one listed, is allowed", () => {
  expect(isAddressAllowed("10.1.2.3", ["10.0.0.0/8"])).toBe(true);
  expect(isAddressAllowed("10.1.2.3", ["10.1.2.3"])).toBe(true);
  expect(isAddressAllowed("::ffff:10.1.2.3", ["10.0.0.0/8"])).toBe(true);
  expect(isAddressAllowed("2001:db8::1", ["2001:db8::/32"])).toBe(true);
});

test("any other address is not", () => {
  expect(isAddressAllowed("11.1.2.3", ["10.0.0.0/8"])).toBe(false);
  expect(isAddressAllowed("10.1.2.3", ["2001:db8::/32"])).toBe(false);
  expect(isAddressAllowed("nonsense", ["0.0.0.0/0"])).toBe(false);
});
