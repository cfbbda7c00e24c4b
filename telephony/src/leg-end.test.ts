import { describe, expect, it } from "vitest";
import { causeFromCode, legEndFromCode } from "./leg-end.ts";

describe("the end of a leg from its code", () => {
  it.each([
    [302, false, "unreachable"],
    [403, false, "rejected"],
    [404, false, "invalid_number"],
    [408, false, "unreachable"],
    [408, true, "no_answer"],
    [480, false, "unreachable"],
    [480, true, "no_answer"],
    [484, false, "invalid_number"],
    [486, false, "busy"],
    [487, true, "canceled"],
    [500, false, "unavailable"],
    [503, false, "unavailable"],
    [600, true, "busy"],
    [603, true, "declined"],
    [604, false, "invalid_number"],
    [607, true, "blocked"],
    [608, false, "blocked"],
    [499, false, "rejected"],
    [699, false, "rejected"],
  ] as const)("reads %i (rang: %s) as %s", (code, hasRung, cause) => {
    expect(causeFromCode(code, hasRung)).toBe(cause);
  });

  it("says who ended it", () => {
    expect(legEndFromCode(486, "Busy Here", false)).toMatchObject({ by: "callee", code: 486, reason: "Busy Here" });
    expect(legEndFromCode(487, "Request Terminated", true).by).toBe("us");
    expect(legEndFromCode(480, "Temporarily Unavailable", true).by).toBe("network");
  });
});
