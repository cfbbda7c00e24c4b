import type { CallReport, VendorCalls } from "../stream-carrier/vendor-calls.ts";
import { refusedEnd, reportOf } from "./call-end.ts";
import { findCall } from "./find-call.ts";
import { TwilioRest, type TwilioRestOptions } from "./twilio-rest.ts";
import { connectStreamTwiml, dialTwiml } from "./twiml.ts";

export interface TwilioCallsOptions extends TwilioRestOptions {
  readonly streamUrl: string;
  /** Where Twilio reports about the call with this token. */
  readonly callbackUrlOf: (callbackToken: string) => string;
}

/** Calls by Twilio's REST API. */
export function createTwilioCalls(
  options: TwilioCallsOptions,
): VendorCalls & { readonly openRequests: number; close(): void } {
  const { streamUrl, callbackUrlOf } = options;
  const rest = new TwilioRest(options);
  const reportFrom = (status: string): CallReport => reportOf({ status, sipCode: null });
  return {
    vendor: "Twilio",
    get openRequests() {
      return rest.openRequests;
    },
    async create({ to, from, ringTimeoutS, callbackToken, streamToken }) {
      const twiml = connectStreamTwiml(streamUrl, streamToken);
      const statusUrl = callbackUrlOf(callbackToken);
      const outcome = await rest.createCall({ to, from, twiml, statusUrl, ringTimeoutS });
      if (outcome.type === "created") return { type: "created", vendorCallId: outcome.sid };
      return outcome.type === "refused" ? { type: "refused", end: refusedEnd(outcome) } : outcome;
    },
    async find(record) {
      const found = await findCall(rest, record);
      return found === null ? null : { vendorCallId: found.sid, report: reportFrom(found.status) };
    },
    async fetch(callSid) {
      const call = await rest.fetchCall(callSid);
      return call === null ? null : reportFrom(call.status);
    },
    end: (callSid) => rest.endCall(callSid),
    transfer(callSid, { to, from, ringTimeoutS, callbackToken }) {
      const callbackUrl = callbackUrlOf(callbackToken);
      const [actionUrl, statusUrl] = [`${callbackUrl}/dialed`, `${callbackUrl}/party`];
      return rest.redirectCall(
        callSid,
        dialTwiml({ to, callerId: from, timeoutS: ringTimeoutS, actionUrl, statusUrl }),
      );
    },
    close: () => rest.close(),
  };
}
