import { describe, expect, it } from "vitest";
import { causeFromCode, legEndFromCode, legEndFromRefusal } from "./leg-end.ts";

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

describe("the end of a leg from all details of a refusal", () => {
  function refusal(
    status: number,
    reason: string,
    protocol = "",
    cause: number | null = null,
    text: string | null = null,
  ) {
    const reasonHeader = protocol === "" ? null : { protocol, cause, text };
    return legEndFromRefusal({ status, reason, reasonHeader, hasRung: false });
  }

  it("distinguishes a call blocked on its way from one that the callee declined", () => {
    expect(refusal(603, "Decline")).toMatchObject({ cause: "declined", by: "callee" });
    expect(refusal(603, "Decline", "Q.850", 21)).toMatchObject({ cause: "declined", by: "callee" });
    expect(refusal(603, "Network Blocked")).toMatchObject({ cause: "blocked", code: 603, by: "network" });
    const notice = "v=analytics1;url=https://blocker.example/why";
    expect(refusal(603, "Decline", "SIP", 603, notice)).toMatchObject({
      cause: "blocked",
      by: "network",
      reason: notice,
    });
    expect(refusal(607, "Unwanted")).toMatchObject({ cause: "blocked", by: "callee" });
    expect(refusal(608, "Rejected")).toMatchObject({ cause: "blocked", by: "network" });
  });

  it.each([
    [480, 17, "busy"],
    [503, 17, "busy"],
    [500, 1, "invalid_number"],
    [403, 21, "declined"],
    [480, 19, "no_answer"],
    [500, 34, "unavailable"],
    [480, 38, "unavailable"],
    [408, 41, "unavailable"],
    [500, 42, "unavailable"],
    [487, 20, "unreachable"],
  ] as const)("reads %i with Q.850 cause %i as %s", (status, cause, expected) => {
    expect(refusal(status, "", "Q.850", cause)).toMatchObject({
      cause: expected,
      code: status,
      reason: `Q.850 ${cause}`,
    });
  });

  it("uses the code where it is unambiguous, and where the reason is of another protocol or empty", () => {
    expect(refusal(486, "Busy Here", "Q.850", 34)).toMatchObject({ cause: "busy", reason: "Busy Here" });
    expect(refusal(404, "Not Found", "Q.850", 16).cause).toBe("invalid_number");
    expect(refusal(480, "", "Q.850", 31).cause).toBe("unreachable");
    expect(refusal(480, "", "SIP", 17).cause).toBe("unreachable");
  });

  it("repeats the phrase of the network", () => {
    expect(refusal(500, "Error", "Q.850", 17, "User busy")).toMatchObject({ cause: "busy", reason: "User busy" });
  });
});
