import type { ServerResponse } from "node:http";
import { encodeMulaw } from "@parley/audio/g711";
import { type Clock, systemClock } from "@parley/time/clock";
import type { WebSocket } from "ws";
import type { Understand } from "../../speech/testing/listened-audio.ts";
import { type StreamFault, StreamingSessions } from "../../speech/testing/streaming-sessions.ts";
import { startVendorServer, type VendorServer } from "../../testing/vendor-server.ts";
import { scribeMessageName, startScribeSession } from "./scribe-wire.ts";

export interface ElevenLabsServerOptions {
  readonly apiKey: string;
  readonly voiceIds: readonly string[];
  speak(text: string, voiceId: string, sampleRateHz: number): Int16Array | Promise<Int16Array>;
  /** What recognition understands. By default nothing. */
  readonly recognize?: Understand;
  readonly clock?: Clock;
  /** Time until the first audio of a context. */
  readonly firstAudioMs?: number;
  /** Waited for before each piece of audio. */
  readonly beforePiece?: () => Promise<void>;
  /** A text is to be spoken, or its first audio is sent. */
  readonly onSpeech?: (text: string, event: "requested" | "started") => void;
}

/** Something that the next context does instead of what it should. */
type ElevenLabsFault =
  | { readonly type: "cut"; readonly afterPieces: number }
  | { readonly type: "silent" }
  | { readonly type: "garbage" }
  | { readonly type: "error"; readonly error: string; readonly message: string }
  | { readonly type: "close"; readonly code: number; readonly reason: string }
  | { readonly type: "repeat_final" }
  | { readonly type: "no_alignment" };

interface SpokenText {
  readonly text: string;
  readonly voiceId: string;
  /** The language that was named for it. */
  readonly language: string | null;
  readonly voiceSettings: unknown;
}

export interface ElevenLabsServer extends VendorServer {
  /** Texts that were to be spoken, with what was set for them. */
  readonly spoken: readonly SpokenText[];
  readonly closedContexts: readonly string[];
  failNext(fault: ElevenLabsFault): void;
  /** Of recognition: commits, and messages that it does not know. */
  readonly messages: readonly string[];
  breakAtNextRequest(fault: StreamFault): void;
  /** Sends something to all clients of recognition, whatever the protocol says. */
  inject(data: string): void;
  received(name: string): Promise<void>;
  idle(): Promise<void>;
}

const PIECE_MS = 200;

/** What ElevenLabs' hosts do, as its SDK for Node understands them: voices over WebSocket and HTTP, and recognition. */
export async function startElevenLabsServer(options: ElevenLabsServerOptions): Promise<ElevenLabsServer> {
  const spoken: SpokenText[] = [];
  const closedContexts: string[] = [];
  let nextFault: ElevenLabsFault | null = null;
  const { recognize = () => "", clock = systemClock } = options;
  const recognition = new StreamingSessions({
    clock,
    delayMs: 0,
    nameOf: scribeMessageName,
    requests: new Set(["commit"]),
  });

  const server = await startVendorServer({
    keyHeader: "xi-api-key",
    keyValue: options.apiKey,
    refusalOf: (status) => ({
      detail: { status: status === 401 ? "invalid_api_key" : "refused", message: `refused with ${status}` },
    }),
    onSocket(socket, url) {
      if (url.pathname === "/v1/speech-to-text/realtime") {
        recognition.serve(socket, (wire) => startScribeSession(wire, url.searchParams, recognize));
        return;
      }
      const voiceId = /^\/v1\/text-to-speech\/([^/]+)\/multi-stream-input$/.exec(url.pathname)?.[1];
      if (voiceId === undefined) socket.close(1008, "no such address");
      else serveContexts(socket, decodeURIComponent(voiceId), url.searchParams);
    },
    onRequest: serveRequest,
  });

  function serveContexts(socket: WebSocket, voiceId: string, query: URLSearchParams): void {
    const format = query.get("output_format") ?? "";
    const contexts = new Map<string, { buffered: string; settings: unknown; speaking: Promise<void> }>();
    const send = (message: unknown) => socket.send(JSON.stringify(message));
    if (!options.voiceIds.includes(voiceId)) {
      const message = `A voice with voice_id ${voiceId} does not exist.`;
      send({ message, error: "voice_id_does_not_exist", code: 1008 });
      socket.close(1008, message);
      return;
    }

    async function speakOut(contextId: string, text: string, settings: unknown): Promise<void> {
      spoken.push({ text: text.trim(), voiceId, language: query.get("language_code"), voiceSettings: settings });
      options.onSpeech?.(text.trim(), "requested");
      const fault = nextFault;
      nextFault = null;
      if (options.firstAudioMs) await new Promise((resolve) => setTimeout(resolve, options.firstAudioMs));
      if (fault?.type === "silent") await new Promise(() => undefined);
      if (fault?.type === "garbage") socket.send("{nonsense");
      if (fault?.type === "error") send({ message: fault.message, error: fault.error, code: 1008, contextId });
      if (fault?.type === "close") socket.close(fault.code, fault.reason);
      if (fault !== null && ["garbage", "error", "close"].includes(fault.type)) return;
      const rateHz = Number(format.split("_")[1]);
      const samples = await options.speak(text.trim(), voiceId, rateHz);
      const pieceSamples = (rateHz * PIECE_MS) / 1_000;
      for (let start = 0; start < samples.length; start += pieceSamples) {
        if (fault?.type === "cut" && start / pieceSamples >= fault.afterPieces) return socket.terminate();
        await options.beforePiece?.();
        const piece = samples.subarray(start, start + pieceSamples);
        if (start === 0) options.onSpeech?.(text.trim(), "started");
        const alignment =
          fault?.type === "no_alignment" ? null : alignmentOf(text, samples.length, start, piece.length, rateHz);
        send({ audio: encoded(piece, format), alignment, normalizedAlignment: alignment, contextId });
        if (fault?.type === "repeat_final") send({ isFinal: true, contextId: `${contextId}-of-another-time` });
      }
    }

    socket.on("message", async (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Record<string, unknown>;
      if (message.close_socket === true) return socket.close(1000);
      const contextId = String(message.context_id ?? "default");
      const text = typeof message.text === "string" ? message.text : "";
      let context = contexts.get(contextId);
      if (context === undefined) {
        // A context that is closed already stays closed.
        if (message.close_context === true) return;
        if (contexts.size >= 5) {
          return send({ message: "Too many contexts", error: "max_active_contexts", code: 1008, contextId });
        }
        context = { buffered: "", settings: message.voice_settings ?? null, speaking: Promise.resolve() };
        contexts.set(contextId, context);
      }
      const { settings } = context;
      context.buffered += text;
      const isClosing = message.close_context === true;
      if ((message.flush === true || isClosing) && context.buffered.trim() !== "") {
        const flushed = context.buffered.trimStart();
        context.buffered = "";
        context.speaking = context.speaking.then(() => speakOut(contextId, flushed, settings));
      }
      if (!isClosing) return;
      closedContexts.push(contextId);
      await context.speaking;
      if (contexts.delete(contextId)) send({ isFinal: true, contextId });
    });
  }

  async function serveRequest(url: URL, body: string, response: ServerResponse): Promise<void> {
    const [, voiceId] = /^\/v1\/text-to-speech\/([^/]+)\/stream$/.exec(url.pathname) ?? [];
    if (voiceId === undefined || !options.voiceIds.includes(voiceId)) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ detail: { status: "voice_not_found", message: "no such voice" } }));
      return;
    }
    const { text } = JSON.parse(body) as { text: string };
    const format = url.searchParams.get("output_format") ?? "";
    const samples = await options.speak(text, voiceId, Number(format.split("_")[1]));
    response.writeHead(200, { "content-type": "audio/pcm" });
    response.end(Buffer.from(encoded(samples, format), "base64"));
  }

  return Object.assign(server, {
    spoken,
    closedContexts,
    failNext(fault: ElevenLabsFault) {
      nextFault = fault;
    },
    messages: recognition.messages,
    breakAtNextRequest: (fault: StreamFault) => recognition.breakAtNextRequest(fault),
    inject: (data: string) => recognition.inject(data),
    received: (name: string) => recognition.received(name),
    idle: () => server.nothingLeft(),
  });
}

/** The characters that fall into a piece, evenly over the audio. Times count from the piece's beginning. */
function alignmentOf(text: string, wholeSamples: number, start: number, count: number, rateHz: number) {
  const toMs = (samples: number) => Math.round((1_000 * samples) / rateHz);
  const step = wholeSamples / text.length;
  const first = Math.ceil(start / step);
  const chars = [...text].slice(first, Math.ceil((start + count) / step));
  return {
    chars,
    charStartTimesMs: chars.map((_, index) => toMs((first + index) * step - start)),
    charDurationsMs: chars.map(() => toMs(step)),
  };
}

function encoded(samples: Int16Array, format: string): string {
  if (format.startsWith("pcm_"))
    return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString("base64");
  const bytes = new Uint8Array(samples.length);
  encodeMulaw(samples, bytes);
  return Buffer.from(bytes).toString("base64");
}
