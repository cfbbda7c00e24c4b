import { ClipStore } from "@parley/audio/clip-store";
import { DtmfDetector } from "@parley/audio/detect/dtmf-detector";
import { createFrame, FRAME_MS, FRAME_SAMPLES } from "@parley/audio/frame";
import { decodeMulaw, encodeMulaw } from "@parley/audio/g711";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { RingReader } from "@parley/audio/ring-reader";
import type { Clock } from "@parley/time/clock";
import { type RawData, WebSocket } from "ws";
import type { CallLeg } from "../../carrier.ts";
import type { AudioTick } from "../../simulated-network/audio/audio-tick.ts";

/** What goes wrong with streams. */
export interface StreamFaults {
  readonly neverConnects?: boolean;
  /** Messages that are not part of the protocol are sent in between. */
  readonly sendsNonsense?: boolean;
  /** Marks are not returned. */
  readonly keepsMarks?: boolean;
  /** Each second media message is sent before the first. */
  readonly swapsMedia?: boolean;
  /** What it does that no vendor should. */
  readonly breaks?: "media_before_start" | "start_twice" | "huge_message" | "stop_twice";
}

/** How a vendor writes its side of a stream. */
export interface StreamWire {
  readonly headers: Readonly<Record<string, string>>;
  readonly connected: object;
  readonly start: object;
  readonly stop: object;
  dtmf(key: string): object;
  message(event: string, sequence: number, content: object): object;
  /** Whether what is sent to the stream is played. */
  readonly isBidirectional: boolean;
}

export interface StreamClientOptions {
  readonly clock: Clock;
  readonly tick: AudioTick;
  /** The phone. */
  readonly leg: CallLeg;
  readonly url: string;
  readonly wire: StreamWire;
  readonly faults: StreamFaults;
  readonly onClosed: (stream: StreamClient) => void;
}

/** What the vendor's buffer holds, in the order in which it was sent. */
type Queued = { readonly frame: Int16Array } | { readonly mark: string };

/** More than any message of a stream has. */
const HUGE_CHARACTERS = 100_000;

/** A vendor's side of a bidirectional media stream, between a WebSocket server and a phone. */
export class StreamClient {
  readonly #options: StreamClientOptions;
  readonly #socket: WebSocket | null;
  readonly #heard: RingReader;
  readonly #store: ClipStore;
  readonly #playout: PlayoutQueue;
  readonly #frame = createFrame();
  readonly #codes = new Uint8Array(FRAME_SAMPLES);
  readonly #keys: DtmfDetector;
  #queued: Queued[] = [];
  #rest = new Int16Array(0);
  #sequence = 0;
  #heldMedia: object | null = null;
  #chunks = 0;
  #isOpen = false;
  #stopTicking: (() => void) | null = null;

  constructor(options: StreamClientOptions) {
    this.#options = options;
    const { leg, url, wire, faults } = options;
    this.#heard = new RingReader(leg.media.heard);
    this.#store = new ClipStore(leg.media.playout);
    this.#playout = new PlayoutQueue(leg.media.playout);
    this.#keys = new DtmfDetector((event) => {
      if (event.type === "key.released") leg.sendDtmf(event.key);
    });
    if (faults.neverConnects === true) {
      this.#socket = null;
      return;
    }
    this.#socket = new WebSocket(url, { headers: wire.headers, perMessageDeflate: false });
    this.#socket.on("open", () => this.#start());
    this.#socket.on("message", (data: RawData) => this.#take(String(data)));
    this.#socket.on("error", () => this.#socket?.terminate());
    this.#socket.on("close", () => {
      this.#halt();
      options.onClosed(this);
    });
  }

  press(key: string): void {
    this.#send("dtmf", this.#options.wire.dtmf(key));
  }

  /** The call is over, or does something else. */
  stop(): void {
    this.#send("stop", { stop: this.#options.wire.stop });
    if (this.#options.faults.breaks === "stop_twice") {
      this.#send("media", { media: { track: "inbound", chunk: "1", timestamp: "0", payload: "/w==" } });
      this.#send("stop", { stop: this.#options.wire.stop });
    }
    this.close();
  }

  close(): void {
    this.#halt();
    this.#socket?.close(1000);
  }

  /** The connection breaks, without a word. */
  cut(): void {
    this.#halt();
    this.#socket?.terminate();
  }

  #start(): void {
    const { wire, tick, faults } = this.#options;
    this.#isOpen = true;
    this.#socket?.send(JSON.stringify(wire.connected));
    if (faults.breaks === "media_before_start") this.#sendMedia({ media: { timestamp: "0", payload: "/w==" } });
    this.#send("start", { start: wire.start });
    if (faults.breaks === "start_twice") this.#send("start", { start: wire.start });
    if (faults.breaks === "huge_message") this.#send("mark", { mark: { name: "x".repeat(HUGE_CHARACTERS) } });
    this.#heard.seek(this.#heard.writtenPosition);
    this.#stopTicking = tick.join({ tick: () => this.#tick() });
  }

  #halt(): void {
    this.#isOpen = false;
    this.#stopTicking?.();
    this.#stopTicking = null;
  }

  #tick(): void {
    if (!this.#heard.readFrame(this.#frame)) this.#frame.fill(0);
    encodeMulaw(this.#frame, this.#codes);
    this.#chunks += 1;
    const payload = Buffer.from(this.#codes).toString("base64");
    const timestamp = String((this.#chunks - 1) * FRAME_MS);
    this.#sendMedia({ media: { track: "inbound", chunk: String(this.#chunks), timestamp, payload } });
    if (this.#options.faults.sendsNonsense === true) this.#sendNonsense();
    this.#playNext();
  }

  #sendMedia(content: object): void {
    if (this.#options.faults.swapsMedia === true && this.#heldMedia === null) {
      this.#heldMedia = content;
      return;
    }
    this.#send("media", content);
    if (this.#heldMedia !== null) this.#send("media", this.#heldMedia);
    this.#heldMedia = null;
  }

  #sendNonsense(): void {
    this.#socket?.send("{");
    this.#socket?.send(Buffer.from([1, 2, 3]));
    this.#send("media", { media: { track: "inbound", timestamp: "x", payload: "" } });
    this.#send("weather", {});
  }

  #take(text: string): void {
    const { event, media, mark } = JSON.parse(text) as {
      event: string;
      media?: { payload: string };
      mark?: { name: string };
    };
    if (!this.#options.wire.isBidirectional) return;
    if (event === "media" && media !== undefined) this.#store8k(Buffer.from(media.payload, "base64"));
    if (event === "mark" && mark !== undefined) this.#queued.push({ mark: mark.name });
    if (event === "clear") {
      const dropped = this.#queued;
      this.#queued = [];
      this.#rest = new Int16Array(0);
      for (const queued of dropped) if ("mark" in queued) this.#returnMark(queued.mark);
    }
  }

  #store8k(payload: Uint8Array): void {
    const samples = new Int16Array(this.#rest.length + payload.length);
    samples.set(this.#rest);
    decodeMulaw(payload, samples.subarray(this.#rest.length));
    let at = 0;
    for (; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
      this.#queued.push({ frame: samples.slice(at, at + FRAME_SAMPLES) });
    }
    this.#rest = samples.slice(at);
  }

  /** Plays 20 ms to the phone and returns the marks that are reached. */
  #playNext(): void {
    this.#playout.takeReports(({ offset }) => this.#store.free(offset));
    let isPlayed = false;
    while (this.#queued[0] !== undefined) {
      const [next] = this.#queued;
      if ("mark" in next) this.#returnMark(next.mark);
      else if (isPlayed) return;
      else {
        isPlayed = true;
        this.#keys.push(next.frame);
        const offset = this.#store.put(next.frame);
        if (offset !== null && !this.#playout.enqueue(0, offset, FRAME_SAMPLES)) this.#store.free(offset);
      }
      this.#queued.shift();
    }
  }

  #returnMark(name: string): void {
    if (this.#options.faults.keepsMarks !== true) this.#send("mark", { mark: { name } });
  }

  #send(event: string, content: object): void {
    if (!this.#isOpen) return;
    this.#sequence += 1;
    this.#socket?.send(JSON.stringify(this.#options.wire.message(event, this.#sequence, content)));
  }
}
