import type { ListedCall, TwilioRest } from "./twilio-rest.ts";
import type { FormParameters } from "./twilio-signature.ts";

/** What the journal keeps about a request to create a call: enough for another process to find the call and end it. */
export interface TwilioDialRecord {
  readonly carrier: "twilio";
  readonly to: string;
  readonly from: string;
  /** In the URL of every status callback of this call, and of no other. */
  readonly callbackToken: string;
  readonly writtenAtMs: number;
  /** Null until Twilio named the call. */
  readonly callSid: string | null;
}

/** How far Twilio's clock and ours may be apart, and how long a request may take to become a call. */
const CREATED_BEFORE_MS = 60_000;
const CREATED_AFTER_MS = 180_000;

/**
 * Finds the call of a request whose reply was lost. Twilio lists calls by number and time, which several calls may share, and names for
 * each the URLs it requested: our token in one of them identifies the call. Null if Twilio does not show it (yet).
 */
export async function findCall(
  rest: Pick<TwilioRest, "listCalls" | "requestedUrls">,
  { to, from, callbackToken, writtenAtMs }: TwilioDialRecord,
): Promise<ListedCall | null> {
  const listed = await rest.listCalls(to, from, writtenAtMs - CREATED_BEFORE_MS);
  for (const call of listed) {
    const sinceMs = call.createdAtMs - writtenAtMs;
    if (sinceMs < -CREATED_BEFORE_MS || sinceMs > CREATED_AFTER_MS) continue;
    const urls = await rest.requestedUrls(call.sid);
    if (urls.some((url) => url.includes(callbackToken))) return call;
  }
  return null;
}

/** Null for what this carrier did not write. */
export function readDialRecord(record: object): TwilioDialRecord | null {
  const { carrier, to, from, callbackToken, writtenAtMs, callSid } = record as Partial<TwilioDialRecord>;
  if (carrier !== "twilio" || typeof to !== "string" || typeof from !== "string") return null;
  if (typeof callbackToken !== "string" || typeof writtenAtMs !== "number") return null;
  return { carrier, to, from, callbackToken, writtenAtMs, callSid: callSid ?? null };
}

/** What a status callback, or a listing, says about a call. */
export interface CallStatus {
  readonly status: string;
  /** The final SIP status of the far end, where Twilio passes it on. */
  readonly sipCode: number | null;
}

export function readCallStatus(parameters: FormParameters): CallStatus | null {
  const { CallStatus: status, SipResponseCode } = parameters;
  if (status === undefined) return null;
  const sipCode = Number(SipResponseCode ?? Number.NaN);
  return { status, sipCode: Number.isInteger(sipCode) && sipCode >= 300 && sipCode < 700 ? sipCode : null };
}

const FINAL: ReadonlySet<string> = new Set(["completed", "busy", "no-answer", "failed", "canceled"]);

export function isFinal(status: string): boolean {
  return FINAL.has(status);
}
