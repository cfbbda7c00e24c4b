import { buildResponse } from "@parley/telephony/sip/build-response";
import {
  type HeaderLine,
  NO_BODY,
  type ReceivedMessage,
  type ReceivedRequest,
  type ReceivedResponse,
  type SipRequest,
} from "@parley/telephony/sip/message";
import { header, readAddresses } from "@parley/telephony/sip/read-headers";
import { writeUri } from "@parley/telephony/sip/uri";
import { branchOf } from "@parley/telephony/sip/via";
import { writeMessage } from "@parley/telephony/sip/write-message";
import { type FarSound, farSdp } from "./far-sdp.ts";
import { Inbox } from "./inbox.ts";

export interface FarSide {
  /** Where the far end is reached, and where it sends sound back. */
  readonly host: string;
  readonly port: number;
  readonly soundPort: number;
  readonly transport: "UDP" | "TCP";
  send(bytes: Buffer): void;
}

export interface Say {
  readonly sdp?: string;
  readonly headers?: readonly HeaderLine[];
  /** Stands for the phone that speaks, where a call was forked to several. */
  readonly phone?: string;
}

/** RFC 3261 section 17.1.1.1: how long to wait before saying it again, and how often. */
const REPEAT_MS = 500;
const REPEATS_MAX = 20;

/** The callee's side of one call, for scripts that say what they say and wait for what they wait for. */
export class FarCall {
  readonly invite: ReceivedRequest;
  readonly inbox = new Inbox<ReceivedMessage>();
  readonly #side: FarSide;
  readonly #replies = new Map<string, Buffer>();
  readonly #seen = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #cseq = 0;

  constructor(side: FarSide, invite: ReceivedRequest) {
    this.#side = side;
    this.invite = invite;
    this.#seen.add(keyOf(invite));
  }

  /** A request that was replied to gets the same reply again, one that was not is only taken once. */
  receive(message: ReceivedMessage): void {
    if (message.kind === "request" && message.method !== "ACK") {
      const key = keyOf(message);
      const reply = this.#replies.get(key);
      if (reply !== undefined) this.#side.send(reply);
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
    }
    this.inbox.put(message);
  }

  receives(method: string): Promise<ReceivedRequest> {
    return this.#takeRequest((request) => request.method === method, method);
  }

  receivesAny(): Promise<ReceivedRequest> {
    return this.#takeRequest(() => true, "any request");
  }

  reply(request: ReceivedRequest, status: number, { sdp, headers = [], phone = "" }: Say = {}): void {
    const { host, port } = this.#side;
    const lines: HeaderLine[] = [["Contact", `<sip:callee@${host}:${port}>`], ...headers];
    if (sdp !== undefined) lines.push(["Content-Type", "application/sdp"]);
    const body = sdp === undefined ? NO_BODY : Buffer.from(sdp);
    const bytes = writeMessage(buildResponse(request, status, { toTag: this.#tag(phone), headers: lines, body }));
    if (status >= 200) this.#replies.set(keyOf(request), bytes);
    this.#side.send(bytes);
  }

  /** Sends what was a response until somebody had a hand in it. */
  garble(request: ReceivedRequest, status: number, spoil: (bytes: Buffer) => Buffer): void {
    this.#side.send(spoil(writeMessage(buildResponse(request, status, { toTag: this.#tag("") }))));
  }

  /** RFC 3261 section 13.3.1.4: answers, and goes on saying so until it is acknowledged. */
  async answer(say: Say = {}, request = this.invite): Promise<void> {
    const stop = this.#repeatedly(() => this.reply(request, 200, { sdp: this.sdp(), ...say }));
    await this.receives("ACK");
    stop();
  }

  /** Refuses the INVITE, and goes on doing so until it is acknowledged. */
  async refuse(status: number, say: Say = {}, request = this.invite): Promise<void> {
    const stop = this.#repeatedly(() => this.reply(request, status, say));
    await this.receives("ACK");
    stop();
  }

  /** Sends a request inside the call and waits for its final response, which it acknowledges where it must. */
  async asks(method: string, say: Say = {}): Promise<ReceivedResponse> {
    this.#cseq += 1;
    const request = this.#request(method, this.#cseq, `z9hG4bKfar${Math.random()}`, say);
    const stop = this.#repeatedly(() => this.#side.send(writeMessage(request)));
    const response = await this.inbox.take(
      (message) => message.kind === "response" && message.status >= 200 && isFor(message, request),
      `the response to ${method}`,
    );
    stop();
    if (response.kind !== "response") throw new Error("a response is no request");
    if (method === "INVITE") this.#acknowledge(request, response, say.phone);
    return response;
  }

  async hangsUp(say: Say = {}): Promise<void> {
    const { status } = await this.asks("BYE", say);
    if (status !== 200) throw new Error(`the BYE got ${status}`);
  }

  /** Waits until we are hung up on, and confirms that. */
  async isHungUpOn(): Promise<void> {
    this.reply(await this.receives("BYE"), 200);
  }

  sdp(sound: Omit<FarSound, "host" | "port"> = {}): string {
    const { host, soundPort: port } = this.#side;
    return farSdp({ host, port, ...sound });
  }

  /** Nothing is said any more after this. */
  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers.clear();
    this.inbox.close();
  }

  async #takeRequest(isIt: (request: ReceivedRequest) => boolean, what: string): Promise<ReceivedRequest> {
    const found = await this.inbox.take((message) => message.kind === "request" && isIt(message), what);
    if (found.kind !== "request") throw new Error("a request is no response");
    return found;
  }

  #request(method: string, cseq: number, branch: string, { sdp, headers = [], phone = "" }: Say): SipRequest {
    const { host, port, transport } = this.#side;
    const target = readAddresses(this.invite, "Contact")[0];
    const type: readonly HeaderLine[] = sdp === undefined ? [] : [["Content-Type", "application/sdp"]];
    return {
      kind: "request",
      method,
      uri: target === undefined ? this.invite.uri : writeUri(target.uri),
      headers: [
        ["Via", `SIP/2.0/${transport} ${host}:${port};branch=${branch};rport`],
        ["From", `${header(this.invite, "To")};tag=${this.#tag(phone)}`],
        ["To", header(this.invite, "From") ?? ""],
        ["Call-ID", this.invite.essentials.callId],
        ["CSeq", `${cseq} ${method}`],
        ["Contact", `<sip:callee@${host}:${port}>`],
        ["Max-Forwards", "70"],
        ...headers,
        ...type,
      ],
      body: sdp === undefined ? NO_BODY : Buffer.from(sdp),
    };
  }

  /** RFC 3261 sections 13.2.2.4 and 17.1.1.3: of its own after a 2xx, else in the transaction of the INVITE. */
  #acknowledge(invite: SipRequest, { status }: ReceivedResponse, phone = ""): void {
    const own = /branch=([^;]+)/.exec(header(invite, "Via") ?? "")?.[1] ?? "";
    const branch = status < 300 ? `z9hG4bKfar${Math.random()}` : own;
    this.#side.send(writeMessage(this.#request("ACK", this.#cseq, branch, { phone })));
  }

  #tag(phone: string): string {
    return `far${phone}`;
  }

  #repeatedly(say: () => void): () => void {
    say();
    let times = 0;
    const timer = setInterval(() => {
      times += 1;
      if (times < REPEATS_MAX) say();
    }, REPEAT_MS);
    this.#timers.add(timer);
    return () => {
      clearInterval(timer);
      this.#timers.delete(timer);
    };
  }
}

/** RFC 3261 section 17.2.3: what makes two requests the same. */
function keyOf({ method, essentials: { via, cseq } }: ReceivedRequest): string {
  return `${branchOf(via)} ${cseq.number} ${method}`;
}

function isFor(response: ReceivedResponse, request: SipRequest): boolean {
  return header(request, "CSeq") === `${response.essentials.cseq.number} ${response.essentials.cseq.method}`;
}
