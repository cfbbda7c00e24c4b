import { describe, expect, it } from "vitest";
import { explainLegEnd } from "./explain-leg-end.ts";
import { causeFromCode, legEndFromRefusal } from "./leg-end.ts";
import type { UnansweredChallenge } from "./sip/authentication/authenticate.ts";

describe("explaining the end of a leg", () => {
  it("uses plain words", () => {
    expect(explainLegEnd({ cause: "busy", code: 486 })).toBe("The line was busy.");
    expect(explainLegEnd({ cause: "hangup", code: null })).toBe("The call ended normally.");
  });

  it("is more specific where the code is", () => {
    expect(explainLegEnd({ cause: "invalid_number", code: 410 })).toBe("The number is no longer in service.");
    expect(explainLegEnd({ cause: "rejected", code: 407 })).toBe("The carrier did not accept our credentials.");
  });

  it("blames credentials only where they were sent", () => {
    const refused = { status: 401, reason: "Unauthorized", reasonHeader: null, hasRung: false };
    const explain = (unanswered: UnansweredChallenge | null) =>
      explainLegEnd(legEndFromRefusal({ ...refused, unanswered }));
    expect(explain(null)).toBe("The carrier did not accept our credentials.");
    expect(explain("no_credentials")).toContain("none are set");
    expect(explain("phone_rang")).toContain("only after the phone rang");
    expect(explain("not_supported")).toContain("not supported");
  });

  it("has a full sentence without jargon for every possible code", () => {
    for (let code = 300; code < 700; code += 1) {
      const sentence = explainLegEnd({ cause: causeFromCode(code, true), code });
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(sentence).not.toMatch(/SIP|\d/);
    }
  });
});
