import { describe, expect, it } from "vitest";
import { explainLegEnd } from "./explain-leg-end.ts";
import { causeFromCode } from "./leg-end.ts";

describe("explaining the end of a leg", () => {
  it("says it in plain words", () => {
    expect(explainLegEnd("busy", 486)).toBe("The line was busy.");
    expect(explainLegEnd("hangup", null)).toBe("The call ended normally.");
  });

  it("says more where the code does", () => {
    expect(explainLegEnd("invalid_number", 410)).toBe("The number is no longer in service.");
    expect(explainLegEnd("rejected", 407)).toBe("The carrier did not accept our credentials.");
  });

  it("has a full sentence without jargon for every code there can be", () => {
    for (let code = 300; code < 700; code += 1) {
      const sentence = explainLegEnd(causeFromCode(code, true), code);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(sentence).not.toMatch(/SIP|\d/);
    }
  });
});
