import type {
  HeaderLine,
  ReceivedMessage,
  ReceivedRequest,
  ReceivedResponse,
} from "@parley/telephony/sip/message/message";
import { branchOf } from "@parley/telephony/sip/message/via";
import type { ScriptedPeer } from "@parley/telephony/sip/testing/scripted-peer";

export interface Say {
  readonly sdp?: string;
  readonly headers?: readonly HeaderLine[];
  /** Identifies the phone that speaks, if a call was forked to several. */
  readonly phone?: string;
}

/** RFC 3261 section 17.1.1.1: the interval of retransmissions, and how many there are. */
const REPEAT_MS = 500;
const REPEATS_MAX = 20;
/** How long a script waits for a message. Transactions of SIP wait for 32 s. */
const PATIENCE_MS = 45_000;

/** The callee's side of one call, for scripts that send messages and wait for others. */
export class ScriptedCall {
  readonly invite: ReceivedRequest;
  readonly #peer: ScriptedPeer;
  readonly #audioPort: number;
  readonly #inbox = new Inbox<ReceivedMessage>();
  readonly #replies = new Map<string, Buffer>();
  readonly #seen = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(peer: ScriptedPeer, audioPort: number, invite: ReceivedRequest) {
    this.#peer = peer;
    this.#audioPort = audioPort;
    this.invite = invite;
    this.#seen.add(keyOf(invite));
  }

  /** A request that was already answered gets the same reply again; another one is processed once. */
  receive(message: ReceivedMessage): void {
    if (message.kind === "request" && message.method !== "ACK") {
      const key = keyOf(message);
      const reply = this.#replies.get(key);
      if (reply !== undefined) this.#peer.resend(message, reply);
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
    }
    this.#inbox.put(message);
  }

  receives(method: string): Promise<ReceivedRequest> {
    return this.#takeRequest((request) => request.method === method, method);
  }

  receivesAny(): Promise<ReceivedRequest> {
    return this.#takeRequest(() => true, "any request");
  }

  reply(request: ReceivedRequest, status: number, { phone = "", ...say }: Say = {}): void {
    const bytes = this.#peer.reply(request, status, { ...say, toTag: tagOf(phone) });
    if (status >= 200) this.#replies.set(keyOf(request), bytes);
  }

  /** Sends a response after its bytes were changed. */
  garble(request: ReceivedRequest, status: number, alter: (bytes: Buffer) => Buffer): void {
    this.#peer.reply(request, status, { toTag: tagOf(""), alter });
  }

  /** RFC 3261 section 13.3.1.4: answers, and repeats the answer until it is acknowledged. */
  async answer(say: Say = {}, request = this.invite): Promise<void> {
    const stop = this.#repeatedly(() => this.reply(request, 200, { sdp: this.sdp(), ...say }));
    await this.receives("ACK");
    stop();
  }

  /** Refuses the INVITE, and repeats that until it is acknowledged. */
  async refuse(status: number, say: Say = {}, request = this.invite): Promise<void> {
    const stop = this.#repeatedly(() => this.reply(request, status, say));
    await this.receives("ACK");
    stop();
  }

  /** Sends a request inside the call and waits for its final response, which it acknowledges if required. */
  async asks(method: string, { phone = "", ...say }: Say = {}): Promise<ReceivedResponse> {
    const request = this.#peer.ask(this.invite, method, { ...say, toTag: tagOf(phone) });
    const cseq = request.headers.find(([name]) => name === "CSeq")?.[1];
    const stop = this.#repeatedly(() => this.#peer.askAgain(request), false);
    const response = await this.#inbox.take(
      (message) =>
        message.kind === "response" &&
        message.status >= 200 &&
        `${message.essentials.cseq.number} ${message.essentials.cseq.method}` === cseq,
      `the response to ${method}`,
    );
    stop();
    if (response.kind !== "response") throw new Error("a response is not a request");
    if (method === "INVITE") this.#peer.acknowledge(request, response);
    return response;
  }

  async hangsUp(say: Say = {}): Promise<void> {
    const { status } = await this.asks("BYE", say);
    if (status !== 200) throw new Error(`the BYE got ${status}`);
  }

  /** Waits until the caller hangs up, and confirms that. */
  async isHungUpOn(): Promise<void> {
    this.reply(await this.receives("BYE"), 200);
  }

  sdp(audio: AudioDescription = {}): string {
    return audioSdp(this.#peer.local.host, this.#audioPort, audio);
  }

  /** Nothing is sent any more after this. */
  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers.clear();
    this.#inbox.close();
  }

  async #takeRequest(isIt: (request: ReceivedRequest) => boolean, what: string): Promise<ReceivedRequest> {
    const found = await this.#inbox.take((message) => message.kind === "request" && isIt(message), what);
    if (found.kind !== "request") throw new Error("a request is not a response");
    return found;
  }

  #repeatedly(send: () => void, startsNow = true): () => void {
    if (startsNow) send();
    let times = 0;
    const timer = setInterval(() => {
      times += 1;
      if (times < REPEATS_MAX) send();
    }, REPEAT_MS);
    this.#timers.add(timer);
    return () => {
      clearInterval(timer);
      this.#timers.delete(timer);
    };
  }
}

interface AudioDescription {
  /** RFC 3264 section 5: each description of a call has a higher version than the one before. */
  readonly version?: number;
  readonly direction?: "sendrecv" | "sendonly";
  /** 0 is mu-law, 8 is A-law (RFC 3551 section 6). */
  readonly payloadType?: 0 | 8;
}

function audioSdp(
  host: string,
  port: number,
  { version = 1, direction = "sendrecv", payloadType = 0 }: AudioDescription,
): string {
  return [
    ...sdpHead(host, version),
    `m=audio ${port} RTP/AVP ${payloadType} 101`,
    "a=rtpmap:101 telephone-event/8000",
    `a=${direction}`,
    "",
  ].join("\r\n");
}

/** A fax machine that switches from speech to fax (T.38 annex D). */
export function faxSdp(host: string, version: number): string {
  return [...sdpHead(host, version), "m=image 9 udptl t38", ""].join("\r\n");
}

function sdpHead(host: string, version: number): string[] {
  return ["v=0", `o=far 1 ${version} IN IP4 ${host}`, "s=-", `c=IN IP4 ${host}`, "t=0 0"];
}

/** RFC 3261 section 17.2.3: what makes two requests the same. */
function keyOf({ method, essentials: { via, cseq } }: ReceivedRequest): string {
  return `${branchOf(via)} ${cseq.number} ${method}`;
}

function tagOf(phone: string): string {
  return `far${phone}`;
}

interface Waiting<Message> {
  readonly isIt: (message: Message) => boolean;
  readonly found: (message: Message) => void;
  readonly gaveUp: (error: Error) => void;
}

/** Received messages, each taken once by a script that waits for one like it. */
class Inbox<Message> {
  readonly #messages: Message[] = [];
  readonly #waiting = new Set<Waiting<Message>>();

  put(message: Message): void {
    for (const waiting of this.#waiting) {
      if (!waiting.isIt(message)) continue;
      this.#waiting.delete(waiting);
      waiting.found(message);
      return;
    }
    this.#messages.push(message);
  }

  take(isIt: (message: Message) => boolean, what: string): Promise<Message> {
    const there = this.#messages.findIndex(isIt);
    const [message] = there < 0 ? [] : this.#messages.splice(there, 1);
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiting.gaveUp(new Error(`${what} did not come`)), PATIENCE_MS);
      const waiting: Waiting<Message> = {
        isIt,
        found: (found) => {
          clearTimeout(timer);
          resolve(found);
        },
        gaveUp: (error) => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          reject(error);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  close(): void {
    for (const { gaveUp } of [...this.#waiting]) gaveUp(new Error("the call is closed"));
  }
}
