import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Clock } from "@parley/time/clock";

export interface TwilioRestOptions {
  readonly clock: Clock;
  readonly accountSid: string;
  readonly authToken: string;
  /** Twilio's own host by default. The auth token is sent there and nowhere else. */
  readonly baseUrl?: string;
}

export interface CreateCall {
  readonly to: string;
  readonly from: string;
  readonly twiml: string;
  readonly statusUrl: string;
  readonly ringTimeoutS: number;
}

/**
 * What is known after a request to create a call. `unknown` may have rung a phone: the reply was lost, came too late, made no
 * sense, or was a 5xx, which Twilio also sends after it has dialed.
 */
export type CreateOutcome =
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
const REQUEST_MAX_MS = 8_000;
const REPLY_MAX_BYTES = 1_048_576;
/** Twilio's error for a change to a call that is over. */
const NOT_IN_PROGRESS = 21_220;
const PAGE_SIZE = 100;

interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfterS: number | null;
}

/** The part of Twilio's REST API that calls need. Nothing is retried here, and redirects are not followed. */
export class TwilioRest {
  readonly #options: TwilioRestOptions;
  readonly #base: URL;
  readonly #authorization: string;
  readonly #open = new Set<() => void>();

  constructor(options: TwilioRestOptions) {
    this.#options = options;
    this.#base = new URL(options.baseUrl ?? "https://api.twilio.com");
    const credentials = Buffer.from(`${options.accountSid}:${options.authToken}`).toString("base64");
    this.#authorization = `Basic ${credentials}`;
  }

  get openRequests(): number {
    return this.#open.size;
  }

  /** Sends the request exactly once, on a connection of its own: one that is reused may break and be retried. */
  async createCall({ to, from, twiml, statusUrl, ringTimeoutS }: CreateCall): Promise<CreateOutcome> {
    const form = new URLSearchParams({ To: to, From: from, Twiml: twiml, Timeout: String(ringTimeoutS) });
    form.append("StatusCallback", statusUrl);
    form.append("StatusCallbackMethod", "POST");
    for (const event of ["initiated", "ringing", "answered", "completed"]) form.append("StatusCallbackEvent", event);
    let reply: Reply;
    try {
      reply = await this.#send("POST", "/Calls.json", form, CREATE_MAX_MS);
    } catch (error) {
      return { type: "unknown", reason: error instanceof Error ? error.message : String(error) };
    }
    const { status, body } = reply;
    const { sid, code, message } = body;
    if (status === 201 && typeof sid === "string") return { type: "created", sid };
    // 408 says that Twilio did not wait for all of our request, or that something behind it did not wait for Twilio.
    if (status >= 400 && status < 500 && status !== 408) {
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
      return calls.flatMap((call: unknown) => readCall(asObject(call)) ?? []);
    });
  }

  /** The URLs that Twilio requested for a call, among them its status callbacks. */
  async requestedUrls(sid: string): Promise<readonly string[]> {
    const { status, body } = await this.#send("GET", `/Calls/${encodeURIComponent(sid)}/Events.json`);
    return requireOk(status, () => {
      const events = Array.isArray(body["events"]) ? body["events"] : [];
      return events.flatMap((event: unknown) => {
        const { url } = asObject(asObject(event)["request"]);
        return typeof url === "string" ? [url] : [];
      });
    });
  }

  /** Whether the credentials are right, and what Twilio says about the account. */
  async fetchAccount(): Promise<{ readonly status: number; readonly accountStatus: string | null }> {
    const { status, body } = await this.#send("GET", ".json");
    return { status, accountStatus: typeof body["status"] === "string" ? body["status"] : null };
  }

  /** Breaks off what is still in progress. */
  close(): void {
    for (const abort of [...this.#open]) abort();
  }

  #send(method: "GET" | "POST", path: string, form?: URLSearchParams, limitMs = REQUEST_MAX_MS): Promise<Reply> {
    const { clock, accountSid } = this.#options;
    const url = new URL(`/2010-04-01/Accounts/${encodeURIComponent(accountSid)}${path}`, this.#base);
    const body = form?.toString() ?? "";
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const send = url.protocol === "http:" ? requestHttp : requestHttps;
    const request = send(url, {
      method,
      agent: false,
      headers: {
        authorization: this.#authorization,
        accept: "application/json",
        ...(form === undefined
          ? {}
          : { "content-type": "application/x-www-form-urlencoded", "content-length": Buffer.byteLength(body) }),
      },
    });
    const abort = (reason: string) => {
      // The request may have settled already; then this changes nothing.
      request.destroy();
      reject(new Error(reason));
    };
    const cancelTimer = clock.setTimer(limitMs, () => abort("Twilio did not reply in time"));
    const abortOnClose = () => abort("The carrier is closed");
    this.#open.add(abortOnClose);
    request.on("response", (response) => readReply(response).then(resolve, reject));
    request.on("error", (error) => reject(new Error(`The connection to Twilio failed: ${error.message}`)));
    request.end(body);
    return promise.finally(() => {
      cancelTimer();
      this.#open.delete(abortOnClose);
    });
  }
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > REPLY_MAX_BYTES) throw new Error("Twilio's reply is too long");
    chunks.push(chunk);
  }
  const retryAfter = Number(response.headers["retry-after"] ?? Number.NaN);
  return {
    status: response.statusCode ?? 0,
    body: parseBody(Buffer.concat(chunks).toString("utf8")),
    retryAfterS: Number.isFinite(retryAfter) ? retryAfter : null,
  };
}

/** A reply that is not JSON has no fields. */
function parseBody(text: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return {};
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

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
