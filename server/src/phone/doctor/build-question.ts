import { writeCSeq } from "@parley/telephony/sip/cseq";
import { type HeaderLine, NO_BODY, type SipRequest } from "@parley/telephony/sip/message";
import { preloadedRoute, type SipTrunk, trunkUri } from "@parley/telephony/sip/sip-trunk";
import { bracketed, escapeUser } from "@parley/telephony/sip/uri";

/** What a request of one question repeats at each sending. */
export interface QuestionIdentity {
  readonly callId: string;
  readonly localTag: string;
  readonly cseq: number;
}

/** RFC 3261 section 11: asks whether the trunk is there. */
export function buildOptions(sip: SipTrunk, identity: QuestionIdentity): SipRequest {
  const asker = `<sip:doctor@${bracketed(sip.fromHost ?? sip.host)}>`;
  return build("OPTIONS", sip, identity, asker, `<sip:${bracketed(sip.host)}>`, [["Accept", "application/sdp"]]);
}

/**
 * RFC 3261 section 10.2.3: a REGISTER without a Contact asks which addresses are on record. The trunk checks the password
 * as it does for any other, and nothing that calls need is changed.
 */
export function buildRegisterQuery(sip: SipTrunk, registersAs: string, identity: QuestionIdentity): SipRequest {
  const name = `<sip:${escapeUser(registersAs)}@${bracketed(sip.fromHost ?? sip.host)}>`;
  return build("REGISTER", sip, identity, name, name, []);
}

function build(
  method: "OPTIONS" | "REGISTER",
  sip: SipTrunk,
  { callId, localTag, cseq }: QuestionIdentity,
  from: string,
  to: string,
  more: readonly HeaderLine[],
): SipRequest {
  const headers: HeaderLine[] = [
    ...preloadedRoute(sip).map((route): HeaderLine => ["Route", route]),
    ["Max-Forwards", "70"],
    ["From", `${from};tag=${localTag}`],
    ["To", to],
    ["Call-ID", callId],
    ["CSeq", writeCSeq({ number: cseq, method })],
    ...more,
    ["User-Agent", "Parley"],
  ];
  return { kind: "request", method, uri: trunkUri(sip, null), headers, body: NO_BODY };
}
