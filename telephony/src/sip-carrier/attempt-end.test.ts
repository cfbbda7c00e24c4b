import { describe, expect, it } from "vitest";
import type { InviteFailed } from "../sip/invite-events.ts";
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
    ...changes,
  };
}

describe("how an attempt ended", () => {
  it("tells silence from the beginning apart from silence after a sign", () => {
    const silent = failed({ origin: "timeout", reason: "nobody answered the request" });
    expect(endOfFailure(silent, NOTHING_HEARD)).toMatchObject({ kind: "no_response", why: "timeout" });
    const broken = failed({ origin: "transport", reason: "connection reset" });
    expect(endOfFailure(broken, NOTHING_HEARD).kind).toBe("no_response");
    expect(endOfFailure(broken, { isHeard: true, hasRung: false }).kind).toBe("broken_off");
  });

  it("knows a peer that hung up before its answer was acknowledged", () => {
    const end = endOfFailure(failed({ origin: "peer", reason: "the peer hung up" }), NOTHING_HEARD);
    expect(legEndOfAttempt(end)).toMatchObject({ cause: "hangup", by: "callee" });
  });

  it.each<[AttemptEnd, object]>([
    [
      { kind: "no_response", why: "timeout", reason: "x" },
      { cause: "unavailable", code: 408, by: "network" },
    ],
    [
      { kind: "no_response", why: "transport", reason: "x" },
      { cause: "unavailable", code: 503, by: "network" },
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
      { cause: "no_answer", code: 408 },
    ],
    [
      { kind: "rang_out", hasRung: false },
      { cause: "unreachable", code: 408 },
    ],
    [{ kind: "canceled" }, { cause: "canceled", code: 487, by: "us" }],
    [{ kind: "not_committed" }, { cause: "canceled", by: "us" }],
    [hungUp("us", true), { cause: "hangup", by: "us" }],
    [hungUp("us", false), { cause: "lost", by: "network" }],
    [hungUp("network", true), { cause: "hangup", by: "network" }],
    [hungUp("network", false), { cause: "lost", by: "network" }],
    [hungUp("peer", true), { cause: "hangup", by: "callee", reason: "Normal Clearing" }],
  ])("is told of the leg: %j", (end, expected) => {
    expect(legEndOfAttempt(end)).toMatchObject({ type: "ended", ...expected });
  });
});

function hungUp(by: "us" | "peer" | "network", isConfirmed: boolean): AttemptEnd {
  return { kind: "hung_up", by, reason: "Normal Clearing", reasonHeader: null, isConfirmed };
}
