import { describe, expect, it } from "vitest";
import type { ReceivedRequest } from "../message/message.ts";
import { parseMessage } from "../message/parse-message.ts";
import { headerLines } from "../message/read-headers.ts";
import { wire } from "../testing/sample-messages.ts";
import { responseHop, stampVia } from "./response-route.ts";

function requestBy(via: string): ReceivedRequest {
  const outcome = parseMessage(
    wire([
      "BYE sip:a@b SIP/2.0",
      `Via: ${via}`,
      "From: <sip:a@b>;tag=1",
      "To: <sip:c@d>;tag=2",
      "Call-ID: x",
      "CSeq: 1 BYE",
    ]),
  );
  if (!outcome.ok || outcome.message.kind !== "request") throw new Error("not a request");
  return outcome.message;
}
const source = { transport: "udp", address: "198.51.100.3", port: 33_333 } as const;

describe("the route of a response", () => {
  it("leads to the source port where the sender asked for it", () => {
    const request = stampVia(
      requestBy("SIP/2.0/UDP 10.0.0.1:5060;rport;branch=z9hG4bK1, SIP/2.0/UDP far;branch=z9hG4bK0"),
      source,
    );
    expect(headerLines(request, "Via")).toEqual([
      "SIP/2.0/UDP 10.0.0.1:5060;rport=33333;branch=z9hG4bK1;received=198.51.100.3, SIP/2.0/UDP far;branch=z9hG4bK0",
    ]);
    expect(responseHop(request.essentials, source)).toEqual(source);
  });

  it("leads to the source address and the port of the Via where it did not", () => {
    const request = stampVia(requestBy("SIP/2.0/UDP 10.0.0.1:5066;branch=z9hG4bK1"), source);
    expect(responseHop(request.essentials, source)).toEqual({ ...source, port: 5066 });
    expect(headerLines(request, "Via")).toEqual(["SIP/2.0/UDP 10.0.0.1:5066;branch=z9hG4bK1;received=198.51.100.3"]);
  });

  it("is the connection itself on a stream", () => {
    const byStream = { ...source, transport: "tcp", connection: 4 } as const;
    expect(responseHop(requestBy("SIP/2.0/TCP 10.0.0.1;branch=z9hG4bK1").essentials, byStream)).toBe(byStream);
  });
});
