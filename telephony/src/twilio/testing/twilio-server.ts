import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "@parley/time/clock";
import type { CallLeg, Carrier, LegEnd, LegEvent, SimulatedCalleePlan } from "../../carrier.ts";
import { AudioTick } from "../../simulated-network/audio/audio-tick.ts";
import { createCountingClock } from "../../sip-carrier/counting-clock.ts";
import type { CreateFault } from "../../stream-carrier/testing/create-fault.ts";
import { StreamClient, type StreamFaults, type StreamWire } from "../../stream-carrier/testing/stream-client.ts";
import { signTwilioRequest } from "../twilio-signature.ts";
import { parseTwiml, type TwimlVerb } from "./parse-twiml.ts";

export interface TwilioServerOptions {
  readonly clock: Clock;
  readonly accountSid: string;
  readonly authToken: string;
  /** The phones. Every call of the stand-in is a leg here, named by its call SID. */
  readonly network: Carrier;
  /** What a simulated callee does. */
  readonly planOf?: (to: string) => SimulatedCalleePlan | undefined;
  readonly faults?: TwilioFaults;
  /** The numbers of the account, and those that it has verified. */
  readonly numbers?: { readonly own: readonly string[]; readonly verified: readonly string[] };
}

export interface TwilioFaults {
  /** Asked for each request to create a call. */
  onCreate?: (to: string, ordinal: number) => CreateFault | null;
  /** Asked for each request to change what a call does. */
  onTransfer?: () => "drop_request" | "drop_reply" | null;
  callbacks?: "in_order" | "twice" | "swapped" | "never";
  streams?: StreamFaults;
  /** Whether `Events` shows the callbacks of a call. */
  hidesEvents?: boolean;
}

/** A call as the stand-in knows it. */
export interface StandInCall {
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly statusUrl: string | null;
  readonly parentSid: string | null;
  readonly createdAt: Date;
  status: string;
  timesRung: number;
  answeredAtMs: number | null;
  endedAtMs: number | null;
}

interface RunningCall extends StandInCall {
  readonly statusEvents: readonly string[];
  readonly requests: { readonly url: string; readonly status: number }[];
  leg: CallLeg | null;
  stream: StreamClient | null;
  child: RunningCall | null;
  verbs: readonly TwimlVerb[];
  sequence: number;
  isEndedByApi: boolean;
  callbacks: Promise<void>;
  held: (() => Promise<void>) | null;
}

const FINAL = new Set(["completed", "busy", "no-answer", "failed", "canceled"]);
const STATUS_EVENT: Readonly<Record<string, string>> = {
  initiated: "initiated",
  ringing: "ringing",
  "in-progress": "answered",
};

/**
 * A server that speaks Twilio's REST API for calls, its signed status callbacks, the TwiML that we use, and Media Streams. Behind
 * it is any carrier of ours, such as the simulated network.
 */
export class TwilioServer {
  readonly faults: TwilioFaults;
  /** Everything that was sent to create a call, whatever became of it. */
  createRequests = 0;
  readonly hostsSeen = new Set<string>();
  readonly #options: TwilioServerOptions;
  readonly #clock: ReturnType<typeof createCountingClock>;
  readonly #tick: AudioTick;
  readonly #server: Server;
  readonly #calls = new Map<string, RunningCall>();
  #callbacksInFlight = 0;
  #isClosed = false;

  constructor(options: TwilioServerOptions) {
    this.#options = options;
    this.faults = options.faults ?? {};
    this.#clock = createCountingClock(options.clock);
    this.#tick = new AudioTick(this.#clock);
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  static async open(options: TwilioServerOptions): Promise<TwilioServer> {
    const server = new TwilioServer(options);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get calls(): readonly StandInCall[] {
    return [...this.#calls.values()];
  }

  /** Whether every callback was delivered. */
  get isIdle(): boolean {
    return this.#callbacksInFlight === 0;
  }

  /** Breaks the stream of a call, as a failing network does. */
  cutStream(sid: string): void {
    this.#calls.get(sid)?.stream?.cut();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#calls.values()) {
      call.stream?.close();
      await call.leg?.hangup();
    }
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { accountSid, authToken } = this.#options;
    this.hostsSeen.add(request.headers.host ?? "");
    const url = new URL(request.url ?? "/", this.url);
    const form = new URLSearchParams(await readBody(request));
    const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;
    if (request.headers.authorization !== expected) {
      return reply(response, 401, { code: 20_003, message: "Authenticate", more_info: "", status: 401 });
    }
    const base = `/2010-04-01/Accounts/${accountSid}`;
    if (!url.pathname.startsWith(base)) return notFound(response);
    const path = url.pathname.slice(base.length);
    if (path === ".json" && request.method === "GET") {
      return reply(response, 200, { sid: accountSid, status: "active", friendly_name: "Stand-in", type: "Full" });
    }
    const asked = url.searchParams.get("PhoneNumber");
    if (path === "/IncomingPhoneNumbers.json") return this.#listNumbers("incoming_phone_numbers", asked, response);
    if (path === "/OutgoingCallerIds.json") return this.#listNumbers("outgoing_caller_ids", asked, response);
    if (path === "/Calls.json") {
      return request.method === "POST" ? this.#create(form, response) : this.#list(url.searchParams, response);
    }
    const [, sid = "", isEvents] = /^\/Calls\/(CA[0-9a-f]{32})(\/Events)?\.json$/.exec(path) ?? [];
    const call = this.#calls.get(sid);
    if (call === undefined) return notFound(response);
    if (isEvents !== undefined) return reply(response, 200, this.#eventsOf(call));
    if (request.method === "POST") return this.#update(call, form, response);
    reply(response, 200, this.#describe(call));
  }

  #listNumbers(
    key: "incoming_phone_numbers" | "outgoing_caller_ids",
    asked: string | null,
    response: ServerResponse,
  ): void {
    const { own, verified } = this.#options.numbers ?? { own: [], verified: [] };
    const numbers = (key === "incoming_phone_numbers" ? own : verified).filter(
      (number) => (asked ?? number) === number,
    );
    const items = numbers.map((number) => ({
      sid: `PN${"0".repeat(32)}`,
      phone_number: number,
      friendly_name: number,
    }));
    reply(response, 200, { [key]: items, page: 0, page_size: 50, first_page_uri: "", next_page_uri: null });
  }

  async #create(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const [to, from, twiml] = [form.get("To"), form.get("From"), form.get("Twiml")];
    this.createRequests += 1;
    const fault = this.faults.onCreate?.(to ?? "", this.createRequests) ?? null;
    if (fault === "drop_request") return void response.destroy();
    if (fault === "error_before_dial")
      return reply(response, 500, { code: 20_500, message: "Internal Server Error", status: 500 });
    if (fault === "too_many_requests") {
      return reply(response, 429, { code: 20_429, message: "Too Many Requests", status: 429 }, { "retry-after": "1" });
    }
    if (to === null || !/^\+[1-9]\d{6,14}$/.test(to)) {
      return reply(response, 400, { code: 21_211, message: `Invalid 'To' Phone Number: ${to}`, status: 400 });
    }
    if (from === null)
      return reply(response, 400, { code: 21_213, message: "A 'From' phone number is required.", status: 400 });
    if (twiml === null)
      return reply(response, 400, { code: 21_205, message: "Url parameter is required.", status: 400 });
    const events = form.getAll("StatusCallbackEvent");
    const call = this.#addCall(to, from, form.get("StatusCallback"), events, null);
    call.verbs = parseTwiml(twiml);
    await this.#dial(call, Number(form.get("Timeout") ?? "60"), (event) => this.#followParent(call, event));
    if (fault === "drop_reply") return void response.destroy();
    if (fault === "error_after_dial")
      return reply(response, 500, { code: 20_500, message: "Internal Server Error", status: 500 });
    if (fault === "malformed_reply") return void response.writeHead(201).end("<html>");
    if (fault !== null) await new Promise<void>((resolve) => this.#clock.setTimer(fault.lateReplyMs, resolve));
    reply(response, 201, this.#describe(call, "queued"));
  }

  #addCall(
    to: string,
    from: string,
    statusUrl: string | null,
    events: readonly string[],
    parentSid: string | null,
  ): RunningCall {
    const call: RunningCall = {
      sid: `CA${randomBytes(16).toString("hex")}`,
      to,
      from,
      statusUrl,
      parentSid,
      createdAt: new Date(this.#clock.now()),
      status: "queued",
      timesRung: 0,
      answeredAtMs: null,
      endedAtMs: null,
      statusEvents: events,
      requests: [],
      leg: null,
      stream: null,
      child: null,
      verbs: [],
      sequence: 0,
      isEndedByApi: false,
      callbacks: Promise.resolve(),
      held: null,
    };
    this.#calls.set(call.sid, call);
    return call;
  }

  async #dial(call: RunningCall, timeoutS: number, follow: (event: LegEvent) => void): Promise<void> {
    const { network, planOf } = this.#options;
    const simulation = planOf?.(call.to);
    call.leg = await network.place({
      callId: call.sid,
      dialId: call.sid,
      to: call.to,
      from: call.from,
      ringTimeoutMs: timeoutS * 1_000,
      ...(simulation === undefined ? {} : { simulation }),
    });
    this.#enter(call, "initiated");
    call.leg.onEvent((event) => {
      if (event.type === "ringing") {
        call.timesRung += 1;
        this.#enter(call, "ringing");
      }
      if (event.type === "answered") {
        call.answeredAtMs = this.#clock.now();
        this.#enter(call, "in-progress");
      }
      if (event.type === "ended") this.#finish(call, event);
      follow(event);
    });
  }

  #followParent(call: RunningCall, event: LegEvent): void {
    if (event.type === "answered") this.#execute(call);
    if (event.type === "dtmf") call.stream?.press(event.key);
  }

  /** Runs the next verb of the call's TwiML; without one the call is over. */
  #execute(call: RunningCall): void {
    const [verb, ...others] = call.verbs;
    call.verbs = others;
    if (FINAL.has(call.status) || call.leg === null) return;
    if (verb?.type === "stream") {
      call.stream = new StreamClient({
        clock: this.#clock,
        tick: this.#tick,
        leg: call.leg,
        url: verb.url,
        wire: this.#wireOf(call, verb),
        faults: this.faults.streams ?? {},
        onClosed: (stream) => {
          if (call.stream !== stream) return;
          call.stream = null;
          this.#execute(call);
        },
      });
    } else if (verb?.type === "dial") void this.#dialParty(call, verb).catch(() => undefined);
    else void call.leg.hangup();
  }

  #wireOf(call: RunningCall, { url, parameters }: Extract<TwimlVerb, { type: "stream" }>): StreamWire {
    const { accountSid, authToken } = this.#options;
    const streamSid = `MZ${randomBytes(16).toString("hex")}`;
    const ids = { accountSid, callSid: call.sid };
    const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 };
    return {
      headers: { "x-twilio-signature": signTwilioRequest(authToken, url, {}) },
      connected: { event: "connected", protocol: "Call", version: "1.0.0" },
      start: { streamSid, ...ids, tracks: ["inbound"], customParameters: parameters, mediaFormat },
      stop: ids,
      dtmf: (digit) => ({ dtmf: { track: "inbound_track", digit } }),
      message: (event, sequence, content) => ({ event, sequenceNumber: String(sequence), streamSid, ...content }),
      isBidirectional: true,
    };
  }

  async #dialParty(call: RunningCall, verb: Extract<TwimlVerb, { type: "dial" }>): Promise<void> {
    const child = this.#addCall(verb.to, verb.callerId ?? call.from, verb.statusUrl, verb.statusEvents, call.sid);
    call.child = child;
    await this.#dial(child, verb.timeoutS, (event) => {
      if (event.type === "ended") void this.#dialEnded(call, child, verb.actionUrl).catch(() => undefined);
    });
  }

  async #dialEnded(call: RunningCall, child: RunningCall, actionUrl: string | null): Promise<void> {
    call.child = null;
    if (FINAL.has(call.status)) return;
    await child.callbacks;
    if (actionUrl !== null) {
      const form = { ...this.#parametersOf(call), DialCallSid: child.sid, DialCallStatus: child.status };
      call.verbs = parseTwiml((await this.#post(call, actionUrl, form)).body);
    }
    this.#execute(call);
  }

  async #update(call: RunningCall, form: URLSearchParams, response: ServerResponse): Promise<void> {
    if (FINAL.has(call.status)) {
      return reply(response, 400, { code: 21_220, message: "Call is not in-progress. Cannot redirect.", status: 400 });
    }
    const twiml = form.get("Twiml");
    if (twiml !== null) {
      const fault = this.faults.onTransfer?.() ?? null;
      if (fault === "drop_request") return void response.destroy();
      const stream = call.stream;
      call.stream = null;
      call.verbs = parseTwiml(twiml);
      stream?.stop();
      this.#execute(call);
      if (fault === "drop_reply") return void response.destroy();
    } else if (form.get("Status") === "completed" || form.get("Status") === "canceled") {
      call.isEndedByApi = true;
      await call.leg?.hangup();
    }
    reply(response, 200, this.#describe(call));
  }

  #finish(call: RunningCall, end: LegEnd): void {
    call.endedAtMs = this.#clock.now();
    call.stream?.stop();
    call.stream = null;
    void call.child?.leg?.hangup();
    const sipCode = end.code === null ? {} : { SipResponseCode: String(end.code) };
    this.#enter(call, finalStatus(call, end), sipCode);
  }

  #enter(call: RunningCall, status: string, more: Readonly<Record<string, string>> = {}): void {
    if (FINAL.has(call.status)) return;
    call.status = status;
    const event = FINAL.has(status) ? "completed" : (STATUS_EVENT[status] ?? status);
    const { callbacks: how = "in_order" } = this.faults;
    if (call.statusUrl === null || !call.statusEvents.includes(event) || how === "never") return;
    const url = call.statusUrl;
    const form = { ...this.#parametersOf(call), ...more, SequenceNumber: String(call.sequence) };
    call.sequence += 1;
    const send = async () => {
      await this.#post(call, url, form);
      if (how === "twice") await this.#post(call, url, form);
    };
    this.#queue(call, send, how === "swapped" && !FINAL.has(status));
  }

  /** With `isHeld`, the callback waits until the next one was sent. */
  #queue(call: RunningCall, send: () => Promise<void>, isHeld: boolean): void {
    const held = call.held;
    call.held = isHeld && held === null ? send : null;
    if (call.held !== null) return;
    this.#callbacksInFlight += 1;
    call.callbacks = call.callbacks
      .then(send)
      .then(() => held?.())
      // A callback that cannot be delivered is lost, as it is at Twilio after a retry.
      .catch(() => undefined)
      .finally(() => {
        this.#callbacksInFlight -= 1;
      });
  }

  #parametersOf(call: RunningCall): Record<string, string> {
    const parent = call.parentSid === null ? {} : { ParentCallSid: call.parentSid };
    const duration =
      call.answeredAtMs === null || call.endedAtMs === null ? {} : { CallDuration: this.#durationS(call) };
    return {
      AccountSid: this.#options.accountSid,
      ApiVersion: "2010-04-01",
      CallSid: call.sid,
      CallStatus: call.status,
      CallbackSource: "call-progress-events",
      Direction: call.parentSid === null ? "outbound-api" : "outbound-dial",
      From: call.from,
      To: call.to,
      Timestamp: new Date(this.#clock.now()).toUTCString(),
      ...parent,
      ...duration,
    };
  }

  #durationS({ answeredAtMs, endedAtMs }: RunningCall): string {
    return String(Math.ceil(((endedAtMs ?? 0) - (answeredAtMs ?? 0)) / 1_000));
  }

  async #post(call: RunningCall, url: string, form: Record<string, string>): Promise<{ status: number; body: string }> {
    if (this.#isClosed) return { status: 0, body: "" };
    const body = new URLSearchParams(form).toString();
    const request = requestHttp(url, {
      method: "POST",
      agent: false,
      headers: {
        "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
        "content-length": Buffer.byteLength(body),
        "user-agent": "TwilioProxy/1.1",
        "x-twilio-signature": signTwilioRequest(this.#options.authToken, url, form),
      },
    });
    request.end(body);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const answer = { status: response.statusCode ?? 0, body: await readBody(response) };
    call.requests.push({ url, status: answer.status });
    return answer;
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const since = query.get("StartTime>");
    const wanted = [...this.#calls.values()].filter(
      ({ to, from, status, createdAt }) =>
        (query.get("To") ?? to) === to &&
        (query.get("From") ?? from) === from &&
        (query.get("Status") ?? status) === status &&
        (since === null || createdAt.getTime() >= Date.parse(since)),
    );
    const size = Number(query.get("PageSize") ?? "50");
    const uri = `/2010-04-01/Accounts/${this.#options.accountSid}/Calls.json?${query}`;
    reply(response, 200, {
      calls: wanted
        .reverse()
        .slice(0, size)
        .map((call) => this.#describe(call)),
      page: 0,
      page_size: size,
      start: 0,
      end: Math.min(size, wanted.length),
      uri,
      first_page_uri: uri,
      next_page_uri: null,
      previous_page_uri: null,
    });
  }

  #eventsOf(call: RunningCall): object {
    const requests = this.faults.hidesEvents === true ? [] : call.requests;
    const events = requests.map(({ url, status }) => ({
      request: { method: "POST", url, parameters: {} },
      response: { response_code: status, request_duration: 5, date_created: call.createdAt.toUTCString() },
    }));
    const uri = `/2010-04-01/Accounts/${this.#options.accountSid}/Calls/${call.sid}/Events.json`;
    const pages = { page: 0, page_size: 50, start: 0, end: events.length, uri, first_page_uri: uri };
    return { events, ...pages, next_page_uri: null, previous_page_uri: null };
  }

  #describe(call: RunningCall, status = call.status): object {
    const { accountSid } = this.#options;
    const uri = `/2010-04-01/Accounts/${accountSid}/Calls/${call.sid}`;
    return {
      sid: call.sid,
      account_sid: accountSid,
      parent_call_sid: call.parentSid,
      to: call.to,
      to_formatted: call.to,
      from: call.from,
      from_formatted: call.from,
      phone_number_sid: null,
      status: status === "initiated" ? "queued" : status,
      date_created: call.createdAt.toUTCString(),
      date_updated: new Date(this.#clock.now()).toUTCString(),
      start_time: call.answeredAtMs === null ? null : new Date(call.answeredAtMs).toUTCString(),
      end_time: call.endedAtMs === null ? null : new Date(call.endedAtMs).toUTCString(),
      duration: call.answeredAtMs === null || call.endedAtMs === null ? null : this.#durationS(call),
      price: null,
      price_unit: "USD",
      direction: call.parentSid === null ? "outbound-api" : "outbound-dial",
      answered_by: null,
      api_version: "2010-04-01",
      forwarded_from: null,
      group_sid: null,
      caller_name: null,
      queue_time: "0",
      trunk_sid: null,
      uri: `${uri}.json`,
      subresource_uris: { events: `${uri}/Events.json` },
    };
  }
}

function finalStatus(call: RunningCall, { cause }: LegEnd): string {
  if (call.answeredAtMs !== null) return "completed";
  if (call.isEndedByApi || cause === "canceled") return "canceled";
  if (cause === "busy" || cause === "declined") return "busy";
  return cause === "no_answer" ? "no-answer" : "failed";
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function reply(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

function notFound(response: ServerResponse): void {
  reply(response, 404, { code: 20_404, message: "The requested resource was not found", more_info: "", status: 404 });
}
