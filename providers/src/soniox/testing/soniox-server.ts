import { type Clock, systemClock } from "@parley/time/clock";
import { ListenedAudio, type Understand } from "../../speech/testing/listened-audio.ts";
import {
  type SessionWire,
  type StreamFault,
  StreamingSessions,
  type WireSession,
} from "../../speech/testing/streaming-sessions.ts";
import { startVendorServer, type VendorServer } from "../../testing/vendor-server.ts";

export interface SonioxServerOptions {
  /** The only key that is accepted. */
  readonly key: string;
  readonly recognize: Understand;
  readonly clock?: Clock;
  /** Every message of the server comes this late. */
  readonly delayMs?: number;
  /** Speech after which a part of the text is final although the speaker goes on. */
  readonly finalEveryMs?: number;
}

export interface SonioxServer extends VendorServer {
  /** The types of all messages of clients, without audio: `start`, `finalize`, `keepalive` and `end`. */
  readonly messages: readonly string[];
  /** The settings of each session. */
  readonly starts: readonly Readonly<Record<string, unknown>>[];
  breakAtNextRequest(fault: StreamFault): void;
  inject(data: string): void;
  received(type: string): Promise<void>;
  idle(): Promise<void>;
}

const RESULT_EVERY_MS = 180;
/** Longer words are sent in two tokens. */
const TOKEN_LENGTH = 5;
/** Kept of audio without speech. */
const LEAD_MS = 300;

/**
 * A stand-in for Soniox on the loopback interface: real-time transcription. The key comes with the handshake, or in the
 * first message, as its SDK sends it.
 */
export async function startSonioxServer(options: SonioxServerOptions): Promise<SonioxServer> {
  const { key, recognize, clock = systemClock, delayMs = 0, finalEveryMs = 3_000 } = options;
  const starts: Readonly<Record<string, unknown>>[] = [];
  const sessions = new StreamingSessions({ clock, delayMs, nameOf, requests: new Set(["finalize"]) });
  const server = await startVendorServer({
    judgeKey({ authorization }) {
      return authorization === undefined || authorization === `Bearer ${key}`;
    },
    refusalOf: (status) => ({ error_code: status, error_message: `Refused with ${status}.` }),
    onSocket(socket, url, headers) {
      sessions.serve(socket, (wire) => {
        if (url.pathname !== "/transcribe-websocket") return refuse(wire, 404, "No such address.");
        let session: WireSession | null = null;
        return {
          async hear(bytes) {
            if (session) await session.hear(bytes);
            else refuse(wire, 400, "Start request must be a text message.");
          },
          async control(message) {
            if (session) return session.control(message);
            starts.push(message);
            const isKnown = headers.authorization !== undefined || message.api_key === key;
            if (!isKnown) refuse(wire, 401, "Incorrect API key provided.");
            else if (!/^stt-rt-/.test(String(message.model))) refuse(wire, 400, "Invalid model specified.");
            else session = startSession(wire, message, recognize, finalEveryMs);
          },
        };
      });
    },
  });
  return Object.assign(server, {
    messages: sessions.messages,
    starts,
    breakAtNextRequest: (fault: StreamFault) => sessions.breakAtNextRequest(fault),
    inject: (data: string) => sessions.inject(data),
    received: (type: string) => sessions.received(type),
    idle: () => server.nothingLeft(),
  });
}

function nameOf(message: Readonly<Record<string, unknown>>): string {
  if (typeof message.type === "string") return message.type;
  return "model" in message ? "start" : "end";
}

function refuse({ send, end }: SessionWire, code: number, message: string): WireSession {
  send({ error_code: code, error_message: message });
  end();
  return { hear: async () => undefined, control: async () => undefined };
}

function startSession(
  { send, end }: SessionWire,
  start: Readonly<Record<string, unknown>>,
  recognize: Understand,
  finalEveryMs: number,
): WireSession {
  const rateHz = Number(start.sample_rate);
  const audio = new ListenedAudio(rateHz, recognize);
  const findsEnds = start.enable_endpoint_detection === true;
  const endSilenceMs = Math.min(600, Number(start.max_endpoint_delay_ms ?? 2_000));
  const hints = Array.isArray(start.language_hints) ? start.language_hints : ["en"];
  let resultAtMs = 0;
  let finalMs = 0;
  let isInTurn = false;

  async function report(isFinal: boolean, marker?: "<end>" | "<fin>"): Promise<void> {
    const words = await audio.words();
    const tokens = words.flatMap(({ word, start: from, end: to, confidence }) => {
      const pieces = word.length > TOKEN_LENGTH ? [word.slice(0, TOKEN_LENGTH), word.slice(TOKEN_LENGTH)] : [word];
      const stepMs = ((to - from) * 1000) / pieces.length;
      return pieces.map((text, index) => ({
        text: index === 0 ? ` ${text}` : text,
        start_ms: Math.round(from * 1000 + index * stepMs),
        end_ms: Math.round(from * 1000 + (index + 1) * stepMs),
        confidence,
        is_final: isFinal,
        ...(start.enable_language_identification === true ? { language: String(hints[0]) } : {}),
      }));
    });
    if (isFinal) {
      finalMs = audio.endMs;
      audio.dispose();
    }
    isInTurn = marker === undefined && (isInTurn || tokens.length > 0);
    const markers = marker ? [{ text: marker, is_final: true, confidence: 1 }] : [];
    resultAtMs = audio.endMs;
    send({
      tokens: [...tokens, ...markers],
      final_audio_proc_ms: Math.round(finalMs),
      total_audio_proc_ms: Math.round(audio.endMs),
    });
  }

  return {
    async hear(bytes) {
      if (bytes.length === 0) return this.control({});
      for (const frame of audio.take(bytes)) {
        if (findsEnds && isInTurn && !frame.isSpeech && frame.silenceMs >= endSilenceMs) await report(true, "<end>");
        else if (audio.hasSpeech && !frame.isSpeech && frame.endMs - audio.startMs >= finalEveryMs) await report(true);
        else if (frame.endMs - resultAtMs >= RESULT_EVERY_MS && audio.hasSpeech) await report(false);
        else if (!audio.hasSpeech && audio.endMs - audio.startMs > 2 * LEAD_MS) audio.dispose(LEAD_MS);
      }
    },
    async control(message) {
      if (message.type === "finalize") await report(true, "<fin>");
      else if (Object.keys(message).length === 0) {
        await report(true);
        send({ tokens: [], final_audio_proc_ms: Math.round(finalMs), total_audio_proc_ms: finalMs, finished: true });
        end();
      } else if (message.type !== "keepalive") refuse({ send, end }, 400, "Control request invalid type.");
    },
  };
}
