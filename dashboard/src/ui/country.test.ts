import { expect, test } from "vitest";
import { findCountry, listCountries } from "./country.ts";

test("a country is found by its code, its name and the beginning of its name, in any case", () => {
  expect(findCountry("DE")?.code).toBe("DE");
  expect(findCountry(" germany ")?.code).toBe("DE");
  expect(findCountry("switz")?.code).toBe("CH");
  expect(findCountry("Niger")?.code).toBe("NE");
  expect(findCountry("Nowhere")).toBe(null);
  expect(findCountry("")).toBe(null);
});

test("what is not a country is not among them", () => {
  const codes = listCountries().map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(200);
  expect(codes).toContain("US");
  expect(codes).not.toContain("EU");
});
