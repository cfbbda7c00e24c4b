import { decodeMulaw } from "@parley/audio/g711";
import { createRateConverter } from "@parley/audio/rate-converter";
import type { RecognizedWord } from "@parley/voice/ports/speech-recognizer";
import type { WebSocket } from "ws";

export type RealtimeEvent = Record<string, unknown> & { readonly type: string };

export interface RealtimeInputOptions {
  recognize(samples: Int16Array): readonly RecognizedWord[] | Promise<readonly RecognizedWord[]>;
  /** What goes wrong with the transcription of the next item. */
  readonly faults?: RealtimeFault[];
}

export type RealtimeFault = "fails" | "closes" | "malformed" | "twice" | "silent" | "late" | "session_expired";

interface TurnDetection {
  readonly silence_duration_ms?: number;
  readonly prefix_padding_ms?: number;
  readonly create_response?: boolean;
  readonly interrupt_response?: boolean;
}

/** What speech detection found. */
export interface TurnListener {
  onSpeech(): void;
  /** The callee's turn is over; what was said becomes known a little later. */
  onTurn(said: Promise<string>): void;
}

const RATE_HZ = 8_000;
const FRAME_SAMPLES = 160;
const LOUD = 1_500;
const COMMIT_SAMPLES_MIN = 800;

/** The input side of a realtime session: the audio buffer, speech detection and transcription. */
export class RealtimeInput {
  readonly #socket: WebSocket;
  readonly #options: RealtimeInputOptions;
  readonly #listener: TurnListener | null;
  #session: Record<string, unknown>;
  #format = "audio/pcm";
  #turnDetection: TurnDetection | null = null;
  #isTranscribed = true;
  #converter = createRateConverter(24_000, RATE_HZ);
  #waiting = new Int16Array(0);
  #buffer: Int16Array[] = [];
  #heardSamples = 0;
  #silenceMs = 0;
  #itemId: string | null = null;
  #lastItemId: string | null = null;
  #count = 0;
  #late: (() => void)[] = [];

  constructor(
    socket: WebSocket,
    session: Record<string, unknown>,
    options: RealtimeInputOptions,
    listener: TurnListener | null = null,
  ) {
    this.#socket = socket;
    this.#session = session;
    this.#options = options;
    this.#listener = listener;
    this.send({ type: "session.created", session });
  }

  get session(): Readonly<Record<string, unknown>> {
    return this.#session;
  }

  get turnDetection(): TurnDetection | null {
    return this.#turnDetection;
  }

  get nowMs(): number {
    return (1000 * this.#heardSamples) / RATE_HZ;
  }

  /** Sends an event with an id of its own. */
  send(event: RealtimeEvent): void {
    this.#count += 1;
    this.#socket.send(JSON.stringify({ event_id: `event_${this.#count}`, ...event }));
  }

  refuse(message: string, code: string, eventId: unknown, type = "invalid_request_error"): void {
    this.send({ type: "error", error: { type, code, message, param: null, event_id: eventId ?? null } });
  }

  newItemId(): string {
    this.#count += 1;
    return `item_${this.#count}`;
  }

  /** False if the event is not one of the input. */
  handle(event: RealtimeEvent): boolean {
    if (event.type === "session.update") this.#update(event);
    else if (event.type === "input_audio_buffer.append") this.#append(String(event.audio));
    else if (event.type === "input_audio_buffer.clear") {
      this.#buffer = [];
      this.send({ type: "input_audio_buffer.cleared" });
    } else if (event.type === "input_audio_buffer.commit") {
      const samples = this.#buffer.reduce((sum, piece) => sum + piece.length, 0);
      if (samples < COMMIT_SAMPLES_MIN) {
        this.refuse("The buffer is too small.", "input_audio_buffer_commit_empty", event.event_id);
      } else void this.#commit();
    } else return false;
    return true;
  }

  #update({ session, event_id: eventId }: RealtimeEvent): void {
    const wanted = session as { audio?: { input?: Record<string, unknown> } };
    const input = wanted.audio?.input ?? {};
    const format = (input.format as { type?: string } | undefined)?.type ?? this.#format;
    if (!["audio/pcm", "audio/pcmu"].includes(format)) {
      return this.refuse(`Invalid value: '${format}'.`, "invalid_value", eventId);
    }
    this.#format = format;
    if (input.turn_detection !== undefined) this.#turnDetection = input.turn_detection as TurnDetection | null;
    this.#isTranscribed = input.transcription !== null && input.transcription !== undefined;
    this.#session = { ...this.#session, ...(session as object) };
    this.send({ type: "session.updated", session: this.#session });
  }

  #append(audio: string): void {
    const bytes = Buffer.from(audio, "base64");
    const samples = this.#format === "audio/pcmu" ? decoded(bytes) : this.#converter.process(pcmOf(bytes));
    this.#waiting = joined([this.#waiting, samples]);
    while (this.#waiting.length >= FRAME_SAMPLES) {
      this.#hear(this.#waiting.slice(0, FRAME_SAMPLES));
      this.#waiting = this.#waiting.slice(FRAME_SAMPLES);
    }
  }

  #hear(frame: Int16Array): void {
    this.#buffer.push(frame);
    this.#heardSamples += frame.length;
    if (this.#turnDetection === null) return;
    const isLoud = frame.some((sample) => Math.abs(sample) > LOUD);
    if (isLoud) {
      this.#silenceMs = 0;
      if (this.#itemId !== null) return;
      this.#itemId = this.newItemId();
      const startMs = Math.max(0, this.nowMs - 20 - (this.#turnDetection.prefix_padding_ms ?? 300));
      this.send({ type: "input_audio_buffer.speech_started", audio_start_ms: startMs, item_id: this.#itemId });
      this.#listener?.onSpeech();
      return;
    }
    this.#silenceMs += 20;
    if (this.#itemId === null || this.#silenceMs < (this.#turnDetection.silence_duration_ms ?? 500)) return;
    this.send({ type: "input_audio_buffer.speech_stopped", audio_end_ms: this.nowMs, item_id: this.#itemId });
    const said = this.#commit();
    this.#listener?.onTurn(said);
  }

  #commit(): Promise<string> {
    const itemId = this.#itemId ?? this.newItemId();
    const samples = joined(this.#buffer);
    this.#buffer = [];
    this.#itemId = null;
    this.#silenceMs = 0;
    this.send({ type: "input_audio_buffer.committed", item_id: itemId, previous_item_id: this.#lastItemId });
    const content = [{ type: "input_audio", transcript: null }];
    const item = { id: itemId, object: "realtime.item", type: "message", role: "user", status: "completed", content };
    this.send({ type: "conversation.item.added", item, previous_item_id: this.#lastItemId });
    this.send({ type: "conversation.item.done", item, previous_item_id: this.#lastItemId });
    this.#lastItemId = itemId;
    const heard = Promise.resolve(this.#options.recognize(samples));
    if (this.#isTranscribed) void this.#transcribe(itemId, samples, heard);
    return heard.then((words) => words.map(({ text }) => text).join(" "));
  }

  async #transcribe(itemId: string, samples: Int16Array, heard: Promise<readonly RecognizedWord[]>): Promise<void> {
    const fault = this.#options.faults?.shift();
    const words = await heard;
    const about = { item_id: itemId, content_index: 0 };
    if (fault === "silent") return;
    if (fault === "closes") return this.#socket.terminate();
    if (fault === "malformed") return this.#socket.send('{"type": "conversation.item');
    if (fault === "session_expired") {
      this.refuse("Your session hit the maximum duration.", "session_expired", null);
      return this.#socket.close(1001);
    }
    if (fault === "fails") {
      const error = { type: "server_error", code: "transcription_failed", message: "It could not be transcribed." };
      return this.send({ type: "conversation.item.input_audio_transcription.failed", ...about, error });
    }
    const transcript = words.map(({ text }) => text).join(" ");
    const finish = () => {
      for (const [index, { text }] of words.entries()) {
        const delta = index === 0 ? text : ` ${text}`;
        this.send({ type: "conversation.item.input_audio_transcription.delta", ...about, delta, logprobs: null });
      }
      const usage = { type: "duration", seconds: samples.length / RATE_HZ };
      const done = { type: "conversation.item.input_audio_transcription.completed", ...about, transcript, usage };
      this.send(done);
      if (fault === "twice") this.send(done);
    };
    // Transcripts may overtake each other.
    if (fault === "late") return void this.#late.push(finish);
    finish();
    for (const each of this.#late.splice(0)) each();
  }
}

function pcmOf(bytes: Buffer): Int16Array {
  return Int16Array.from({ length: Math.floor(bytes.length / 2) }, (_, index) => bytes.readInt16LE(2 * index));
}

function decoded(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length);
  decodeMulaw(bytes, samples);
  return samples;
}

function joined(pieces: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const samples = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    samples.set(piece, at);
    at += piece.length;
  }
  return samples;
}

/** Serves transcription sessions. */
export function serveTranscription(socket: WebSocket, options: RealtimeInputOptions): void {
  const session = { type: "transcription", object: "realtime.transcription_session", id: "sess_1" };
  const input = new RealtimeInput(socket, session, options);
  socket.on("message", (data: Buffer) => {
    const event = JSON.parse(data.toString()) as RealtimeEvent;
    if (!input.handle(event)) input.refuse(`Unknown event ${event.type}`, "invalid_value", event.event_id);
  });
}
