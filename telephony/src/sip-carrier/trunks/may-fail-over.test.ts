import { describe, expect, it } from "vitest";
import type { AttemptEnd } from "../leg/attempt-end.ts";
import { isMachineFailure, mayFailOver } from "./may-fail-over.ts";

function refused(status: number, hasRung = false, cause: number | null = null): AttemptEnd {
  const reasonHeader = cause === null ? null : { protocol: "Q.850", cause, text: null };
  return { kind: "refused", status, reason: "", reasonHeader, hasRung };
}

/** Everything that can be said before the answer, and whether another trunk may be tried after it. */
const ALLOWED = new Set([408, 480, ...Array.from({ length: 100 }, (_, index) => 500 + index)]);

describe("trying another trunk", () => {
  it("is allowed after exactly these codes, and after none of them once it rang", () => {
    for (let status = 300; status < 700; status += 1) {
      expect([status, mayFailOver(refused(status))]).toEqual([status, ALLOWED.has(status)]);
      expect([status, mayFailOver(refused(status, true))]).toEqual([status, false]);
    }
  });

  it("is not allowed where the reason says that the callee was reached", () => {
    for (const cause of [1, 17, 19, 21, 22, 28])
      expect([cause, mayFailOver(refused(503, false, cause))]).toEqual([cause, false]);
    for (const cause of [3, 27, 34, 38, 41, 42])
      expect([cause, mayFailOver(refused(480, false, cause))]).toEqual([cause, true]);
  });

  it("is allowed after silence from the beginning, and when nothing was sent", () => {
    expect(mayFailOver({ kind: "no_response", why: "timeout", reason: "" })).toBe(true);
    expect(mayFailOver({ kind: "no_response", why: "transport", reason: "" })).toBe(true);
    expect(mayFailOver({ kind: "not_sent", reason: "" })).toBe(true);
  });

  it("is not allowed after silence that followed a first sign, nor after anything we did ourselves", () => {
    const others: AttemptEnd[] = [
      { kind: "rang_out", hasRung: false },
      { kind: "rang_out", hasRung: true },
      { kind: "broken_off", reason: "" },
      { kind: "canceled" },
      { kind: "not_committed" },
      { kind: "hung_up", by: "peer", reason: "", reasonHeader: null, isConfirmed: true },
    ];
    for (const end of others) expect([end.kind, mayFailOver(end)]).toEqual([end.kind, false]);
  });

  it("goes to another machine of the same trunk only when a machine failed", () => {
    expect(isMachineFailure({ kind: "no_response", why: "timeout", reason: "" })).toBe(true);
    expect(isMachineFailure(refused(503))).toBe(true);
    expect(isMachineFailure(refused(480))).toBe(false);
  });
});
