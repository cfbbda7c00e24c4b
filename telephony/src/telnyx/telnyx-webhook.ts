import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { LegEnd, LegEndCause } from "../carrier.ts";
import { canceledByUs, legEndFromCode } from "../leg-end.ts";
import { objectOf, parseObject } from "../stream-carrier/stream-message.ts";
import type { CallReport } from "../stream-carrier/vendor-calls.ts";

/** How far the clocks of Telnyx and of this machine may be apart, and for how long a webhook may be delivered again. */
const TOLERANCE_S = 300;

/** The DER prefix of an Ed25519 public key (RFC 8410 section 4). */
const ED25519_SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** The public key of a Telnyx account: 32 bytes in base64. Null for what is none. */
function readPublicKey(publicKey: string): KeyObject | null {
  const key = Buffer.from(publicKey, "base64");
  if (key.length !== 32) return null;
  return createPublicKey({ key: Buffer.concat([ED25519_SPKI_PREFIX, key]), format: "der", type: "spki" });
}

export interface SignedWebhook {
  /** The header `telnyx-signature-ed25519`. */
  readonly signature: string | undefined;
  /** The header `telnyx-timestamp`, in seconds. */
  readonly timestamp: string | undefined;
  /** Exactly as received. */
  readonly body: string;
}

/** Whether Telnyx sent the webhook, and recently. The public key is that of the account, in base64. */
export function isSignedByTelnyx(
  publicKey: string,
  { signature, timestamp, body }: SignedWebhook,
  nowMs: number,
): boolean {
  if (signature === undefined || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > TOLERANCE_S) return false;
  const key = readPublicKey(publicKey);
  const bytes = Buffer.from(signature, "base64");
  return key !== null && bytes.length === 64 && verify(null, Buffer.from(`${timestamp}|${body}`), key, bytes);
}

export interface TelnyxEvent {
  readonly type: string;
  readonly callControlId: string;
  /** What our command attached to the call. */
  readonly clientState: string | null;
  /** Null for events that do not change the state of a call. */
  readonly report: CallReport | null;
  readonly sipCode: number | null;
}

/** Null for what is not an event about a call. */
export function readEvent(body: string): TelnyxEvent | null {
  const { event_type: type, payload } = objectOf(parseObject(body)["data"]);
  const fields = objectOf(payload);
  const { call_control_id: callControlId, client_state: clientState } = fields;
  if (typeof type !== "string" || typeof callControlId !== "string") return null;
  return {
    type,
    callControlId,
    clientState: typeof clientState === "string" ? clientState : null,
    report: reportOf(type, fields),
    sipCode: sipCodeOf(fields),
  };
}

function reportOf(type: string, fields: Readonly<Record<string, unknown>>): CallReport | null {
  // Telnyx does not report that a phone rings. This is when it begins to dial.
  if (type === "call.initiated") return { state: "ringing" };
  if (type === "call.answered") return { state: "answered" };
  if (type !== "call.hangup") return null;
  const { hangup_cause: cause, hangup_source: source } = fields;
  const sipCode = sipCodeOf(fields);
  const wasAnswered = sipCode === null && (cause === "normal_clearing" || cause === "time_limit");
  // For Telnyx, the caller of an outgoing call is this application.
  const by = source === "caller" ? "us" : source === "callee" ? "callee" : "network";
  return { state: "ended", wasAnswered, by, unanswered: () => unansweredEnd(String(cause), sipCode) };
}

function sipCodeOf({ sip_hangup_cause: code }: Readonly<Record<string, unknown>>): number | null {
  const sipCode = Number(code ?? Number.NaN);
  return Number.isInteger(sipCode) && sipCode >= 300 && sipCode < 700 ? sipCode : null;
}

const CAUSES: ReadonlyMap<string, readonly [cause: LegEndCause, reason: string]> = new Map([
  ["user_busy", ["busy", "Busy"]],
  ["call_rejected", ["declined", "Declined"]],
  ["not_found", ["invalid_number", "Not Found"]],
  ["timeout", ["no_answer", "No Answer"]],
  ["no_answer", ["no_answer", "No Answer"]],
]);

function unansweredEnd(hangupCause: string, sipCode: number | null): LegEnd {
  if (hangupCause === "originator_cancel") return canceledByUs();
  const [cause, reason] = CAUSES.get(hangupCause) ?? ["unreachable", "Telnyx could not connect the call."];
  if (cause === "no_answer" || sipCode === null) {
    const by = cause === "busy" || cause === "declined" ? "callee" : "network";
    return { type: "ended", cause, code: null, reason, by };
  }
  return legEndFromCode(sipCode, reason, false);
}
