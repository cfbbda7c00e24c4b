import { describe, expect, it } from "vitest";
import { wire } from "../testing/sample-messages.ts";
import { parseMessage } from "./parse-message.ts";
import { readReason, reasonText } from "./reason-header.ts";

function reasonOf(...reasons: string[]) {
  const outcome = parseMessage(
    wire([
      "BYE sip:a@b SIP/2.0",
      "Via: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK1",
      "From: <sip:a@b>;tag=1",
      "To: <sip:c@d>;tag=2",
      "Call-ID: x",
      "CSeq: 1 BYE",
      ...reasons.map((reason) => `Reason: ${reason}`),
    ]),
  );
  if (!outcome.ok) throw new Error(outcome.reason);
  return readReason(outcome.message);
}

describe("the Reason of a message", () => {
  it("is the telephone network's own where there are several", () => {
    const reason = reasonOf('SIP;cause=200;text="done"', 'Q.850;cause=16;text="Terminated"');
    expect(reason).toEqual({ protocol: "Q.850", cause: 16, text: "Terminated" });
    expect(reasonText(reason)).toBe("Terminated");
  });

  it("prefers the notice of the party that blocked the call", () => {
    const notice = 'SIP;cause=603;text="v=analytics1;url=https://blocker.example"';
    expect(reasonOf("Q.850;cause=21", notice)).toMatchObject({ protocol: "SIP", cause: 603 });
  });

  it("may say nothing", () => {
    expect(reasonOf()).toBeNull();
    expect(reasonText(null)).toBeNull();
    expect(reasonText(reasonOf("Q.850"))).toBeNull();
    expect(reasonText(reasonOf("Q.850;cause=31"))).toBe("Q.850 31");
    expect(reasonText(reasonOf("Q.850;cause=99999"))).toBeNull();
  });
});
