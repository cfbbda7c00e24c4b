import { type Clock, systemClock } from "@parley/time/clock";
import { ListenedAudio, type SpokenWord, type Understand } from "../../speech/testing/listened-audio.ts";
import {
  type SessionWire,
  type StreamFault,
  StreamingSessions,
  type WireSession,
} from "../../speech/testing/streaming-sessions.ts";
import { startVendorServer, type TestTls, type VendorServer } from "../../testing/vendor-server.ts";

export interface AssemblyAiServerOptions {
  /** The only key that is accepted. */
  readonly key: string;
  readonly recognize: Understand;
  readonly clock?: Clock;
  /** Every message of the server comes this late. */
  readonly delayMs?: number;
  /** AssemblyAI's SDK speaks TLS only. */
  readonly tls?: TestTls;
}

export interface AssemblyAiServer extends VendorServer {
  /** The types of all messages of clients, without audio. */
  readonly messages: readonly string[];
  breakAtNextRequest(fault: StreamFault): void;
  inject(data: string): void;
  received(type: string): Promise<void>;
  idle(): Promise<void>;
}

const PARTIAL_EVERY_MS = 200;
const PAUSE_MS = 160;
const CHUNK_MIN_MS = 50;
const CHUNK_MAX_MS = 1_000;
/** Kept of audio without speech. */
const LEAD_MS = 300;

/** A stand-in for AssemblyAI on the loopback interface: streaming transcription at `/v3/ws`. */
export async function startAssemblyAiServer(options: AssemblyAiServerOptions): Promise<AssemblyAiServer> {
  const { key, recognize, clock = systemClock, delayMs = 0, tls } = options;
  const sessions = new StreamingSessions({
    clock,
    delayMs,
    nameOf: ({ type }) => String(type),
    requests: new Set(["ForceEndpoint"]),
  });
  const server = await startVendorServer({
    ...(tls ? { tls } : {}),
    refusalOf: (status) => ({ error: `refused with ${status}` }),
    onSocket(socket, url, headers) {
      sessions.serve(socket, (wire) => {
        const complaint = complaintAbout(url, headers.authorization === key);
        return complaint ? refuse(wire, ...complaint) : startSession(wire, url.searchParams, recognize, clock);
      });
    },
  });
  return Object.assign(server, {
    messages: sessions.messages,
    breakAtNextRequest: (fault: StreamFault) => sessions.breakAtNextRequest(fault),
    inject: (data: string) => sessions.inject(data),
    received: (type: string) => sessions.received(type),
    idle: () => server.nothingLeft(),
  });
}

/** Keys and parameters are checked after the handshake. */
function complaintAbout(url: URL, hasKey: boolean): [code: number, error: string] | null {
  const query = url.searchParams;
  if (!hasKey) return [1008, "Unauthorized Connection: Invalid API key"];
  if (url.pathname !== "/v3/ws") return [3006, "Unknown path"];
  if (!query.has("speech_model")) return [3006, "Missing speech_model"];
  if (!(Number(query.get("sample_rate")) > 0)) return [3006, "Invalid sample_rate"];
  const terms: unknown = JSON.parse(query.get("keyterms_prompt") ?? "[]");
  if (!Array.isArray(terms) || terms.length > 100) return [3006, "Invalid keyterms_prompt"];
  return null;
}

function refuse({ send, end }: SessionWire, code: number, error: string): WireSession {
  send({ type: "Error", error_code: code, error });
  end(code, "See Error message for details");
  return { hear: async () => undefined, control: async () => undefined };
}

function startSession(
  { send, end }: SessionWire,
  query: URLSearchParams,
  recognize: Understand,
  clock: Clock,
): WireSession {
  const rateHz = Number(query.get("sample_rate"));
  const audio = new ListenedAudio(rateHz, recognize);
  const model = query.get("speech_model") ?? "";
  const formats = query.get("format_turns") === "true";
  const identifies = query.get("language_detection") === "true";
  const startedMs = clock.now();
  let endSilenceMs = Number(query.get("min_turn_silence") ?? 400);
  let order = 0;
  let partialAtMs = 0;
  let hasPaused = false;

  function turn(words: readonly SpokenWord[], is: { over?: boolean; formatted?: boolean; pause?: boolean }): void {
    const isSettled = is.over === true || is.pause === true;
    const shown = words.map(({ word, start, end: wordEnd, confidence }, index) => ({
      start: Math.round(start * 1000),
      end: Math.round(wordEnd * 1000),
      text: is.formatted ? formatted(word, index, words.length) : word,
      confidence,
      word_is_final: isSettled || index < words.length - 1,
    }));
    const transcript = shown.flatMap((word) => (word.word_is_final ? [word.text] : [])).join(" ");
    send({
      type: "Turn",
      turn_order: order,
      turn_is_formatted: is.formatted === true,
      end_of_turn: is.over === true,
      transcript,
      utterance: is.pause ? transcript : "",
      end_of_turn_confidence: is.over ? 0.9 : 0.1,
      words: shown,
      ...(identifies && words.length > 0 ? { language_code: "de", language_confidence: 0.97 } : {}),
    });
  }

  async function endTurn(): Promise<void> {
    const words = await audio.words();
    audio.dispose();
    hasPaused = false;
    if (words.length === 0) return;
    if (model.startsWith("universal-streaming")) {
      turn(words, { over: true, pause: true });
      if (formats) turn(words, { over: true, formatted: true });
    } else turn(words, { over: true, formatted: true });
    order += 1;
  }

  function fail(code: number, error: string): void {
    send({ type: "Error", error_code: code, error });
    end(code, "See Error message for details");
  }

  send({ type: "Begin", id: "de5d9927-73a6-4be8-b52d-b4c07be37e6b", expires_at: 1_796_000_000 });
  return {
    async hear(bytes) {
      const durationMs = (bytes.length * 500) / rateHz;
      if (durationMs < CHUNK_MIN_MS || durationMs > CHUNK_MAX_MS) {
        return fail(3007, `Input duration violation: ${durationMs} ms. Expected between 50 and 1000 ms`);
      }
      for (const frame of audio.take(bytes)) {
        if (!audio.hasSpeech) {
          if (audio.endMs - audio.startMs > 2 * LEAD_MS) audio.dispose(LEAD_MS);
        } else if (frame.silenceMs >= endSilenceMs) await endTurn();
        else if (frame.silenceMs >= PAUSE_MS && !hasPaused) {
          hasPaused = true;
          turn(await audio.words(), { pause: true });
        } else if (frame.endMs - partialAtMs >= PARTIAL_EVERY_MS) {
          partialAtMs = frame.endMs;
          if (frame.isSpeech) hasPaused = false;
          const words = await audio.words();
          if (words.length > 0 && !hasPaused) turn(words, {});
        }
      }
    },
    async control(message) {
      if (message.type === "ForceEndpoint") await endTurn();
      else if (message.type === "UpdateConfiguration") endSilenceMs = Number(message.min_turn_silence ?? endSilenceMs);
      else if (message.type === "Terminate") {
        await endTurn();
        const session_duration_seconds = Math.round((clock.now() - startedMs) / 1000);
        send({ type: "Termination", audio_duration_seconds: Math.round(audio.endMs / 1000), session_duration_seconds });
        end();
      } else if (message.type !== "KeepAlive") fail(3006, `Invalid Message Type: ${String(message.type)}`);
    },
  };
}

function formatted(word: string, index: number, count: number): string {
  const text = index === 0 ? word.slice(0, 1).toUpperCase() + word.slice(1) : word;
  return index === count - 1 ? `${text}.` : text;
}
