import type { StreamDialRecord } from "../stream-carrier/vendor-calls.ts";
import type { ListedCall, TwilioRest } from "./twilio-rest.ts";
import type { FormParameters } from "./twilio-signature.ts";

/** How far Twilio's clock and ours may be apart, and how long a request may take to become a call. */
const CREATED_BEFORE_MS = 60_000;
const CREATED_AFTER_MS = 180_000;

/**
 * Finds the call of a request whose reply was lost. Twilio lists calls by number and time, which several calls may share, and names for
 * each the URLs it requested: our token in one of them identifies the call. Null if Twilio does not show it (yet).
 */
export async function findCall(
  rest: Pick<TwilioRest, "listCalls" | "requestedUrls">,
  { to, from, callbackToken, writtenAtMs }: StreamDialRecord,
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
