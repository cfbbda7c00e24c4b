import type { Duplex } from "node:stream";
import { AppError } from "@parley/contract/errors";
import { TryVoiceCommand, type TryVoiceEvent } from "@parley/contract/try-voice";
import type { Clock } from "@parley/time/clock";
import type { FastifyReply } from "fastify";
import { validate } from "../../../platform/http/validate.ts";
import { acceptWebSocket, CLOSE, type ServerWebSocket } from "../../../platform/http/web-socket.ts";
import { type Packet, PacketReader, writePacket } from "./packets.ts";

export type TryStart = Extract<TryVoiceCommand, { type: "start" }>;

export interface RelayTryDeps {
  readonly clock: Clock;
  /** Finds a process that holds the try, and sends it the request. Throws the reason if it cannot. */
  openWorker(start: TryStart): Promise<Duplex>;
  /** Checked periodically; false ends it. */
  stillAllowed(): Promise<boolean>;
  /** Ends it when the server closes. */
  readonly closing: AbortSignal;
  /** Nothing of it is left. Called once. */
  onOver(): void;
}

/** The largest flow, and what goes with it. */
const MESSAGE_BYTES_MAX = 3 * 1024 * 1024;
/** How long a new connection may take to send what is to be tried. */
const START_WITHIN_MS = 10_000;
// A revoked key's streams are to end within 30 seconds; the look-up itself takes part of them.
const RIGHTS_CHECK_MS = 20_000;
/** A worker that does not read gets no more of the microphone: some ten seconds of audio. */
const BUFFERED_BYTES_MAX = 1024 * 1024;

/** Relays a trial between a browser and the process that conducts it. */
export class RelayedTry {
  readonly #deps: RelayTryDeps;
  readonly #socket: ServerWebSocket;
  #worker: Duplex | null = null;
  #isStarted = false;
  /** Whether the conducting process reported the end. */
  #isReported = false;
  #isOver = false;
  #cancelStart: () => void;
  #cancelCheck: () => void = () => undefined;
  readonly #onClosing = () => this.#finish(CLOSE.goingAway, "the service is restarting");

  constructor(deps: RelayTryDeps, reply: FastifyReply) {
    this.#deps = deps;
    const { clock, closing } = deps;
    this.#cancelStart = clock.setTimer(START_WITHIN_MS, () => this.#finish(CLOSE.notAllowed, "nothing was begun"));
    this.#socket = acceptWebSocket(reply, () => this.#finish(CLOSE.normal, ""), clock, {
      messageBytesMax: MESSAGE_BYTES_MAX,
      onText: (text) => this.#hear(text),
      onBytes: (bytes) => this.#pass({ kind: "sound", bytes }),
    });
    closing.addEventListener("abort", this.#onClosing);
    this.#checkLater();
    if (closing.aborted) this.#onClosing();
    else if (!this.#socket.isOpen) this.#finish(CLOSE.normal, "");
  }

  #hear(text: string): void {
    try {
      const command = validate(TryVoiceCommand, parseJson(text));
      if (command.type === "start") void this.#start(command);
      else if (this.#worker === null) throw new AppError("invalid_state", "Nothing has started yet; send start first.");
      else this.#pass({ kind: "json", value: command });
    } catch (error) {
      this.#refuse(error);
    }
  }

  async #start(start: TryStart): Promise<void> {
    try {
      if (this.#isStarted) throw new AppError("invalid_state", "The try has already started.");
      this.#isStarted = true;
      this.#cancelStart();
      const worker = await this.#deps.openWorker(start);
      if (this.#isOver) return void worker.destroy();
      this.#follow(worker);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #follow(worker: Duplex): void {
    this.#worker = worker;
    const reader = new PacketReader();
    worker.on("data", (chunk: Buffer) => {
      if (this.#isOver) return;
      try {
        for (const packet of reader.read(chunk)) this.#tell(packet);
      } catch {
        // A worker of another version, as during an update.
        this.#finish(CLOSE.broken, "the process that held the conversation cannot be understood");
      }
    });
    // The connection of a process that was killed ends in order too: the system closes it.
    const finish = () =>
      this.#isReported
        ? this.#finish(CLOSE.normal, "the conversation is over")
        : this.#finish(CLOSE.broken, "the process that held the conversation is gone");
    worker.on("end", finish);
    worker.on("close", finish);
  }

  #tell(packet: Packet): void {
    if (packet.kind === "sound") return void this.#socket.sendBytes(packet.bytes);
    this.#isReported ||= (packet.value as TryVoiceEvent).type === "ended";
    this.#socket.sendText(JSON.stringify(packet.value));
  }

  #pass(packet: Packet): void {
    const worker = this.#worker;
    if (worker === null || worker.destroyed || worker.writableLength > BUFFERED_BYTES_MAX) return;
    worker.write(writePacket(packet));
  }

  #refuse(error: unknown): void {
    const refusal = error instanceof AppError ? error : new AppError("internal", "Something failed.", { cause: error });
    const event: TryVoiceEvent = { type: "refused", code: refusal.code, message: refusal.message };
    this.#socket.sendText(JSON.stringify(event));
    this.#finish(CLOSE.notAllowed, refusal.code);
  }

  #checkLater(): void {
    this.#cancelCheck = this.#deps.clock.setTimer(RIGHTS_CHECK_MS, () => {
      this.#deps.stillAllowed().then(
        (isAllowed) => (isAllowed ? this.#checkLater() : this.#finish(CLOSE.notAllowed, "no longer allowed")),
        () => this.#finish(CLOSE.notAllowed, "no longer allowed"),
      );
    });
  }

  #finish(status: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelStart();
    this.#cancelCheck();
    this.#deps.closing.removeEventListener("abort", this.#onClosing);
    this.#worker?.end();
    // It is called from inside the making of the socket only where that never was open.
    this.#socket?.close(status, reason);
    this.#deps.onOver();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new AppError("malformed_json", "A text message must be JSON.");
    throw error;
  }
}
