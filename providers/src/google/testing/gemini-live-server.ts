import { createRateConverter } from "@parley/audio/rate-converter";
import type { Clock } from "@parley/time/clock";
import type { RecognizedWord } from "@parley/voice/ports/speech-recognizer";
import type { WebSocket } from "ws";
import { startVendorServer, type VendorServer } from "../../testing/vendor-server.ts";

/** What the model does in its next turn. */
export type LiveMove =
  /** `holds`: half of it, and the turn goes on until it is interrupted. */
  | { readonly type: "say"; readonly text: string; readonly holds?: boolean }
  | { readonly type: "call"; readonly name: string; readonly input: object }
  /** The turn begins, and then nothing comes. */
  | { readonly type: "stall" }
  /** The model ends its turn without a word. */
  | { readonly type: "nothing" };

/** What a turn of the model is about. */
interface LiveRequest {
  /** The last text of the client, if that is what it replies to. */
  readonly text: string | null;
  /** What the callee said last, if that is what it replies to. */
  readonly said: string | null;
  /** The results of functions, if that is what it replies to. */
  readonly outputs: unknown;
}

type LiveMessage = Readonly<Record<string, unknown>>;

export interface GeminiLiveServerOptions {
  readonly apiKey: string;
  /** What is said in audio of 8 kHz. */
  recognize(samples: Int16Array): readonly RecognizedWord[] | Promise<readonly RecognizedWord[]>;
  /** A text as audio of 8 kHz. */
  speak(text: string): Int16Array | Promise<Int16Array>;
  /** The next moves, in order. */
  readonly moves?: LiveMove[];
  /** What the model does when no move is planned. Default: it says yes. */
  decide?(request: LiveRequest): LiveMove;
  /** Audio of an interrupted turn that is still on its way when it is interrupted. */
  readonly hasLateMessages?: boolean;
  /**
   * A turn is complete only when its audio would have been played, as with the real one: when it was by this clock, or at
   * `finishPlayback`. Until then the callee can interrupt it. Default: it is complete when its audio was sent.
   */
  readonly assumesPlayback?: boolean | Clock;
  /**
   * As older models, it waits for the results of functions in the same turn, and replies to all of them. Otherwise functions run
   * beside the conversation, and silent results have no reply.
   */
  readonly waitsForFunctions?: boolean;
  /** Reports the start and the end of speech, as some models do. */
  readonly hasVoiceActivity?: boolean;
}

export interface GeminiLiveServer {
  readonly url: string;
  /** Its connections: handshakes with their headers, refusals, and cuts. */
  readonly host: VendorServer;
  /** Every message of the client, audio excepted. */
  readonly received: readonly LiveMessage[];
  /** How much audio was received, in milliseconds. */
  readonly heardMs: number;
  /** Announces to all connections that they will end. */
  goAway(timeLeft: string): void;
  finishPlayback(): void;
  /** A message as it is, to all connections. */
  send(message: string): void;
  close(): Promise<void>;
}

const RATE_HZ = 8_000;
const FRAME_SAMPLES = 160;
const LOUD = 1_500;
const PART_BYTES = 24_000;
const SILENCE_DEFAULT_MS = 500;
const USAGE = {
  ...{ promptTokenCount: 100, responseTokenCount: 30, thoughtsTokenCount: 5, totalTokenCount: 135 },
  promptTokensDetails: [{ modality: "AUDIO", tokenCount: 100 }],
  responseTokensDetails: [{ modality: "AUDIO", tokenCount: 30 }],
};
const KNOWN_FIELDS = ["setup", "clientContent", "realtimeInput", "toolResponse"];

/** The Live API of Gemini on the loopback interface. The key is accepted as a header or in the query, as by the real one. */
export async function startGeminiLiveServer(options: GeminiLiveServerOptions): Promise<GeminiLiveServer> {
  const received: LiveMessage[] = [];
  const connections = new Set<LiveConnection>();
  const handles = new Set<string>();
  let heardSamples = 0;
  const shared: SharedState = {
    options,
    received,
    handles,
    hear(samples) {
      heardSamples += samples;
    },
  };
  const server = await startVendorServer({
    refusalOf: (status) => ({ error: { code: status, message: "Refused.", status: "INVALID_ARGUMENT" } }),
    onSocket(socket, url, headers) {
      const key = headers["x-goog-api-key"] ?? url.searchParams.get("key");
      // Google's package begins the path with two slashes, so that its first segment reads as a host.
      if (
        !/^\/(?:ws\/)?google\.ai\.generativelanguage\.v1\w*\.GenerativeService\.BidiGenerateContent$/.test(url.pathname)
      ) {
        return socket.close(1008, "Unknown method.");
      }
      if (key !== options.apiKey) return socket.close(1007, "API key not valid. Please pass a valid API key.");
      const connection = new LiveConnection(socket, shared);
      connections.add(connection);
      socket.once("close", () => connections.delete(connection));
    },
  });
  return {
    url: server.url,
    host: server,
    received,
    get heardMs() {
      return heardSamples / (RATE_HZ / 1000);
    },
    goAway(timeLeft) {
      for (const connection of connections) connection.send({ goAway: { timeLeft } });
    },
    finishPlayback() {
      for (const connection of connections) connection.completeTurn();
    },
    send(message) {
      for (const connection of connections) connection.sendRaw(message);
    },
    close: () => server.close(),
  };
}

interface SharedState {
  readonly options: GeminiLiveServerOptions;
  readonly received: LiveMessage[];
  /** The handles with which a conversation can be continued. */
  readonly handles: Set<string>;
  hear(samples: number): void;
}

interface ModelTurn {
  isInterrupted: boolean;
  isGenerated: boolean;
  /** How long its audio takes to play. */
  audioMs: number;
}

class LiveConnection {
  readonly #socket: WebSocket;
  readonly #shared: SharedState;
  readonly #converter = createRateConverter(16_000, RATE_HZ);
  #setup: Readonly<Record<string, unknown>> | null = null;
  #turn: ModelTurn | null = null;
  #waiting = new Int16Array(0);
  #buffer: Int16Array[] = [];
  #isSpeech = false;
  #silenceMs = 0;
  #heardSamples = 0;
  #count = 0;
  #lastText: string | null = null;
  /** The functions without a result, with their names. */
  readonly #calls = new Map<string, string>();
  /** Results of functions that came while the model spoke. */
  #later: LiveRequest | null = null;

  constructor(socket: WebSocket, shared: SharedState) {
    this.#socket = socket;
    this.#shared = shared;
    socket.on("message", (data: Buffer) => this.#receive(JSON.parse(data.toString()) as Record<string, unknown>));
  }

  /** Messages are JSON in binary frames. */
  send(message: object): void {
    this.sendRaw(JSON.stringify(message));
  }

  sendRaw(message: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(Buffer.from(message));
  }

  completeTurn(): void {
    if (this.#turn?.isGenerated !== true) return;
    this.#turn = null;
    this.send({ serverContent: { turnComplete: true } });
    this.#offerHandle();
    this.#followUp();
  }

  #refuse(reason: string): void {
    this.#socket.close(1007, reason);
  }

  #offerHandle(): void {
    if (!this.#setup?.sessionResumption) return;
    const newHandle = `handle_${this.#shared.handles.size + 1}`;
    this.#shared.handles.add(newHandle);
    this.send({ sessionResumptionUpdate: { newHandle, resumable: true } });
  }

  #receive(message: Record<string, unknown>): void {
    const unknown = Object.keys(message).find((field) => !KNOWN_FIELDS.includes(field));
    if (unknown !== undefined) return this.#refuse(`Invalid JSON payload received. Unknown name "${unknown}".`);
    if (this.#setup === null) return this.#start(message);
    const input = message.realtimeInput as { audio?: { mimeType: string; data: string } } | undefined;
    if (input?.audio === undefined) this.#shared.received.push(message);
    else if (input.audio.mimeType !== "audio/pcm;rate=16000") return this.#refuse("Unsupported audio.");
    else this.#append(input.audio.data);
    if (message.clientContent) this.#takeContent(message.clientContent as ClientContent);
    if (message.toolResponse) this.#takeResults(message.toolResponse as ToolResponse);
  }

  #start(message: Record<string, unknown>): void {
    const setup = message.setup as Record<string, unknown> | undefined;
    this.#shared.received.push(message);
    const config = setup?.generationConfig as { responseModalities?: string[] } | undefined;
    const isValid = String(setup?.model).startsWith("models/") && config?.responseModalities?.join() === "AUDIO";
    if (setup === undefined || !isValid) return this.#refuse("Request contains an invalid argument.");
    const { handle } = (setup.sessionResumption ?? {}) as { handle?: string };
    if (handle !== undefined && !this.#shared.handles.has(handle)) return this.#refuse("Unknown session.");
    this.#setup = setup;
    this.send({ setupComplete: {} });
    this.#offerHandle();
  }

  #takeContent({ turns = [], turnComplete = false }: ClientContent): void {
    this.#interrupt();
    this.#lastText = turns.at(-1)?.parts.at(-1)?.text ?? this.#lastText;
    if (turnComplete) void this.#generate({ text: this.#lastText, said: null, outputs: null });
  }

  #takeResults({ functionResponses }: ToolResponse): void {
    const answered = functionResponses.filter(({ id, name }) => this.#calls.get(id) === name);
    for (const { id } of answered) this.#calls.delete(id);
    if (answered.length === 0) return;
    const request = { text: null, said: null, outputs: answered.map(({ response }) => response) };
    const isSilent = answered.every(({ scheduling }) => scheduling === "SILENT");
    if (this.#shared.options.waitsForFunctions) {
      // Moves are planned for replies that are wanted.
      const planned = isSilent ? ({ type: "say", text: "Yes." } as const) : undefined;
      if (this.#turn && this.#calls.size === 0) void this.#move(this.#turn, request, planned);
    } else if (!isSilent) this.#generateWhenIdle(request);
  }

  #generateWhenIdle(request: LiveRequest): void {
    if (this.#turn === null && !this.#isSpeech) void this.#generate(request);
    else this.#later = request;
  }

  #followUp(): void {
    const request = this.#later;
    this.#later = null;
    if (request !== null) this.#generateWhenIdle(request);
  }

  #append(data: string): void {
    const bytes = Buffer.from(data, "base64");
    const pcm = Int16Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(2 * index));
    const samples = this.#converter.process(pcm);
    this.#shared.hear(samples.length);
    this.#waiting = joined([this.#waiting, samples]);
    while (this.#waiting.length >= FRAME_SAMPLES) {
      this.#hear(this.#waiting.slice(0, FRAME_SAMPLES));
      this.#waiting = this.#waiting.slice(FRAME_SAMPLES);
    }
  }

  #hear(frame: Int16Array): void {
    this.#heardSamples += frame.length;
    this.#buffer.push(frame);
    const input = (this.#setup?.realtimeInputConfig ?? {}) as RealtimeInputConfig;
    if (frame.some((sample) => Math.abs(sample) > LOUD)) {
      this.#silenceMs = 0;
      if (this.#isSpeech) return;
      this.#isSpeech = true;
      this.#reportActivity("ACTIVITY_START");
      if (input.activityHandling !== "NO_INTERRUPTION") this.#interrupt();
      return;
    }
    this.#silenceMs += 20;
    const silenceMs = input.automaticActivityDetection?.silenceDurationMs ?? SILENCE_DEFAULT_MS;
    if (!this.#isSpeech || this.#silenceMs < silenceMs) return;
    this.#isSpeech = false;
    this.#reportActivity("ACTIVITY_END");
    const samples = joined(this.#buffer);
    this.#buffer = [];
    void this.#understand(samples, this.#turn);
  }

  #reportActivity(voiceActivityType: string): void {
    if (!this.#shared.options.hasVoiceActivity) return;
    this.send({ voiceActivity: { voiceActivityType, audioOffset: `${this.#heardSamples / RATE_HZ}s` } });
  }

  /** It replies to the callee, unless a text has begun another turn, which knows what was said. */
  async #understand(samples: Int16Array, during: ModelTurn | null): Promise<void> {
    const words = await this.#shared.options.recognize(samples);
    const said = words.map(({ text }) => text).join(" ");
    if (this.#setup?.inputAudioTranscription) {
      for (const [index, { text }] of words.entries()) {
        this.send({ serverContent: { inputTranscription: { text: index === 0 ? text : ` ${text}` } } });
      }
    }
    if (this.#turn === during) this.#generateWhenIdle({ text: null, said, outputs: null });
  }

  /** An interrupted turn has no `generationComplete`. Functions that were called in it are withdrawn. */
  #interrupt(): void {
    const turn = this.#turn;
    if (turn === null) return;
    turn.isInterrupted = true;
    this.#turn = null;
    if (this.#shared.options.waitsForFunctions && this.#calls.size > 0) {
      this.send({ toolCallCancellation: { ids: [...this.#calls.keys()] } });
      this.#calls.clear();
    }
    if (this.#shared.options.hasLateMessages && !turn.isGenerated) {
      this.send({
        serverContent: { outputTranscription: { text: "late " }, modelTurn: audioTurn(Buffer.alloc(4_800, 9)) },
      });
    }
    this.send({ serverContent: { interrupted: true } });
    this.send({ serverContent: { turnComplete: true }, usageMetadata: USAGE });
    this.#offerHandle();
  }

  async #generate(request: LiveRequest): Promise<void> {
    const turn: ModelTurn = { isInterrupted: false, isGenerated: false, audioMs: 0 };
    this.#turn = turn;
    this.send({ sessionResumptionUpdate: { resumable: false } });
    await this.#move(turn, request);
  }

  async #move(turn: ModelTurn, request: LiveRequest, planned?: LiveMove): Promise<void> {
    const { options } = this.#shared;
    const move = planned ?? options.moves?.shift() ?? options.decide?.(request) ?? { type: "say", text: "Yes." };
    if (move.type === "stall") return;
    if (move.type === "call") {
      this.#count += 1;
      const id = `function-call-${this.#count}`;
      this.#calls.set(id, move.name);
      this.send({ toolCall: { functionCalls: [{ id, name: move.name, args: move.input }] } });
      if (options.waitsForFunctions) return;
    } else if (move.type === "say" && !(await this.#say(turn, move.text, move.holds === true))) return;
    turn.isGenerated = true;
    this.send({ serverContent: { generationComplete: true }, usageMetadata: USAGE });
    const { assumesPlayback = false } = options;
    if (assumesPlayback === false) this.completeTurn();
    else if (assumesPlayback !== true) {
      assumesPlayback.setTimer(turn.audioMs, () => {
        if (this.#turn === turn) this.completeTurn();
      });
    }
  }

  /** False if it was not said to its end. */
  async #say(turn: ModelTurn, text: string, holds: boolean): Promise<boolean> {
    const samples = convert(await this.#shared.options.speak(text), RATE_HZ, 24_000);
    if (turn.isInterrupted) return false;
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    const length = holds ? 2 * Math.floor(samples.length / 2) : bytes.length;
    const words = text.split(/(?<= )/);
    turn.audioMs += length / 48;
    const spoken = holds ? words.slice(0, Math.ceil(words.length / 2)) : words;
    const first = spoken.shift() ?? "";
    const head = bytes.subarray(0, Math.min(length, PART_BYTES));
    // One message may carry audio and words.
    this.send({ serverContent: { modelTurn: audioTurn(head), ...this.#transcript(first) } });
    for (const word of spoken) this.send({ serverContent: this.#transcript(word) });
    for (let at = PART_BYTES; at < length; at += PART_BYTES) {
      this.send({ serverContent: { modelTurn: audioTurn(bytes.subarray(at, Math.min(length, at + PART_BYTES))) } });
    }
    return !holds;
  }

  #transcript(text: string): object {
    return this.#setup?.outputAudioTranscription ? { outputTranscription: { text } } : {};
  }
}

interface ClientContent {
  readonly turns?: readonly { readonly parts: readonly { readonly text: string }[] }[];
  readonly turnComplete?: boolean;
}

interface ToolResponse {
  readonly functionResponses: readonly {
    readonly id: string;
    readonly name: string;
    readonly response: unknown;
    readonly scheduling?: string;
  }[];
}

interface RealtimeInputConfig {
  readonly activityHandling?: string;
  readonly automaticActivityDetection?: { readonly silenceDurationMs?: number };
}

function audioTurn(bytes: Buffer): object {
  return {
    role: "model",
    parts: [{ inlineData: { mimeType: "audio/pcm;rate=24000", data: bytes.toString("base64") } }],
  };
}

function convert(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  const converter = createRateConverter(fromHz, toHz);
  return joined([converter.process(samples), converter.flush()]);
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
