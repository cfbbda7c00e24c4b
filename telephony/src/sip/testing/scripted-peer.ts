import { buildResponse } from "../message/build-response.ts";
import type { HeaderLine, ReceivedMessage, ReceivedRequest, ReceivedResponse, SipRequest } from "../message/message.ts";
import { NO_BODY } from "../message/message.ts";
import { parseMessage } from "../message/parse-message.ts";
import { header, readAddresses } from "../message/read-headers.ts";
import { unbracketed, writeUri } from "../message/uri.ts";
import { writeMessage } from "../message/write-message.ts";
import type { Hop, SipTransport } from "../transport/sip-transport.ts";

export interface Reply {
  readonly toTag?: string;
  readonly headers?: readonly HeaderLine[];
  readonly sdp?: string;
  readonly reason?: string;
  /** Changes the bytes before they are sent. */
  readonly alter?: (bytes: Buffer) => Buffer;
}

export interface Ask extends Reply {
  /** Goes to where the Contact of the caller leads instead of to where its INVITE came from. */
  readonly isSentToContact?: boolean;
}

export interface ScriptedPeerOptions {
  /** Receives messages instead of storing them, for a peer with many calls. */
  readonly onMessage?: (message: ReceivedMessage) => void;
  /** Receives the reason why a message is invalid. Without it, invalid messages throw. */
  readonly onInvalid?: (reason: string) => void;
}

/** The peer of the SIP stack under test, without its own logic: it records what it receives and sends what a script defines. */
export class ScriptedPeer {
  readonly received: ReceivedMessage[] = [];
  readonly #transport: SipTransport;
  readonly #handlers = new Map<string, (request: ReceivedRequest, source: Hop) => void>();
  readonly #sources = new WeakMap<ReceivedMessage, Hop>();
  readonly #targets = new WeakMap<SipRequest, Hop>();
  #cseq = 100;
  #branch = 0;
  #lastHop: Hop = { transport: "udp", address: "10.0.0.1", port: 5060 };

  constructor(transport: SipTransport, { onMessage, onInvalid }: ScriptedPeerOptions = {}) {
    this.#transport = transport;
    transport.onMessage((bytes, source) => {
      const outcome = parseMessage(bytes);
      if (!outcome.ok) {
        if (onInvalid === undefined) throw new Error(outcome.reason);
        return onInvalid(outcome.reason);
      }
      this.#sources.set(outcome.message, source);
      if (onMessage !== undefined) return onMessage(outcome.message);
      this.received.push(outcome.message);
      if (outcome.message.kind === "request") this.#handlers.get(outcome.message.method)?.(outcome.message, source);
    });
  }

  get local(): SipTransport["local"] {
    return this.#transport.local;
  }

  /** Replaces the handler for requests of this method. */
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

  /** Returns what was sent, to be sent again by `resend`. */
  reply(request: ReceivedRequest, status: number, reply: Reply = {}): Buffer {
    const { toTag = "them", headers = [], sdp, reason, alter = (bytes) => bytes } = reply;
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
    const bytes = alter(writeMessage(reason === undefined ? response : { ...response, reason }));
    this.send(bytes, this.#sourceOf(request));
    return bytes;
  }

  /** Sends a reply to this request once more. */
  resend(request: ReceivedRequest, reply: Buffer): void {
    this.send(reply, this.#sourceOf(request));
  }

  /** Sends a request inside the call that this INVITE created. */
  ask(
    invite: ReceivedRequest,
    method: string,
    { toTag = "them", headers = [], sdp, isSentToContact = false }: Ask = {},
  ): SipRequest {
    const { host, port } = this.#transport.local;
    this.#cseq += 1;
    const target = readAddresses(invite, "Contact")[0];
    const needsType = sdp !== undefined && !headers.some(([name]) => name === "Content-Type");
    const type: readonly HeaderLine[] = needsType ? [["Content-Type", "application/sdp"]] : [];
    const request: SipRequest = {
      kind: "request",
      method,
      uri: target === undefined ? invite.uri : writeUri(target.uri),
      headers: [
        ["Via", `SIP/2.0/${this.#transport.kind.toUpperCase()} ${host}:${port};branch=${this.#newBranch()};rport`],
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
    this.#targets.set(request, isSentToContact ? this.#contactOf(invite) : this.#sourceOf(invite));
    this.askAgain(request);
    return request;
  }

  /** Sends a request once more. */
  askAgain(request: SipRequest): void {
    this.send(writeMessage(request), this.#targets.get(request) ?? this.#lastHop);
  }

  /**
   * Acknowledges a final response to an INVITE that this peer sent: after a 2xx in a separate transaction, else in that
   * of the INVITE (RFC 3261 sections 13.2.2.4 and 17.1.1.3).
   */
  acknowledge(invite: SipRequest, response: ReceivedResponse, sdp?: string): void {
    const own = header(invite, "Via") ?? "";
    const via = response.status < 300 ? own.replace(/branch=[^;]*/, `branch=${this.#newBranch()}`) : own;
    const kept = invite.headers.filter(([name]) => ["From", "Call-ID", "Max-Forwards"].includes(name));
    const headers: HeaderLine[] = [["Via", via], ...kept, ["To", header(response, "To") ?? ""]];
    headers.push(["CSeq", `${response.essentials.cseq.number} ACK`]);
    if (sdp !== undefined) headers.push(["Content-Type", "application/sdp"]);
    const body = sdp === undefined ? NO_BODY : Buffer.from(sdp);
    this.send(
      writeMessage({ kind: "request", method: "ACK", uri: invite.uri, headers, body }),
      this.#targets.get(invite) ?? this.#lastHop,
    );
  }

  send(bytes: Buffer, hop: Hop): void {
    this.#lastHop = hop;
    this.#transport.send(bytes, hop, () => undefined);
  }

  /** RFC 3261 section 17.2.3: peers of two transports may share an address, so only the branch distinguishes them. */
  #newBranch(): string {
    this.#branch += 1;
    return `z9hG4bKpeer-${this.#transport.kind}-${this.#branch}`;
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
