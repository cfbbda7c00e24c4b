import { GATE_REFUSALS } from "@parley/contract/gate";
import { expect, test } from "vitest";
import { gateReasonInWords } from "./outcome.tsx";

test("every refusal of the gate is described in words, not by its code", () => {
  for (const refusal of GATE_REFUSALS) expect(gateReasonInWords(refusal)).toMatch(/^[A-Z][^_]+ [^_]+$/);
});

test("passed checks name the country and the kind of number", () => {
  expect(gateReasonInWords("country_DE")).toContain("Germany");
  expect(gateReasonInWords("valid_fixed_line_or_mobile")).toBe("A valid number: fixed line or mobile");
});

test("a reason of a later release is shown unchanged, even one that is named like a property of every object", () => {
  expect(gateReasonInWords("moon_phase")).toBe("moon phase");
  expect(gateReasonInWords("toString")).toBe("toString");
});
