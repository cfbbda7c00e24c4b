import { writeCSeq } from "../message/cseq.ts";
import { type HeaderLine, NO_BODY, type ReceivedResponse, type SipRequest } from "../message/message.ts";
import { header } from "../message/read-headers.ts";

/**
 * RFC 3261 section 17.1.1.3: the ACK for a final response other than 2xx belongs to the transaction. It repeats the
 * INVITE's Request-URI, topmost Via and Route, and takes To, with its tag, from the response.
 */
export function acknowledgeRefusal(invite: SipRequest, response: ReceivedResponse): SipRequest {
  const kept = invite.headers.filter(([name]) => ["Via", "From", "Call-ID", "Route", "Max-Forwards"].includes(name));
  const to: HeaderLine = ["To", header(response, "To") ?? ""];
  const cseq: HeaderLine = ["CSeq", writeCSeq({ number: response.essentials.cseq.number, method: "ACK" })];
  return { kind: "request", method: "ACK", uri: invite.uri, headers: [...kept, to, cseq], body: NO_BODY };
}
