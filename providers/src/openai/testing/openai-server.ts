import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { createRateConverter } from "@parley/audio/rate-converter";
import { wavHeader } from "@parley/audio/wav-header";
import { readWav } from "@parley/audio/wav-reader";
import type { RecognizedWord } from "@parley/voice/ports/speech-recognizer";
import { type WebSocket, WebSocketServer } from "ws";
import { openAiResponsesWire } from "../../testing/openai-responses-wire.ts";

export interface OpenAiServerOptions {
  /** The key that is accepted. Null: a server without keys. */
  readonly apiKey: string | null;
  /** What is said in audio of 8 kHz. */
  recognize(samples: Int16Array): readonly RecognizedWord[] | Promise<readonly RecognizedWord[]>;
  /** A text as audio of 8 kHz. */
  speak(text: string, voice: string): Int16Array | Promise<Int16Array>;
  /** The rate of the voices. OpenAI has 24 kHz, Piper 22.05 kHz. */
  readonly voiceRateHz?: number;
  /** A server that knows `json` only, as some do. */
  readonly hasWordTimes?: boolean;
  /** What its language model answers. Left out: it has none. */
  readonly respond?: () => string;
  /** Receives the WebSockets of `/v1/realtime`. */
  readonly onRealtime?: (socket: WebSocket, query: URLSearchParams) => void;
}

/** What goes wrong with the next request. */
export type OpenAiFault =
  | {
      readonly type: "status";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  | { readonly type: "silent" }
  /** The reply ends in the middle, without the rest. */
  | { readonly type: "cut" }
  /** The first half of the reply, and then nothing. */
  | { readonly type: "stall" }
  | { readonly type: "body"; readonly contentType: string; readonly body: string | Uint8Array };

interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface OpenAiServer {
  /** With the version: what an adapter takes as `baseUrl`. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** Handshakes of WebSockets, accepted or not. */
  readonly handshakes: readonly IncomingMessage[];
  readonly bytesReceived: number;
  /** Requests and WebSockets that have not ended. */
  readonly underWay: number;
  breakNext(fault: OpenAiFault): void;
  /** Resolves once a request was received that waits for nothing but its fault. */
  stuck(): Promise<void>;
  nothingLeft(): Promise<void>;
  close(): Promise<void>;
}

const PIECE_BYTES = 4_001;

/** OpenAI's audio API on the loopback interface. */
export async function startOpenAiServer(options: OpenAiServerOptions): Promise<OpenAiServer> {
  const requests: SeenRequest[] = [];
  const handshakes: IncomingMessage[] = [];
  const faults: OpenAiFault[] = [];
  const underWay = new Set<object>();
  const sockets = new WebSocketServer({ noServer: true });
  let bytesReceived = 0;

  function end(what: object): void {
    underWay.delete(what);
    if (underWay.size === 0) http.emit("idle");
  }

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    underWay.add(reply);
    reply.once("close", () => end(reply));
    const body = await buffer(request);
    bytesReceived += body.length;
    const path = (request.url ?? "").split("?")[0] ?? "";
    const fields = await readFields(request, body);
    requests.push({ path, headers: request.headers, fields });
    const fault = faults.shift();
    if (fault?.type === "silent") return void http.emit("stuck");
    if (fault?.type === "status") return refuse(reply, fault.status, "planned_fault", fault);
    if (fault?.type === "body") {
      reply.writeHead(200, { "Content-Type": fault.contentType }).end(fault.body);
      return;
    }
    if (!isAllowed(request)) return refuse(reply, 401, "invalid_api_key");
    if (path === "/v1/audio/transcriptions") await transcribe(fields, reply, fault);
    else if (path === "/v1/audio/speech") await speak(fields, reply, fault);
    else if (path === "/v1/responses" && options.respond) {
      const moves = [{ type: "text", text: options.respond() }, { type: "end" }] as const;
      const events = [...openAiResponsesWire.speak(moves)].filter((event) => typeof event === "string");
      await send(reply, "text/event-stream", Buffer.from(events.join("")), fault);
    } else refuse(reply, 404, "unknown_url");
  }

  function isAllowed({ headers }: IncomingMessage): boolean {
    return options.apiKey === null || headers.authorization === `Bearer ${options.apiKey}`;
  }

  async function transcribe(
    fields: Readonly<Record<string, unknown>>,
    reply: ServerResponse,
    fault?: OpenAiFault,
  ): Promise<void> {
    const { file, model, response_format: format = "json", stream } = fields;
    if (!(file instanceof Uint8Array) || typeof model !== "string")
      return refuse(reply, 400, "missing_required_parameter");
    const wav = readWav(file);
    const samples = convert(wav.channels[0] ?? new Int16Array(0), wav.sampleRateHz, 8_000);
    const words = await options.recognize(samples);
    const text = words.map((word) => word.text).join(" ");
    const seconds = samples.length / 8_000;
    if (stream === "true") {
      const events = words.map((word) => ({ type: "transcript.text.delta", delta: `${word.text} ` }));
      const usage = { type: "tokens", input_tokens: 14, output_tokens: 5, total_tokens: 19 };
      const lines = [...events, { type: "transcript.text.done", text, usage }];
      const wire = lines.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
      return send(reply, "text/event-stream", Buffer.from(wire), fault);
    }
    const isVerbose = format === "verbose_json" && options.hasWordTimes !== false;
    const body = isVerbose
      ? { task: "transcribe", language: "english", duration: seconds, text, ...verboseParts(words, text, seconds) }
      : { text, usage: { type: "duration", seconds: Math.ceil(seconds) } };
    return send(reply, "application/json", Buffer.from(JSON.stringify(body)), fault);
  }

  async function speak(
    fields: Readonly<Record<string, unknown>>,
    reply: ServerResponse,
    fault?: OpenAiFault,
  ): Promise<void> {
    const { input, model, voice, response_format: format = "mp3" } = fields;
    if (typeof input !== "string" || typeof model !== "string" || typeof voice !== "string") {
      return refuse(reply, 400, "missing_required_parameter");
    }
    const rateHz = options.voiceRateHz ?? 24_000;
    const samples = convert(await options.speak(input, voice), 8_000, rateHz);
    const pcm = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    if (format === "pcm") return send(reply, "audio/pcm", pcm, fault);
    if (format !== "wav") return send(reply, "audio/mpeg", Buffer.from("ID3"), fault);
    // Streamed before its length is known.
    const header = wavHeader({ sampleRateHz: rateHz, channels: 1 }, 0xffff_ffff);
    return send(reply, "audio/wav", Buffer.concat([header, pcm]), fault);
  }

  async function send(reply: ServerResponse, type: string, bytes: Buffer, fault?: OpenAiFault): Promise<void> {
    reply.writeHead(200, { "Content-Type": type, "Transfer-Encoding": "chunked" });
    const length = fault === undefined ? bytes.length : Math.floor(bytes.length / 2);
    for (let at = 0; at < length && !reply.destroyed; at += PIECE_BYTES) {
      reply.write(bytes.subarray(at, Math.min(length, at + PIECE_BYTES)));
      // One turn of the loop later, so that the pieces are sent separately.
      await new Promise((next) => setImmediate(next));
    }
    if (fault === undefined) reply.end();
    else if (fault.type === "cut") reply.destroy();
    else http.emit("stuck");
  }

  const http = createServer((request, reply) => {
    // Some tests leave in the middle of a request.
    answer(request, reply).catch(() => reply.destroy());
  });
  http.on("connection", (socket: Socket) => socket.on("error", () => socket.destroy()));
  http.on("upgrade", (request: IncomingMessage, socket: Socket, head) => {
    handshakes.push(request);
    const fault = faults.shift();
    const status = fault?.type === "status" ? fault.status : isAllowed(request) ? null : 401;
    if (fault?.type === "silent") return;
    if (status !== null) {
      const headers = fault?.type === "status" ? (fault.headers ?? {}) : {};
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const body = JSON.stringify(errorBody(status, "refused"));
      socket.end(`HTTP/1.1 ${status} No\r\n${lines.join("")}Content-Length: ${body.length}\r\n\r\n${body}`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      underWay.add(accepted);
      accepted.on("message", (data: Buffer) => {
        bytesReceived += data.length;
      });
      accepted.on("error", () => accepted.terminate());
      accepted.once("close", () => end(accepted));
      options.onRealtime?.(accepted, new URL(request.url ?? "/", "http://localhost").searchParams);
    });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    handshakes,
    get bytesReceived() {
      return bytesReceived;
    },
    get underWay() {
      return underWay.size;
    },
    breakNext: (fault) => void faults.push(fault),
    async stuck() {
      await once(http, "stuck");
    },
    async nothingLeft() {
      if (underWay.size > 0) await once(http, "idle");
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

function refuse(
  reply: ServerResponse,
  status: number,
  code: string,
  { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body?: string } = {},
): void {
  reply.writeHead(status, { "Content-Type": "application/json", ...headers });
  reply.end(body ?? JSON.stringify(errorBody(status, code)));
}

function errorBody(status: number, code: string): object {
  return { error: { message: `Status ${status}: ${code}`, type: "invalid_request_error", param: null, code } };
}

async function readFields(request: IncomingMessage, body: Buffer): Promise<Record<string, unknown>> {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return JSON.parse(body.toString() || "{}") as Record<string, unknown>;
  const form = await new Response(new Uint8Array(body), { headers: { "Content-Type": type } }).formData();
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form) {
    if (typeof value !== "string") fields[name] = new Uint8Array(await value.arrayBuffer());
    else if (name.endsWith("[]")) fields[name] = [...((fields[name] as string[] | undefined) ?? []), value];
    else fields[name] = value;
  }
  return fields;
}

function verboseParts(words: readonly RecognizedWord[], text: string, seconds: number): object {
  const isSilent = text === "";
  const segment = { id: 0, seek: 0, start: 0, end: seconds, tokens: [], temperature: 0, compression_ratio: 1 };
  return {
    // Whisper hears thanks in silence, and knows that it is none.
    ...(isSilent ? { text: "Thank you." } : {}),
    words: words.map(({ text: word, startMs, endMs }) => ({ word, start: startMs / 1000, end: endMs / 1000 })),
    segments: [{ ...segment, text, avg_logprob: isSilent ? -1.4 : -0.1, no_speech_prob: isSilent ? 0.9 : 0.01 }],
  };
}

function convert(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  const converter = createRateConverter(fromHz, toHz);
  const [start, rest] = [converter.process(samples), converter.flush()];
  const all = new Int16Array(start.length + rest.length);
  all.set(start);
  all.set(rest, start.length);
  return all;
}
