import { isIPv6 } from "node:net";
import type { Clock } from "@parley/time/clock";
import { guarded } from "../guard.ts";
import {
  type Essentials,
  NO_BODY,
  type ReceivedMessage,
  type ReceivedRequest,
  type ReceivedResponse,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from "../message/message.ts";
import { tagOf } from "../message/name-addr.ts";
import { parseMessage, readDamagedRequest } from "../message/parse-message.ts";
import { unbracketed } from "../message/uri.ts";
import { BRANCH_COOKIE, branchOf, sentBy, writeVia } from "../message/via.ts";
import { writeMessage } from "../message/write-message.ts";
import type { RandomSource } from "../random-source.ts";
import { responseHop, stampedVia, stampVia } from "../transport/response-route.ts";
import type {
  Flow,
  Hop,
  SipTransport,
  TransportKind,
  SendOptions as TransportOptions,
} from "../transport/sip-transport.ts";
import { type ClientOwner, type ClientTransaction, startClientTransaction } from "./client-transaction.ts";
import { type ServerTransaction, startServerTransaction } from "./server-transaction.ts";

/** RFC 3261 section 18.1.1: larger requests do not go over UDP, because networks lose fragmented packets. */
export const DATAGRAM_MAX_BYTES = 1_300;

/** The callbacks of the layer. */
interface LayerOwner {
  /** A request that belongs to no transaction, also an ACK of a 2xx. The Via is already stamped. */
  readonly onRequest: (request: ReceivedRequest, source: Hop, byteLength: number) => void;
  readonly onResponse: (response: ReceivedResponse, source: Hop) => void;
  readonly onMalformed: (reason: string, source: Hop) => void;
  /** Whether the Call-ID belongs to one of our calls. Only then is the sender of a malformed message sent an error. */
  readonly knowsCall?: (callId: string) => boolean;
  readonly onError: (error: unknown) => void;
  readonly onTrace: (direction: "in" | "out", hop: Hop, bytes: Buffer) => void;
}

export interface LayerDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** At most one of each kind and family of addresses. */
  readonly transports: readonly SipTransport[];
  readonly owner: LayerOwner;
}

export interface SendOptions {
  /** Identifies the request; random by default. */
  readonly branch?: string;
  /** What the Via names instead of the transport's own address. */
  readonly sentBy?: string;
}

/** Why nothing can be sent there. */
export function noWayTo({ transport, address }: Hop): string {
  return `there is no ${transport} transport for IPv${isIPv6(address) ? 6 : 4} on this machine`;
}

function wayOf(kind: TransportKind, address: string): string {
  return `${kind} ${isIPv6(unbracketed(address)) ? 6 : 4}`;
}

/**
 * Within a call a peer that is restarting must not end it, so that requests there are retransmitted whatever the network
 * says of the peer's port.
 */
function isOutsideCalls({ headers }: SipRequest): boolean {
  const to = headers.find(([name]) => name === "To")?.[1] ?? "";
  return !/;\s*tag\s*=/i.test(to);
}

/** RFC 3261 section 17: finds for every message the transaction it belongs to. */
export class TransactionLayer {
  readonly #deps: LayerDeps;
  /** By kind and family of addresses, as in `udp 6`. */
  readonly #transports: ReadonlyMap<string, SipTransport>;
  readonly #clients = new Map<string, { readonly transaction: ClientTransaction; readonly sentBy: string }>();
  readonly #servers = new Map<string, ServerTransaction>();
  #isClosed = false;

  constructor(deps: LayerDeps) {
    this.#deps = deps;
    this.#transports = new Map(deps.transports.map((each) => [wayOf(each.kind, each.local.host), each]));
    for (const transport of deps.transports) {
      transport.onMessage((bytes, source) => this.#receiveSafely(bytes, source));
    }
  }

  /** What reaches this place; null where we have no address of its family. */
  transportTo({ transport, address }: Pick<Hop, "transport" | "address">): SipTransport | null {
    return this.#transports.get(wayOf(transport, address)) ?? null;
  }

  hasTransport(kind: TransportKind): boolean {
    return this.#deps.transports.some((transport) => transport.kind === kind);
  }

  /**
   * Calls `use` with our end of the connection to a place, which is opened for it; with null where there are no connections.
   * Returns what takes that back.
   */
  withFlow(hop: Hop, use: (flow: Flow | null) => void, onFailure: (reason: string) => void): () => void {
    const transport = this.transportTo(hop);
    const { onError } = this.#deps.owner;
    if (transport?.connect !== undefined && !this.#isClosed)
      return transport.connect(hop, guarded(use, onError), guarded(onFailure, onError));
    use(null);
    return () => undefined;
  }

  newBranch(): string {
    return `${BRANCH_COOKIE}${this.#deps.random.hex(12)}`;
  }

  /** Sends a request and follows it to its final response. */
  request(request: SipRequest, hop: Hop, owner: ClientOwner, options: SendOptions = {}): ClientTransaction {
    const branch = options.branch ?? this.newBranch();
    const withVia = this.#withVia(request, hop, { ...options, branch });
    const key = clientKey(branch, request.method);
    // A branch is reused only if the same request is built again, and then the old one is abandoned.
    this.#clients.get(key)?.transaction.abandon();
    const transaction = startClientTransaction({
      clock: this.#deps.clock,
      isReliable: this.transportTo(hop)?.isReliable ?? true,
      request: withVia,
      owner,
      send: (message, onFailure) => this.#send(message, hop, onFailure, { watchesPeer: isOutsideCalls(request) }),
      onEnd: () => {
        if (this.#clients.get(key)?.transaction === transaction) this.#clients.delete(key);
      },
    });
    const place = options.sentBy ?? this.#ownSentBy(hop);
    this.#clients.set(key, { transaction, sentBy: place.toLowerCase() });
    return transaction;
  }

  /** Sends a request that gets no response: the ACK of a 2xx. */
  requestOnce(request: SipRequest, hop: Hop, options: SendOptions = {}): void {
    const branch = options.branch ?? this.newBranch();
    this.#send(this.#withVia(request, hop, { ...options, branch }), hop, () => undefined);
  }

  /** How large this request is on the wire, written as small as we can. */
  byteLength(request: SipRequest, hop: Hop, options: SendOptions = {}): number {
    const branch = options.branch ?? this.newBranch();
    return writeMessage(this.#withVia(request, hop, { ...options, branch }), { compact: true }).length;
  }

  /** Starts a transaction, so that repetitions of the request get the same answer. */
  accept(
    request: ReceivedRequest,
    source: Hop,
    onAck: (ack: ReceivedRequest) => void = () => undefined,
  ): ServerTransaction {
    const key = serverKey(request.essentials);
    const transaction = startServerTransaction({
      clock: this.#deps.clock,
      isReliable: this.transportTo(source)?.isReliable ?? true,
      request,
      source,
      onAck,
      send: (response) => this.respondOnce(request, source, response),
      onEnd: () => this.#servers.delete(key),
    });
    this.#servers.set(key, transaction);
    return transaction;
  }

  /** Answers without remembering anything. */
  respondOnce(request: ReceivedRequest, source: Hop, response: SipResponse): void {
    this.#send(response, responseHop(request.essentials, source), () => undefined);
  }

  get openTransactions(): number {
    return this.#clients.size + this.#servers.size;
  }

  /** Forgets every transaction and its timers, and stops sending. The transports stay open; their owner closes them. */
  close(): void {
    this.#isClosed = true;
    for (const { transaction } of [...this.#clients.values()]) transaction.abandon();
    for (const transaction of [...this.#servers.values()]) transaction.abandon();
  }

  #withVia(request: SipRequest, hop: Hop, options: SendOptions & { readonly branch: string }): SipRequest {
    const place = options.sentBy ?? this.#ownSentBy(hop);
    const params = [
      { name: "branch", value: options.branch },
      // RFC 3581: the answer comes back to the port this left from, also through address translation.
      { name: "rport", value: null },
      // RFC 5923 section 5: the peer may send its own requests by the connection that this came by.
      ...(hop.transport === "udp" ? [] : [{ name: "alias", value: null }]),
    ];
    const via = writeVia({ transport: hop.transport.toUpperCase(), host: place, port: null, params });
    return { ...request, headers: [["Via", via], ...request.headers] };
  }

  #ownSentBy(hop: Hop): string {
    const local = this.transportTo(hop)?.local ?? { host: "invalid", port: 0 };
    return sentBy({ host: local.host, port: local.port === 0 ? null : local.port });
  }

  #send(
    message: SipMessage,
    hop: Hop,
    tellFailure: (reason: string) => void,
    options: TransportOptions = {},
  ): () => void {
    const onFailure = guarded(tellFailure, this.#deps.owner.onError);
    const transport = this.transportTo(hop);
    if (transport === null || this.#isClosed) {
      const reason = transport === null ? noWayTo(hop) : "the agent is closed";
      queueMicrotask(() => onFailure(reason));
      return () => undefined;
    }
    let bytes = writeMessage(message);
    if (hop.transport === "udp" && bytes.length > DATAGRAM_MAX_BYTES) bytes = writeMessage(message, { compact: true });
    this.#deps.owner.onTrace("out", hop, bytes);
    try {
      return transport.send(bytes, hop, onFailure, options);
    } catch (error) {
      // An invalid address, for instance: the request was not sent, and its sender is notified.
      queueMicrotask(() => onFailure(error instanceof Error ? error.message : String(error)));
      return () => undefined;
    }
  }

  /** Nothing may escape into the socket's handler, where it would end the process. */
  #receiveSafely(bytes: Buffer, source: Hop): void {
    try {
      this.#deps.owner.onTrace("in", source, bytes);
      const outcome = parseMessage(bytes);
      if (outcome.ok) this.#receive(outcome.message, source, bytes.length);
      // Datagrams of white space are keep-alives for address translation.
      else if (bytes.some((byte) => byte > 0x20)) this.#receiveDamaged(bytes, source, outcome.reason);
    } catch (error) {
      this.#deps.owner.onError(error);
    }
  }

  #receiveDamaged(bytes: Buffer, source: Hop, reason: string): void {
    const { owner } = this.#deps;
    owner.onMalformed(reason, source);
    const damaged = readDamagedRequest(bytes);
    // RFC 3261 section 17: an ACK is never answered.
    if (damaged === null || damaged.method === "ACK" || !owner.knowsCall?.(damaged.callId)) return;
    // RFC 3261 section 21.4.1: the phrase states the problem.
    const { via, headers } = damaged;
    const top = headers.find(([name]) => name === "Via");
    const others = headers.filter((line) => line !== top);
    const response: SipResponse = {
      kind: "response",
      status: 400,
      reason: `Bad Request: ${reason}`,
      headers: [["Via", writeVia(stampedVia(via, source))], ...others],
      body: NO_BODY,
    };
    // A request cannot be answered if a field that the answer must repeat is damaged.
    if (!parseMessage(writeMessage(response)).ok) return;
    this.#send(response, responseHop({ via }, source), () => undefined);
  }

  #receive(message: ReceivedMessage, source: Hop, byteLength: number): void {
    if (message.kind === "response") this.#receiveResponse(message, source);
    else {
      const known = this.#servers.get(serverKey(message.essentials));
      if (known !== undefined) known.receive(message);
      else this.#deps.owner.onRequest(stampVia(message, source), source, byteLength);
    }
  }

  #receiveResponse(response: ReceivedResponse, source: Hop): void {
    const { via, cseq } = response.essentials;
    const known = this.#clients.get(clientKey(branchOf(via) ?? "", cseq.method));
    // RFC 3261 section 18.1.2: a response to an unknown request is discarded.
    if (known === undefined) this.#deps.owner.onResponse(response, source);
    else if (known.sentBy === sentBy(via)) known.transaction.receive(response);
  }
}

/** RFC 3261 section 17.1.3: a response belongs to the request whose branch and method it repeats. */
function clientKey(branch: string, method: string): string {
  return `${method} ${branch}`;
}

/**
 * RFC 3261 section 17.2.3: branch, sent-by and method; an ACK belongs to the INVITE it acknowledges. A branch without the
 * magic cookie is not unique, so more of the message is needed to distinguish requests.
 */
function serverKey({ via, cseq, callId, from }: Essentials): string {
  const method = cseq.method === "ACK" ? "INVITE" : cseq.method;
  const branch = branchOf(via) ?? "";
  const base = `${method} ${sentBy(via)} ${branch}`;
  if (branch.startsWith(BRANCH_COOKIE)) return base;
  return `${base} ${callId} ${cseq.number} ${tagOf(from) ?? ""}`;
}
