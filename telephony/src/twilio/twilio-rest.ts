import type { Clock } from "@parley/time/clock";
import { objectOf } from "../stream-carrier/stream-message.ts";
import { isRefusal, VendorHttp, type VendorReply } from "../stream-carrier/vendor-http.ts";

export interface TwilioRestOptions {
  readonly clock: Clock;
  readonly accountSid: string;
  /** Read for each request, so that it may be a getter. */
  readonly authToken: string;
  /** Twilio's own host by default. The auth token is sent there and nowhere else. */
  readonly baseUrl?: string;
}

export interface TwilioCreate {
  readonly to: string;
  readonly from: string;
  readonly twiml: string;
  readonly statusUrl: string;
  readonly ringTimeoutS: number;
}

/** `unknown` may have rung a phone. */
export type TwilioCreateOutcome =
  | { readonly type: "created"; readonly sid: string }
  | {
      readonly type: "refused";
      readonly status: number;
      readonly code: number | null;
      readonly message: string;
      readonly retryAfterS: number | null;
    }
  | { readonly type: "unknown"; readonly reason: string };

/** A call as Twilio lists it. */
export interface ListedCall {
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly status: string;
  readonly createdAtMs: number;
}

/** A create whose reply is late is not given up early: a late reply still names the call. */
const CREATE_MAX_MS = 60_000;
/** Twilio's error for a change to a call that is over. */
const NOT_IN_PROGRESS = 21_220;
const PAGE_SIZE = 100;
/** The numbers of an account and those that it has verified, and where they are in the reply. */
const NUMBER_LISTS = [
  ["IncomingPhoneNumbers", "incoming_phone_numbers"],
  ["OutgoingCallerIds", "outgoing_caller_ids"],
] as const;

/** The part of Twilio's REST API that calls need. Nothing is retried here, and redirects are not followed. */
export class TwilioRest {
  readonly #options: TwilioRestOptions;
  readonly #base: URL;
  readonly #http: VendorHttp;

  constructor(options: TwilioRestOptions) {
    this.#options = options;
    this.#base = new URL(options.baseUrl ?? "https://api.twilio.com");
    this.#http = new VendorHttp("Twilio", options.clock);
  }

  get openRequests(): number {
    return this.#http.openRequests;
  }

  /** Sends the request exactly once. */
  async createCall({ to, from, twiml, statusUrl, ringTimeoutS }: TwilioCreate): Promise<TwilioCreateOutcome> {
    const form = new URLSearchParams({ To: to, From: from, Twiml: twiml, Timeout: String(ringTimeoutS) });
    form.append("StatusCallback", statusUrl);
    form.append("StatusCallbackMethod", "POST");
    for (const event of ["initiated", "ringing", "answered", "completed"]) form.append("StatusCallbackEvent", event);
    let reply: VendorReply;
    try {
      reply = await this.#send("POST", "/Calls.json", form, CREATE_MAX_MS);
    } catch (error) {
      return { type: "unknown", reason: error instanceof Error ? error.message : String(error) };
    }
    const { status, body } = reply;
    const { sid, code, message } = body;
    if (status === 201 && typeof sid === "string") return { type: "created", sid };
    if (isRefusal(status)) {
      return {
        type: "refused",
        status,
        code: typeof code === "number" ? code : null,
        message: typeof message === "string" ? message : `HTTP status ${status}`,
        retryAfterS: reply.retryAfterS,
      };
    }
    return { type: "unknown", reason: `Twilio replied with HTTP status ${status}` };
  }

  /** Ends a call in any state. True when Twilio confirmed it, or that it was over; false when a retry makes sense. */
  async endCall(sid: string): Promise<boolean> {
    const { status, body } = await this.#send("POST", callPath(sid), new URLSearchParams({ Status: "completed" }));
    return status === 200 || status === 404 || body["code"] === NOT_IN_PROGRESS;
  }

  /** Replaces what a call does. Null when Twilio accepted it, otherwise the reason. */
  async redirectCall(
    sid: string,
    twiml: string,
  ): Promise<{ readonly status: number; readonly message: string } | null> {
    const { status, body } = await this.#send("POST", callPath(sid), new URLSearchParams({ Twiml: twiml }));
    if (status === 200) return null;
    return { status, message: typeof body["message"] === "string" ? body["message"] : `HTTP status ${status}` };
  }

  /** Null when Twilio does not know the call. */
  async fetchCall(sid: string): Promise<ListedCall | null> {
    const { status, body } = await this.#send("GET", callPath(sid));
    if (status === 404) return null;
    return requireOk(status, () => readCall(body));
  }

  /** Calls to and from these numbers since the day of the given time, newest first. */
  async listCalls(to: string, from: string, sinceMs: number): Promise<readonly ListedCall[]> {
    const day = new Date(sinceMs).toISOString().slice(0, 10);
    const query = new URLSearchParams({ To: to, From: from, "StartTime>": day, PageSize: String(PAGE_SIZE) });
    const { status, body } = await this.#send("GET", `/Calls.json?${query}`);
    return requireOk(status, () => {
      const calls = Array.isArray(body["calls"]) ? body["calls"] : [];
      return calls.flatMap((call: unknown) => readCall(objectOf(call)) ?? []);
    });
  }

  /** The URLs that Twilio requested for a call, among them its status callbacks. */
  async requestedUrls(sid: string): Promise<readonly string[]> {
    const { status, body } = await this.#send("GET", `/Calls/${encodeURIComponent(sid)}/Events.json`);
    return requireOk(status, () => {
      const events = Array.isArray(body["events"]) ? body["events"] : [];
      return events.flatMap((event: unknown) => {
        const { url } = objectOf(objectOf(event)["request"]);
        return typeof url === "string" ? [url] : [];
      });
    });
  }

  /** Whether the credentials are right, and what Twilio says about the account. */
  async fetchAccount(): Promise<{ readonly status: number; readonly accountStatus: string | null }> {
    const { status, body } = await this.#send("GET", ".json");
    return { status, accountStatus: typeof body["status"] === "string" ? body["status"] : null };
  }

  /** Whether calls may show a number: one of the account, or one that it has verified. */
  async mayShow(number: string): Promise<boolean> {
    const query = new URLSearchParams({ PhoneNumber: number, PageSize: "1" });
    for (const [list, key] of NUMBER_LISTS) {
      const { status, body } = await this.#send("GET", `/${list}.json?${query}`);
      const found = requireOk(status, () => body[key]);
      if (Array.isArray(found) && found.length > 0) return true;
    }
    return false;
  }

  close(): void {
    this.#http.close();
  }

  #send(method: "GET" | "POST", path: string, form?: URLSearchParams, limitMs?: number): Promise<VendorReply> {
    const url = new URL(`/2010-04-01/Accounts/${encodeURIComponent(this.#options.accountSid)}${path}`, this.#base);
    const { accountSid, authToken } = this.#options;
    const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;
    const limit = limitMs === undefined ? {} : { limitMs };
    if (form === undefined) return this.#http.send({ method, url, headers: { authorization }, ...limit });
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
    return this.#http.send({ method, url, headers, body: form.toString(), ...limit });
  }
}

function readCall(body: Readonly<Record<string, unknown>>): ListedCall | null {
  const { sid, to, from, status, date_created: createdAt } = body;
  if (typeof sid !== "string" || typeof status !== "string") return null;
  const createdAtMs = typeof createdAt === "string" ? Date.parse(createdAt) : Number.NaN;
  return { sid, to: String(to), from: String(from), status, createdAtMs };
}

function requireOk<Value>(status: number, read: () => Value): Value {
  if (status !== 200) throw new Error(`Twilio replied with HTTP status ${status}`);
  return read();
}

function callPath(sid: string): string {
  return `/Calls/${encodeURIComponent(sid)}.json`;
}
