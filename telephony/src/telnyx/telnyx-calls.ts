import type { LegEnd, LegEndCause } from "../carrier.ts";
import { lost } from "../leg-end.ts";
import { objectOf } from "../stream-carrier/stream-message.ts";
import type { CallReport, CreateOutcome, VendorCalls } from "../stream-carrier/vendor-calls.ts";
import { isRefusal, type VendorReply } from "../stream-carrier/vendor-http.ts";
import { actionPath, errorOf, TelnyxApi, type TelnyxApiOptions } from "./telnyx-api.ts";

export interface TelnyxCallsOptions extends TelnyxApiOptions {
  /** The Voice API application (formerly connection) that places the calls. */
  readonly connectionId: string;
  readonly streamUrlOf: (streamToken: string) => string;
  /** Where Telnyx reports about the call with this token. */
  readonly callbackUrlOf: (callbackToken: string) => string;
}

/** A create whose reply is late is not given up early: a late reply still names the call. */
const CREATE_MAX_MS = 60_000;
/** The limits of Telnyx. */
const RING_MIN_S = 5;
const RING_MAX_S = 600;
const PAGE_SIZE = 250;
const PAGES_MAX = 20;

/** https://developers.telnyx.com/development/api-fundamentals/api-errors */
const INVALID_NUMBER_CODES: ReadonlySet<string> = new Set(["10002", "10016"]);

/** Attached to the calls of this carrier: Telnyx returns it in webhooks and lists. */
export function clientStateOf(callbackToken: string, part: "call" | "party"): string {
  return Buffer.from(`${part}:${callbackToken}`).toString("base64");
}

/** Calls by Telnyx's Call Control API. */
export function createTelnyxCalls(
  options: TelnyxCallsOptions,
): VendorCalls & { readonly openRequests: number; close(): void } {
  const { connectionId, streamUrlOf, callbackUrlOf } = options;
  const api = new TelnyxApi(options);
  return {
    vendor: "Telnyx",
    get openRequests() {
      return api.openRequests;
    },
    async create({ dialId, to, from, ringTimeoutS, callbackToken, streamToken }): Promise<CreateOutcome> {
      const fields = {
        connection_id: connectionId,
        to,
        from,
        // Telnyx ignores a second Dial with the same name, but only for a minute: it is the second safeguard, not the first.
        command_id: dialId,
        client_state: clientStateOf(callbackToken, "call"),
        webhook_url: callbackUrlOf(callbackToken),
        webhook_url_method: "POST",
        timeout_secs: clampRing(ringTimeoutS),
        // Otherwise a phone that was not answered is rung again by another route.
        retry_on_timeout: false,
        stream_url: streamUrlOf(streamToken),
        stream_track: "inbound_track",
        stream_codec: "PCMU",
        // Without it the callee hears nothing.
        stream_bidirectional_mode: "rtp",
        stream_bidirectional_codec: "PCMU",
        stream_bidirectional_sampling_rate: 8_000,
        stream_bidirectional_target_legs: "self",
      };
      let reply: VendorReply;
      try {
        reply = await api.post("/calls", fields, CREATE_MAX_MS);
      } catch (error) {
        return { type: "unknown", reason: error instanceof Error ? error.message : String(error) };
      }
      const { call_control_id: id } = objectOf(reply.body["data"]);
      if (reply.status >= 200 && reply.status < 300 && typeof id === "string") {
        return { type: "created", vendorCallId: id };
      }
      if (isRefusal(reply.status)) return { type: "refused", end: refusedEnd(reply) };
      return { type: "unknown", reason: `Telnyx replied with HTTP status ${reply.status}` };
    },

    /** Telnyx lists the active calls of an application with the state that we attached to them. */
    async find({ callbackToken }) {
      const wanted = clientStateOf(callbackToken, "call");
      for (let page = 1; page <= PAGES_MAX; page += 1) {
        const query = new URLSearchParams({ "page[number]": String(page), "page[size]": String(PAGE_SIZE) });
        const { status, body } = await api.get(
          `/connections/${encodeURIComponent(connectionId)}/active_calls?${query}`,
        );
        if (status !== 200) throw new Error(`Telnyx replied with HTTP status ${status}`);
        const listed = Array.isArray(body["data"]) ? body["data"] : [];
        for (const call of listed.map(objectOf)) {
          const { call_control_id: id, client_state: state } = call;
          if (state === wanted && typeof id === "string") return { vendorCallId: id, report: { state: "dialing" } };
        }
        if (page >= Number(objectOf(body["meta"])["total_pages"] ?? 1)) return null;
      }
      return null;
    },

    async fetch(id): Promise<CallReport | null> {
      const { status, body } = await api.get(`/calls/${encodeURIComponent(id)}`);
      if (status === 404) return null;
      if (status !== 200) throw new Error(`Telnyx replied with HTTP status ${status}`);
      const { is_alive: isAlive, end_time: endTime } = objectOf(body["data"]);
      // A call that is being dialed is not alive either, but has not ended.
      if (isAlive !== false || typeof endTime !== "string") return { state: "dialing" };
      const unanswered = () => lost("Telnyx ended the call and did not report why.");
      return { state: "ended", wasAnswered: false, unanswered };
    },

    end: (id) => api.endCall(id),

    async transfer(id, { to, from, ringTimeoutS, callbackToken, dialId }) {
      const reply = await api.post(actionPath(id, "transfer"), {
        to,
        from,
        command_id: dialId,
        timeout_secs: clampRing(ringTimeoutS),
        client_state: clientStateOf(callbackToken, "call"),
        target_leg_client_state: clientStateOf(callbackToken, "party"),
        webhook_url: callbackUrlOf(callbackToken),
        webhook_url_method: "POST",
      });
      return reply.status === 200 ? null : { status: reply.status, message: errorOf(reply).message };
    },

    async sendKeys(id, keys) {
      const reply = await api.post(actionPath(id, "send_dtmf"), { digits: keys });
      if (reply.status !== 200) throw new Error(`Telnyx did not send the keys: ${errorOf(reply).message}`);
    },

    close: () => api.close(),
  };
}

function clampRing(ringTimeoutS: number): number {
  return Math.min(RING_MAX_S, Math.max(RING_MIN_S, ringTimeoutS));
}

/** The end of a call that Telnyx refused to create. Nothing was dialed. */
function refusedEnd(reply: VendorReply): LegEnd {
  const { code, message } = errorOf(reply);
  if (code !== null && INVALID_NUMBER_CODES.has(code)) {
    return ended("invalid_number", `Telnyx refused the call (error ${code}): ${message}`);
  }
  if (reply.status === 401) return undialed("rejected", "Telnyx refused the API key.");
  if (reply.status === 429) {
    const later = reply.retryAfterS === null ? {} : { retryAfterS: reply.retryAfterS };
    return { ...undialed("unavailable", `Telnyx accepts no more calls at the moment: ${message}`), ...later };
  }
  return undialed("rejected", `Telnyx refused the call${code === null ? "" : ` (error ${code})`}: ${message}`);
}

/** Another trunk may be tried. */
function undialed(cause: LegEndCause, reason: string): LegEnd {
  return { ...ended(cause, reason), noPhoneRang: true };
}

function ended(cause: LegEndCause, reason: string): LegEnd {
  return { type: "ended", cause, code: null, reason, by: "network" };
}
