import { buildResponse } from "../build-response.ts";
import type { HeaderLine, ReceivedMessage, ReceivedRequest, ReceivedResponse, SipRequest } from "../message.ts";
import { NO_BODY } from "../message.ts";
import { parseMessage } from "../parse-message.ts";
import { header, readAddresses } from "../read-headers.ts";
import type { Hop, SipTransport } from "../transport/sip-transport.ts";
import { unbracketed, writeUri } from "../uri.ts";
import { writeMessage } from "../write-message.ts";

export interface Reply {
  readonly toTag?: string;
  readonly headers?: readonly HeaderLine[];
  readonly sdp?: string;
  readonly reason?: string;
}

export interface Ask extends Reply {
  /** Goes to where the Contact of the caller leads instead of to where its INVITE came from. */
  readonly isSentToContact?: boolean;
}

/** A peer without a mind of its own: it writes down what it gets and sends what a test tells it to. */
export class ScriptedPeer {
  readonly received: ReceivedMessage[] = [];
  readonly #transport: SipTransport;
  readonly #handlers = new Map<string, (request: ReceivedRequest, source: Hop) => void>();
  readonly #sources = new WeakMap<ReceivedMessage, Hop>();
  #cseq = 100;
  #branch = 0;
  #lastHop: Hop = { transport: "udp", address: "10.0.0.1", port: 5060 };

  constructor(transport: SipTransport) {
    this.#transport = transport;
    transport.onMessage((bytes, source) => {
      const outcome = parseMessage(bytes);
      if (!outcome.ok) throw new Error(outcome.reason);
      this.received.push(outcome.message);
      this.#sources.set(outcome.message, source);
      if (outcome.message.kind === "request") this.#handlers.get(outcome.message.method)?.(outcome.message, source);
    });
  }

  /** Replaces what is done with requests of this method. */
  on(method: string, handler: (request: ReceivedRequest, source: Hop) => void): void {
    this.#handlers.set(method, handler);
  }

  requests(method?: string): ReceivedRequest[] {
    return this.received.flatMap((message) =>
      message.kind === "request" && (method === undefined || message.method === method) ? [message] : [],
    );
  }

  responses(): ReceivedResponse[] {
    return this.received.flatMap((message) => (message.kind === "response" ? [message] : []));
  }

  request(method: string, index = 0): ReceivedRequest {
    const found = this.requests(method).at(index);
    if (found === undefined) throw new Error(`no ${method} ${index} in ${this.summary().join(", ")}`);
    return found;
  }

  /** One word for each message: the method or the status. */
  summary(): string[] {
    return this.received.map((message) => (message.kind === "request" ? message.method : String(message.status)));
  }

  reply(request: ReceivedRequest, status: number, { toTag = "them", headers = [], sdp, reason }: Reply = {}): void {
    const { host, port } = this.#transport.local;
    const contact: HeaderLine = ["Contact", `<sip:callee@${host}:${port}>`];
    const type: readonly HeaderLine[] = sdp === undefined ? [] : [["Content-Type", "application/sdp"]];
    const hasContact = headers.some(([name]) => name === "Contact");
    const lines = [...(status < 300 && !hasContact ? [contact] : []), ...headers, ...type];
    const response = buildResponse(request, status, {
      toTag,
      headers: lines,
      body: sdp === undefined ? NO_BODY : Buffer.from(sdp),
    });
    this.send(writeMessage(reason === undefined ? response : { ...response, reason }), this.#sourceOf(request));
  }

  /** Sends a request inside the call that this INVITE made. */
  ask(
    invite: ReceivedRequest,
    method: string,
    { toTag = "them", headers = [], sdp, isSentToContact = false }: Ask = {},
  ): SipRequest {
    const { host, port } = this.#transport.local;
    this.#cseq += 1;
    this.#branch += 1;
    const target = readAddresses(invite, "Contact")[0];
    const needsType = sdp !== undefined && !headers.some(([name]) => name === "Content-Type");
    const type: readonly HeaderLine[] = needsType ? [["Content-Type", "application/sdp"]] : [];
    const request: SipRequest = {
      kind: "request",
      method,
      uri: target === undefined ? invite.uri : writeUri(target.uri),
      headers: [
        [
          "Via",
          `SIP/2.0/${this.#transport.kind.toUpperCase()} ${host}:${port};branch=z9hG4bKpeer${this.#branch};rport`,
        ],
        ["From", `${header(invite, "To")};tag=${toTag}`],
        ["To", header(invite, "From") ?? ""],
        ["Call-ID", invite.essentials.callId],
        ["CSeq", `${this.#cseq} ${method}`],
        ["Contact", `<sip:callee@${host}:${port}>`],
        ["Max-Forwards", "70"],
        ...headers,
        ...type,
      ],
      body: sdp === undefined ? NO_BODY : Buffer.from(sdp),
    };
    this.send(writeMessage(request), isSentToContact ? this.#contactOf(invite) : this.#sourceOf(invite));
    return request;
  }

  /** Acknowledges a 2xx to our own INVITE. */
  acknowledge(invite: SipRequest, response: ReceivedResponse, sdp?: string): void {
    this.#branch += 1;
    const via = header(invite, "Via")?.replace(/branch=[^;]*/, `branch=z9hG4bKpeer${this.#branch}`) ?? "";
    const kept = invite.headers.filter(([name]) => ["From", "Call-ID", "Max-Forwards"].includes(name));
    const headers: HeaderLine[] = [["Via", via], ...kept, ["To", header(response, "To") ?? ""]];
    headers.push(["CSeq", `${response.essentials.cseq.number} ACK`]);
    if (sdp !== undefined) headers.push(["Content-Type", "application/sdp"]);
    const body = sdp === undefined ? NO_BODY : Buffer.from(sdp);
    this.send(writeMessage({ kind: "request", method: "ACK", uri: invite.uri, headers, body }), this.#lastHop);
  }

  send(bytes: Buffer, hop: Hop): void {
    this.#lastHop = hop;
    this.#transport.send(bytes, hop, () => undefined);
  }

  #contactOf(message: ReceivedRequest): Hop {
    const uri = readAddresses(message, "Contact")[0]?.uri;
    if (uri?.scheme !== "sip") throw new Error("there is no Contact");
    return { transport: this.#transport.kind, address: unbracketed(uri.host), port: uri.port ?? 5061 };
  }

  #sourceOf(message: ReceivedMessage): Hop {
    return this.#sources.get(message) ?? this.#lastHop;
  }
}
