import type { CSeq } from "./cseq.ts";
import type { NameAddr } from "./name-addr.ts";
import type { Via } from "./via.ts";

/**
 * RFC 3261 section 7: a start line, header fields, an empty line and a body.
 *
 *     INVITE sip:+15550001@trunk.example SIP/2.0      SIP/2.0 180 Ringing
 *     Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1      Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1
 *     ...                                             ...
 *
 * Header names are kept in their long form and usual spelling; values are kept as they stood, unfolded.
 */
export type HeaderLine = readonly [name: string, value: string];

export interface SipRequest {
  readonly kind: "request";
  readonly method: string;
  readonly uri: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Buffer;
}

export interface SipResponse {
  readonly kind: "response";
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Buffer;
}

export type SipMessage = SipRequest | SipResponse;

/** What every message must carry (RFC 3261 section 8.1.1), read once when the message was parsed. */
export interface Essentials {
  /** The topmost one: who sent this request, or to which of our requests this is the response. */
  readonly via: Via;
  readonly from: NameAddr;
  readonly to: NameAddr;
  readonly callId: string;
  readonly cseq: CSeq;
}

export type ReceivedRequest = SipRequest & { readonly essentials: Essentials };
export type ReceivedResponse = SipResponse & { readonly essentials: Essentials };
export type ReceivedMessage = ReceivedRequest | ReceivedResponse;

export const NO_BODY: Buffer = Buffer.alloc(0);

/** The methods this agent takes part in; any other is unknown to it. */
export const KNOWN_METHODS: ReadonlySet<string> = new Set([
  "INVITE",
  "ACK",
  "BYE",
  "CANCEL",
  "OPTIONS",
  "REGISTER",
  "PRACK",
  "UPDATE",
  "INFO",
  "REFER",
  "NOTIFY",
  "SUBSCRIBE",
  "MESSAGE",
  "PUBLISH",
]);
