import { describe, expect, it } from "vitest";
import type { FailureOrigin, InviteFailed } from "../../sip/invite/invite-events.ts";
import { type AttemptEnd, endOfFailure, legEndOfAttempt } from "./attempt-end.ts";

const NOTHING_HEARD = { isHeard: false, hasRung: false };

function failed(changes: Partial<InviteFailed>): InviteFailed {
  return {
    type: "failed",
    status: null,
    reason: "",
    origin: "peer",
    reasonHeader: null,
    retryAfterS: null,
    unanswered: null,
    ...changes,
  };
}

describe("how an attempt ended", () => {
  it("distinguishes silence from the beginning and silence after a response", () => {
    const silent = failed({ origin: "timeout", reason: "nobody answered the request" });
    expect(endOfFailure(silent, NOTHING_HEARD)).toMatchObject({ kind: "no_response", why: "timeout" });
    const broken = failed({ origin: "transport", reason: "connection reset" });
    expect(endOfFailure(broken, NOTHING_HEARD).kind).toBe("no_response");
    expect(endOfFailure(broken, { isHeard: true, hasRung: false }).kind).toBe("broken_off");
  });

  it("does not report a silent trunk as an unanswered phone", () => {
    const waited = failed({ origin: "no_answer" });
    expect(endOfFailure(waited, NOTHING_HEARD)).toMatchObject({ kind: "no_response", why: "timeout" });
    expect(endOfFailure(waited, { isHeard: true, hasRung: false })).toEqual({ kind: "rang_out", hasRung: false });
  });

  it("has a code only when a response decided it", () => {
    const origins: FailureOrigin[] = ["canceled", "no_answer", "timeout", "transport", "commit"];
    for (const status of [null, 408, 487, 503])
      for (const isHeard of [false, true])
        for (const origin of origins) {
          const end = legEndOfAttempt(endOfFailure(failed({ origin, status }), { isHeard, hasRung: isHeard }));
          expect([origin, status, end.code]).toEqual([origin, status, null]);
        }
    const said = failed({ origin: "peer", status: 503, reason: "Overloaded", retryAfterS: 30 });
    expect(legEndOfAttempt(endOfFailure(said, NOTHING_HEARD))).toMatchObject({
      cause: "unavailable",
      code: 503,
      reason: "Overloaded",
      retryAfterS: 30,
    });
  });

  it("knows a peer that hung up before its answer was acknowledged", () => {
    const end = endOfFailure(failed({ origin: "peer", reason: "the peer hung up" }), NOTHING_HEARD);
    expect(legEndOfAttempt(end)).toMatchObject({ cause: "hangup", by: "callee" });
  });

  it.each<[AttemptEnd, object]>([
    [
      { kind: "no_response", why: "timeout", reason: "x" },
      { cause: "unavailable", code: null, by: "network", detail: "no_response" },
    ],
    [
      { kind: "no_response", why: "transport", reason: "x" },
      { cause: "unavailable", code: null, by: "network", detail: "not_delivered" },
    ],
    [
      { kind: "not_sent", reason: "too large" },
      { cause: "unavailable", code: null, reason: "too large" },
    ],
    [
      { kind: "broken_off", reason: "x" },
      { cause: "lost", by: "network" },
    ],
    [
      { kind: "rang_out", hasRung: true },
      { cause: "no_answer", code: null },
    ],
    [
      { kind: "rang_out", hasRung: false },
      { cause: "unreachable", code: null },
    ],
    [{ kind: "canceled" }, { cause: "canceled", code: null, by: "us" }],
    [{ kind: "not_committed" }, { cause: "canceled", by: "us" }],
    [hungUp("us", true), { cause: "hangup", by: "us" }],
    [hungUp("us", false), { cause: "lost", by: "network" }],
    [hungUp("network", true), { cause: "lost", by: "network" }],
    [hungUp("network", false), { cause: "lost", by: "network" }],
    [hungUp("peer", true), { cause: "hangup", by: "callee", reason: "Normal Clearing" }],
  ])("is reported for the leg: %j", (end, expected) => {
    expect(legEndOfAttempt(end)).toMatchObject({ type: "ended", ...expected });
  });
});

function hungUp(by: "us" | "peer" | "network", isConfirmed: boolean): AttemptEnd {
  return { kind: "hung_up", by, reason: "Normal Clearing", reasonHeader: null, isConfirmed };
}
