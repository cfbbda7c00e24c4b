import { isUtf8 } from "node:buffer";
import type { Duplex } from "node:stream";
import type { Clock } from "@parley/telephony/clock";
import { closePayload, type Frame, FrameReader, type OpcodeName, WebSocketViolation, writeFrame } from "./frames.ts";

export interface WebSocketParts {
  readonly socket: Duplex;
  readonly clock: Clock;
  /** It is over, whoever ended it. Called once. */
  onClose(): void;
  /** Left out: what the other side says, beside pings and its goodbye, is not heard. */
  readonly hears?: HeardMessages;
}

export interface HeardMessages {
  readonly messageBytesMax: number;
  onText(text: string): void;
  onBytes(bytes: Buffer): void;
}

/** Statuses of RFC 6455 section 7.4.1, and 1013 of IANA's registry. */
export const CLOSE = { normal: 1000, goingAway: 1001, notAllowed: 1008, broken: 1011, tooSlow: 1013 } as const;

const PING_MS = 15_000;
/** A peer that is told goodbye gets so long to say it too. */
const CLOSE_WITHIN_MS = 2_000;
/** Whoever does not read is cut off rather than buffered for without bound: half a minute of sound. */
const BUFFERED_BYTES_MAX = 1024 * 1024;
/** What a peer sends whom nobody hears is read and thrown away; nobody needs to say much. */
const UNHEARD_BYTES_MAX = 64 * 1024;

/** The server's end of a WebSocket. */
export class ServerWebSocket {
  readonly #parts: WebSocketParts;
  readonly #reader: FrameReader;
  #state: "open" | "closing" | "closed" = "open";
  #isAnswered = true;
  /** A message that comes in several frames, RFC 6455 section 5.4. */
  #message: { readonly isText: boolean; readonly pieces: Buffer[]; length: number } | null = null;
  #cancelTimer: () => void = () => undefined;
  #cancelLinger: () => void = () => undefined;

  constructor(parts: WebSocketParts) {
    this.#parts = parts;
    this.#reader = new FrameReader(parts.hears?.messageBytesMax ?? UNHEARD_BYTES_MAX);
    const { socket } = parts;
    socket.on("data", (chunk: Buffer) => this.#hear(chunk));
    // Broken connections are a way to end, not an error of ours.
    socket.on("error", () => this.#cut());
    socket.on("end", () => this.#cut());
    socket.on("close", () => {
      this.#over();
      this.#cancelLinger();
    });
    this.#startPinging();
    if (socket.destroyed) this.#cut();
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  sendText(text: string): void {
    this.#send("text", Buffer.from(text));
  }

  sendBytes(bytes: Buffer): void {
    this.#send("binary", bytes);
  }

  /** Says goodbye, and hangs up when the other side has said it too, or does not. */
  close(status: number, reason: string): void {
    if (this.#state !== "open") return;
    this.#state = "closing";
    this.#cancelTimer();
    this.#parts.socket.write(writeFrame("close", closePayload(status, reason)));
    this.#cancelTimer = this.#parts.clock.setTimer(CLOSE_WITHIN_MS, () => this.#cut());
  }

  #send(opcode: OpcodeName, payload: Buffer): void {
    if (this.#state !== "open") return;
    const { socket } = this.#parts;
    if (socket.writableLength > BUFFERED_BYTES_MAX) this.#cut();
    else socket.write(writeFrame(opcode, payload));
  }

  #hear(chunk: Buffer): void {
    if (this.#state === "closed") return;
    try {
      for (const frame of this.#reader.read(chunk)) this.#take(frame);
    } catch (error) {
      const status = error instanceof WebSocketViolation ? error.status : CLOSE.broken;
      this.close(status, error instanceof WebSocketViolation ? error.message : "");
      this.#over();
    }
  }

  #take({ opcode, payload, isFinal }: Frame): void {
    this.#isAnswered = true;
    if (opcode === "ping") this.#send("pong", payload);
    if (opcode === "text" || opcode === "binary" || opcode === "continuation") this.#gather(opcode, payload, isFinal);
    if (opcode !== "close") return;
    // RFC 6455 section 5.5.1: a close frame is answered by one, and then the connection is done with.
    this.close(payload.length >= 2 ? payload.readUInt16BE(0) : CLOSE.normal, "");
    this.#over();
  }

  #gather(opcode: "text" | "binary" | "continuation", payload: Buffer, isFinal: boolean): void {
    const { hears } = this.#parts;
    if (hears === undefined || this.#state !== "open") return;
    if ((opcode === "continuation") !== (this.#message !== null)) {
      throw new WebSocketViolation(1002, "a message is continued that was not begun, or begun anew before its end");
    }
    const message = this.#message ?? { isText: opcode === "text", pieces: [], length: 0 };
    message.pieces.push(payload);
    message.length += payload.length;
    if (message.length > hears.messageBytesMax) throw new WebSocketViolation(1009, "the message is too long");
    this.#message = isFinal ? null : message;
    if (!isFinal) return;
    const bytes = Buffer.concat(message.pieces);
    if (!message.isText) return hears.onBytes(bytes);
    if (!isUtf8(bytes)) throw new WebSocketViolation(1007, "a text must be UTF-8");
    hears.onText(bytes.toString());
  }

  #startPinging(): void {
    this.#cancelTimer = this.#parts.clock.setTimer(PING_MS, () => {
      if (!this.#isAnswered) return this.#cut();
      this.#isAnswered = false;
      this.#send("ping", Buffer.alloc(0));
      if (this.#state === "open") this.#startPinging();
    });
  }

  /** What was sent may still reach the other side, but not for long. */
  #over(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#cancelTimer();
    const { socket, clock, onClose } = this.#parts;
    socket.end();
    this.#cancelLinger = clock.setTimer(CLOSE_WITHIN_MS, () => socket.destroy());
    onClose();
  }

  #cut(): void {
    this.#over();
    this.#cancelLinger();
    this.#parts.socket.destroy();
  }
}
