import { createPublicKey, type KeyObject, randomBytes, randomUUID, sign } from "node:crypto";
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
import { parseObject } from "../../stream-carrier/stream-message.ts";
import type { CreateFault } from "../../stream-carrier/testing/create-fault.ts";
import { StreamClient, type StreamFaults, type StreamWire } from "../../stream-carrier/testing/stream-client.ts";

export interface TelnyxServerOptions {
  readonly clock: Clock;
  readonly apiKey: string;
  /** Signs webhooks. */
  readonly privateKey: KeyObject;
  readonly connectionId: string;
  /** The phones. Every call of the stand-in is a leg here, named by its leg id. */
  readonly network: Carrier;
  /** What a simulated callee does. */
  readonly planOf?: (to: string) => SimulatedCalleePlan | undefined;
  readonly faults?: TelnyxFaults;
  /** As the application with the connection id is set up. */
  readonly application?: {
    readonly active?: boolean;
    readonly profileId?: string | null;
    readonly webhooks?: "1" | "2";
  };
  /** What calls may show. It is only looked up; calls may show anything. */
  readonly numbers?: { readonly own?: readonly string[]; readonly verified?: readonly string[] };
}

export interface TelnyxFaults {
  /** Asked for each request to create a call. */
  onCreate?: (to: string, ordinal: number) => CreateFault | null;
  /** Asked for each request to transfer a call. */
  onTransfer?: () => "drop_request" | "drop_reply" | null;
  webhooks?: "in_order" | "twice" | "swapped" | "never";
  streams?: StreamFaults;
  /** Whether the list of active calls leaves calls out. */
  hidesCalls?: boolean;
  /** How far the stand-in's clock is ahead. */
  clockAheadS?: number;
}

/** A call as the stand-in knows it. */
export interface TelnyxStandInCall {
  readonly controlId: string;
  readonly legId: string;
  readonly to: string;
  readonly from: string;
  readonly clientState: string | null;
  readonly webhookUrl: string | null;
  readonly startedAtMs: number;
  timesRung: number;
  isAnswered: boolean;
  endedAtMs: number | null;
}

interface RunningCall extends TelnyxStandInCall {
  readonly sessionId: string;
  /** For a transferred call: the call that it was transferred from. */
  readonly parent: RunningCall | null;
  leg: CallLeg | null;
  stream: StreamClient | null;
  party: RunningCall | null;
  isEndedByApi: boolean;
  webhooks: Promise<void>;
  held: (() => Promise<void>) | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** How long a repeated command is recognized. */
const COMMANDS_REMEMBERED_MS = 60_000;

/**
 * A server that speaks Telnyx's Call Control API, its signed webhooks and its media streaming. Behind it is any carrier of
 * ours, such as the simulated network.
 */
export class TelnyxServer {
  readonly faults: TelnyxFaults;
  /** Everything that was sent to create a call, whatever became of it. */
  createRequests = 0;
  /** The names of the requests to create a call. */
  readonly commandIds: unknown[] = [];
  /** Where the streams of calls were to connect, whether or not they did. */
  readonly streamUrls: string[] = [];
  readonly #options: TelnyxServerOptions;
  readonly #clock: ReturnType<typeof createCountingClock>;
  readonly #tick: AudioTick;
  readonly #server: Server;
  readonly #calls = new Map<string, RunningCall>();
  readonly #commands = new Map<string, { readonly atMs: number; readonly call: RunningCall }>();
  readonly #userId = randomUUID();
  #webhooksInFlight = 0;
  #isClosed = false;

  private constructor(options: TelnyxServerOptions) {
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

  static async open(options: TelnyxServerOptions): Promise<TelnyxServer> {
    const server = new TelnyxServer(options);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  /** As Telnyx's own `https://api.telnyx.com/v2`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v2`;
  }

  get calls(): readonly TelnyxStandInCall[] {
    return [...this.#calls.values()];
  }

  /** Whether every webhook was delivered. */
  get isIdle(): boolean {
    return this.#webhooksInFlight === 0;
  }

  /** Breaks the stream of a call, as a failing network does. */
  cutStream(controlId: string): void {
    this.#calls.get(controlId)?.stream?.cut();
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
    const url = new URL(request.url ?? "/", this.url);
    const fields = parseObject(await readBody(request));
    if (request.headers.authorization !== `Bearer ${this.#options.apiKey}`) {
      return refuse(response, 401, "10009", "Authentication failed", "The API key could not be validated.");
    }
    const path = url.pathname.replace(/^\/v2/, "");
    if (request.method === "POST" && path === "/calls") return this.#create(fields, response);
    const [, connectionId] = /^\/connections\/([^/]+)\/active_calls$/.exec(path) ?? [];
    if (connectionId !== undefined) return this.#list(connectionId, url.searchParams, response);
    if (request.method === "GET" && this.#describeAccount(path, url.searchParams, response)) return;
    const [, controlId = "", action] = /^\/calls\/([^/]+)(?:\/actions\/(\w+))?$/.exec(path) ?? [];
    const call = this.#calls.get(decodeURIComponent(controlId));
    if (call === undefined) return refuse(response, 404, "10005", "Resource not found", "The call does not exist.");
    if (action === undefined) return reply(response, 200, { data: this.#describe(call) });
    if (call.endedAtMs !== null) {
      return refuse(response, 422, "90018", "Call has already ended", "This call is no longer active.");
    }
    await this.#act(call, action, fields, response);
  }

  async #create(fields: Fields, response: ServerResponse): Promise<void> {
    const { to, from, command_id: commandId, connection_id: connectionId } = fields;
    this.createRequests += 1;
    this.commandIds.push(commandId);
    const fault = this.faults.onCreate?.(String(to), this.createRequests) ?? null;
    if (fault === "drop_request") return void response.destroy();
    if (fault === "error_before_dial") return refuse(response, 500, "10007", "Unexpected error", "Try again.");
    if (fault === "too_many_requests") {
      return refuse(response, 429, "10011", "Too many requests", "Slow down.", { "retry-after": "1" });
    }
    if (connectionId !== this.#options.connectionId) {
      return refuse(response, 422, "10015", "Bad Request", "The connection_id is not a valid Call Control App.");
    }
    if (typeof to !== "string" || !/^\+[1-9]\d{6,14}$/.test(to)) {
      return refuse(response, 422, "10016", "Phone number must be in +E.164 format", `Invalid 'to': ${to}`);
    }
    if (typeof from !== "string") return refuse(response, 422, "10004", "Missing required parameter", "from");
    const repeated = typeof commandId === "string" ? this.#commands.get(commandId) : undefined;
    if (repeated !== undefined && this.#clock.now() - repeated.atMs < COMMANDS_REMEMBERED_MS) {
      return reply(response, 200, { data: this.#describe(repeated.call) });
    }
    const call = this.#addCall(to, from, fields, null);
    if (typeof commandId === "string") this.#commands.set(commandId, { atMs: this.#clock.now(), call });
    await this.#dial(call, Number(fields["timeout_secs"] ?? 30), (event) => {
      if (event.type === "answered") this.#startStream(call, fields);
      if (event.type === "dtmf") this.#press(call, event.key);
    });
    if (fault === "drop_reply") return void response.destroy();
    if (fault === "error_after_dial") return refuse(response, 500, "10007", "Unexpected error", "Try again.");
    if (fault === "malformed_reply") return void response.writeHead(200).end("<html>");
    if (fault !== null) await new Promise<void>((resolve) => this.#clock.setTimer(fault.lateReplyMs, resolve));
    reply(response, 200, { data: this.#describe(call) });
  }

  #addCall(to: string, from: string, fields: Fields, parent: RunningCall | null): RunningCall {
    const { client_state: state, target_leg_client_state: targetState, webhook_url: webhookUrl } = fields;
    const clientState = parent === null ? state : targetState;
    const call: RunningCall = {
      controlId: `v3:${randomBytes(24).toString("base64url")}`,
      legId: randomUUID(),
      sessionId: parent?.sessionId ?? randomUUID(),
      to,
      from,
      clientState: typeof clientState === "string" ? clientState : null,
      webhookUrl: typeof webhookUrl === "string" ? webhookUrl : null,
      parent,
      startedAtMs: this.#clock.now(),
      timesRung: 0,
      isAnswered: false,
      endedAtMs: null,
      leg: null,
      stream: null,
      party: null,
      isEndedByApi: false,
      webhooks: Promise.resolve(),
      held: null,
    };
    this.#calls.set(call.controlId, call);
    return call;
  }

  async #dial(call: RunningCall, timeoutS: number, follow: (event: LegEvent) => void): Promise<void> {
    const { network, planOf } = this.#options;
    const simulation = planOf?.(call.to);
    call.leg = await network.place({
      callId: call.legId,
      dialId: call.legId,
      to: call.to,
      from: call.from,
      ringTimeoutMs: timeoutS * 1_000,
      ...(simulation === undefined ? {} : { simulation }),
    });
    this.#report(call, "call.initiated", { direction: "outgoing", state: "bridging" });
    call.leg.onEvent((event) => {
      if (event.type === "ringing") call.timesRung += 1;
      if (event.type === "answered") {
        call.isAnswered = true;
        this.#report(call, "call.answered", { state: "answered" });
      }
      if (event.type === "ended") this.#finish(call, event);
      follow(event);
    });
  }

  #startStream(call: RunningCall, fields: Fields): void {
    const { stream_url: url } = fields;
    if (typeof url !== "string" || call.leg === null || call.endedAtMs !== null) return;
    this.streamUrls.push(url);
    call.stream = new StreamClient({
      clock: this.#clock,
      tick: this.#tick,
      leg: call.leg,
      url,
      wire: this.#wireOf(call, fields),
      faults: this.faults.streams ?? {},
      // The call goes on without its stream.
      onClosed: (stream) => {
        if (call.stream !== stream) return;
        call.stream = null;
        if (call.endedAtMs === null) this.#report(call, "streaming.stopped", {});
      },
    });
    this.#report(call, "streaming.started", {});
  }

  #wireOf(call: RunningCall, fields: Fields): StreamWire {
    const streamId = randomUUID().toUpperCase();
    const ids = { user_id: this.#userId, call_control_id: call.controlId };
    const start = {
      ...ids,
      call_session_id: call.sessionId,
      from: call.from,
      to: call.to,
      client_state: call.clientState,
      media_format: { encoding: String(fields["stream_codec"] ?? "PCMA"), sample_rate: 8_000, channels: 1 },
    };
    return {
      headers: {},
      connected: { event: "connected", version: "1.0.0" },
      start,
      stop: ids,
      dtmf: (digit) => ({ occurred_at: this.#isoNow(), dtmf: { digit } }),
      message: (event, sequence, content) => ({
        event,
        sequence_number: String(sequence),
        stream_id: streamId,
        ...content,
      }),
      isBidirectional: fields["stream_bidirectional_mode"] === "rtp" && fields["stream_bidirectional_codec"] === "PCMU",
    };
  }

  #press(call: RunningCall, key: string): void {
    call.stream?.press(key);
    // Telnyx reports a key twice: on the stream and by a webhook.
    this.#report(call, "call.dtmf.received", { digit: key });
  }

  async #act(call: RunningCall, action: string, fields: Fields, response: ServerResponse): Promise<void> {
    const ok = () => reply(response, 200, { data: { result: "ok" } });
    if (action === "hangup") {
      call.isEndedByApi = true;
      await call.leg?.hangup();
      return ok();
    }
    if (action === "send_dtmf") {
      const { digits } = fields;
      if (typeof digits !== "string" || !/^[0-9A-DwW*#]+$/.test(digits)) {
        return refuse(response, 422, "10015", "Bad Request", "Invalid digits.");
      }
      call.leg?.sendDtmf(digits.replace(/w/gi, ""));
      return ok();
    }
    if (action === "streaming_start") {
      this.#startStream(call, fields);
      return ok();
    }
    if (action === "transfer" && typeof fields["to"] === "string") {
      const fault = this.faults.onTransfer?.() ?? null;
      if (fault === "drop_request") return void response.destroy();
      await this.#transfer(call, fields["to"], fields);
      if (fault === "drop_reply") return void response.destroy();
      return ok();
    }
    refuse(response, 404, "10005", "Resource not found", `Unknown action ${action}`);
  }

  async #transfer(call: RunningCall, to: string, fields: Fields): Promise<void> {
    const party = this.#addCall(to, String(fields["from"] ?? call.from), fields, call);
    call.party = party;
    await this.#dial(party, Number(fields["timeout_secs"] ?? 30), (event) => {
      if (event.type === "ended") {
        call.party = null;
        // Who was connected with the party is hung up with it.
        if (party.isAnswered) void call.leg?.hangup();
      }
      if (event.type !== "answered") return;
      this.#report(call, "call.bridged", {});
      this.#report(party, "call.bridged", {});
    });
  }

  #finish(call: RunningCall, end: LegEnd): void {
    call.endedAtMs = this.#clock.now();
    call.stream?.stop();
    call.stream = null;
    void call.party?.leg?.hangup();
    this.#report(call, "call.hangup", {
      state: "hangup",
      hangup_cause: hangupCause(call, end),
      hangup_source: call.isEndedByApi ? "caller" : end.by === "callee" ? "callee" : "unknown",
      sip_hangup_cause: call.isAnswered ? "200" : end.code === null ? "unspecified" : String(end.code),
      start_time: new Date(call.startedAtMs).toISOString(),
      end_time: this.#isoNow(),
    });
  }

  #report(call: RunningCall, eventType: string, more: Fields): void {
    const { webhooks: how = "in_order" } = this.faults;
    const url = call.webhookUrl;
    if (url === null || how === "never" || this.#isClosed) return;
    const data = {
      record_type: "event",
      event_type: eventType,
      id: randomUUID(),
      occurred_at: this.#isoNow(),
      payload: {
        call_control_id: call.controlId,
        call_leg_id: call.legId,
        call_session_id: call.sessionId,
        client_state: call.clientState,
        connection_id: this.#options.connectionId,
        from: call.from,
        to: call.to,
        ...more,
      },
    };
    const send = async (attempt: number) =>
      this.#post(url, JSON.stringify({ data, meta: { attempt, delivered_to: url } }));
    const deliver = async () => {
      await send(1);
      if (how === "twice") await send(2);
    };
    this.#queue(call, deliver, how === "swapped" && eventType !== "call.hangup");
  }

  /** With `isHeld`, the webhook waits until the next one was sent. */
  #queue(call: RunningCall, send: () => Promise<void>, isHeld: boolean): void {
    const held = call.held;
    call.held = isHeld && held === null ? send : null;
    if (call.held !== null) return;
    this.#webhooksInFlight += 1;
    call.webhooks = call.webhooks
      .then(send)
      .then(() => held?.())
      // A webhook that cannot be delivered is lost, as it is at Telnyx after some retries.
      .catch(() => undefined)
      .finally(() => {
        this.#webhooksInFlight -= 1;
      });
  }

  async #post(url: string, body: string): Promise<void> {
    if (this.#isClosed) return;
    const timestamp = String(Math.floor(this.#clock.now() / 1_000) + (this.faults.clockAheadS ?? 0));
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), this.#options.privateKey).toString("base64");
    const request = requestHttp(url, {
      method: "POST",
      agent: false,
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "telnyx-webhooks",
        "telnyx-signature-ed25519": signature,
        "telnyx-timestamp": timestamp,
      },
    });
    request.end(body);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    await readBody(response);
  }

  #list(connectionId: string, query: URLSearchParams, response: ServerResponse): void {
    if (connectionId !== this.#options.connectionId) {
      return refuse(response, 404, "10005", "Resource not found", "The connection does not exist.");
    }
    const size = Number(query.get("page[size]") ?? "20");
    const page = Number(query.get("page[number]") ?? "1");
    const active = [...this.#calls.values()].filter(({ endedAtMs }) => endedAtMs === null);
    const shown = this.faults.hidesCalls === true ? [] : active.slice((page - 1) * size, page * size);
    reply(response, 200, {
      data: shown.map((call) => ({
        call_control_id: call.controlId,
        call_leg_id: call.legId,
        call_session_id: call.sessionId,
        call_duration: Math.floor((this.#clock.now() - call.startedAtMs) / 1_000),
        client_state: call.clientState,
        record_type: "call",
      })),
      meta: { page_number: page, page_size: size, total_pages: Math.max(1, Math.ceil(active.length / size)) },
    });
  }

  /** False for what is not about the account. */
  #describeAccount(path: string, query: URLSearchParams, response: ServerResponse): boolean {
    const { connectionId, application = {}, numbers = {} } = this.#options;
    const missing = () => refuse(response, 404, "10005", "Resource not found", "The resource does not exist.");
    const [, list, wanted = ""] =
      /^\/(call_control_applications|phone_numbers|verified_numbers)(?:\/([^/]+))?$/.exec(path) ?? [];
    if (list === undefined) return false;
    const id = decodeURIComponent(wanted);
    if (list === "call_control_applications") {
      const { active = true, profileId = "1293384261075731461", webhooks = "2" } = application;
      const outbound = { channel_limit: null, outbound_voice_profile_id: profileId };
      const data = { record_type: "call_control_application", id, active, outbound, webhook_api_version: webhooks };
      if (id === connectionId) reply(response, 200, { data });
      else missing();
    } else if (list === "verified_numbers") {
      const data = { record_type: "verified_number", phone_number: id, verified_at: this.#isoNow() };
      if (numbers.verified?.includes(id) === true) reply(response, 200, { data });
      else missing();
    } else {
      const filter = query.get("filter[phone_number]") ?? "";
      // Anything but digits matches nothing.
      const found = (numbers.own ?? []).filter((number) => /^\d*$/.test(filter) && number.includes(filter));
      const data = found.map((number) => ({ record_type: "phone_number", phone_number: number, status: "active" }));
      reply(response, 200, { data, meta: { page_number: 1, total_pages: 1, total_results: data.length } });
    }
    return true;
  }

  #describe(call: RunningCall): object {
    const end = call.endedAtMs === null ? {} : { end_time: new Date(call.endedAtMs).toISOString() };
    return {
      record_type: "call",
      call_control_id: call.controlId,
      call_leg_id: call.legId,
      call_session_id: call.sessionId,
      is_alive: call.isAnswered && call.endedAtMs === null,
      client_state: call.clientState,
      start_time: new Date(call.startedAtMs).toISOString(),
      ...end,
    };
  }

  #isoNow(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

/** As an account shows it: 32 bytes in base64. */
export function publicKeyOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
}

function hangupCause(call: RunningCall, { cause }: LegEnd): string {
  if (call.isAnswered) return "normal_clearing";
  if (call.isEndedByApi || cause === "canceled") return "originator_cancel";
  if (cause === "busy") return "user_busy";
  if (cause === "declined") return "call_rejected";
  if (cause === "invalid_number") return "not_found";
  return cause === "no_answer" ? "no_answer" : "unspecified";
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function reply(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  title: string,
  detail: string,
  headers: Record<string, string> = {},
): void {
  reply(response, status, { errors: [{ code, title, detail, meta: {} }] }, headers);
}
