import { type IncomingMessage, request } from "node:http";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { bytesPerFrame, wavHeader } from "@parley/audio/wav-header";
import { AppError } from "@parley/contract/errors";
import { listenToCall } from "@parley/contract/routes/calls";
import type { FastifyReply } from "fastify";
import { auditRequest } from "../../../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../../platform/http/handler.ts";
import { acceptWebSocket, asksForWebSocket, CLOSE, refuseBadHandshake } from "../../../platform/http/web-socket.ts";
import { requireCall } from "../../call-store.ts";
import type { StreamSlots } from "../stream-slots.ts";
import { type CallHolder, findHolder } from "./holder-store.ts";
import { type Vouch, writeInternalToken } from "./internal-token.ts";
import { audioPath } from "./live-server.ts";

export interface ListeningRoutesDeps extends LineAudioDeps {
  readonly db: Database;
  readonly streamSlots: StreamSlots;
}

export function listeningRoutes(deps: ListeningRoutesDeps): BoundRoute[] {
  const { db } = deps;
  return [
    handle(listenToCall, async (request) => {
      const call = await requireCall(db, request, request.params.id);
      const isWebSocket = asksForWebSocket(request.header);
      if (isWebSocket) refuseBadHandshake(request.header);
      if (call.state === "ended") throw new AppError("invalid_state", "The call is over; use its recording.");
      const holder = await findHolder(db, call.id);
      if (!holder) throw notOnLine();
      if (request.isHead) return { stream: async (reply) => void reply.type("audio/wav").send() };
      const leave = deps.streamSlots.take(request.accountId);
      try {
        const audio = await openLineAudio(deps, holder, call.id);
        audio.once("close", leave);
        await inTransaction(db, (tx) => auditRequest(tx, request, "call.listened_in", call.id)).catch((error) => {
          audio.destroy();
          throw error;
        });
        const options = { closing: request.closing, stillAllowed: () => request.stillAllowed() };
        const relay = isWebSocket ? relayToWebSocket : relayAsWav;
        return { stream: async (reply) => relay(audio, reply, options) };
      } catch (error) {
        leave();
        throw error;
      }
    }),
  ];
}

interface RelayOptions {
  /** Checked periodically; false ends the relay. */
  stillAllowed(): Promise<boolean>;
  /** Ends it when the server closes. */
  readonly closing: AbortSignal;
}

const SHAPE = { sampleRateHz: TELEPHONE_RATE_HZ, channels: 2 } as const;
// The streams of a revoked key must end within 30 seconds, and the check itself takes part of them.
const RIGHTS_CHECK_MS = 25_000;
// A client that does not read is cut off after about half a minute of audio.
const BUFFERED_BYTES_MAX = 1024 * 1024;

/** Why a relay ends before its listener leaves. */
type Ending = "over" | "worker_gone" | "closing" | "not_allowed";

interface Sink {
  write(bytes: Buffer): void;
  end(why: Ending): void;
}

const GOODBYE: Readonly<Record<Ending, readonly [status: number, reason: string]>> = {
  over: [CLOSE.normal, "the call is over"],
  worker_gone: [CLOSE.broken, "the process that conducted the call is gone"],
  closing: [CLOSE.goingAway, "the service is restarting"],
  not_allowed: [CLOSE.notAllowed, "no longer allowed"],
};

/** Relays a line's audio to a WebSocket: first its format as JSON, then the samples. */
function relayToWebSocket(audio: IncomingMessage, reply: FastifyReply, options: RelayOptions): void {
  const socket = acceptWebSocket(reply, () => stop());
  const stop = relay(audio, options, {
    write: (bytes) => socket.sendBytes(bytes),
    end: (why) => socket.close(...GOODBYE[why]),
  });
  socket.sendText(JSON.stringify({ ...SHAPE, encoding: "pcm_s16le" }));
  if (!socket.isOpen) stop();
}

/**
 * Relays a line's audio as a WAV of unknown length. It is cut off instead of ended normally if audio may be missing.
 */
function relayAsWav(audio: IncomingMessage, reply: FastifyReply, options: RelayOptions): void {
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    "content-type": "audio/wav",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  raw.write(wavHeader(SHAPE, Number.MAX_SAFE_INTEGER));
  const stop = relay(audio, options, {
    write: (bytes) => {
      if (raw.writableLength > BUFFERED_BYTES_MAX) raw.destroy();
      else raw.write(bytes);
    },
    end: (why) => void (why === "over" ? raw.end() : raw.destroy()),
  });
  raw.on("error", () => raw.destroy());
  raw.on("close", stop);
  if (raw.destroyed) stop();
}

/** Returns the function that stops it when the listener leaves. */
function relay(audio: IncomingMessage, options: RelayOptions, sink: Sink): () => void {
  let rest: Buffer = Buffer.alloc(0);
  let isOver = false;
  const finish = (why: Ending | null) => {
    if (isOver) return;
    isOver = true;
    clearInterval(rightsCheck);
    options.closing.removeEventListener("abort", onClosing);
    audio.destroy();
    if (why !== null) sink.end(why);
  };
  const onClosing = () => finish("closing");
  const rightsCheck = setInterval(() => {
    options.stillAllowed().then(
      (isAllowed) => (isAllowed ? undefined : finish("not_allowed")),
      () => finish("not_allowed"),
    );
  }, RIGHTS_CHECK_MS);
  options.closing.addEventListener("abort", onClosing);
  audio.on("data", (chunk: Buffer) => {
    if (isOver) return;
    // Chunks may end anywhere; only whole samples of both sides are passed on.
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % bytesPerFrame(SHAPE));
    rest = bytes.subarray(whole);
    if (whole > 0) sink.write(bytes.subarray(0, whole));
  });
  audio.on("end", () => finish("over"));
  audio.on("close", () => finish(audio.complete ? "over" : "worker_gone"));
  if (options.closing.aborted) onClosing();
  return () => finish(null);
}

interface LineAudioDeps {
  readonly vouch: Vouch;
  nowMs(): number;
}

/** A worker of the same installation answers quickly or is gone. */
const ANSWER_WITHIN_MS = 3_000;
const KEEP_ALIVE_MS = 5_000;

/**
 * Requests the audio of a call from the worker that conducts it, in any process and on any machine. Throws
 * `unavailable` when the worker cannot be reached, and `invalid_state` when the call has no line.
 */
async function openLineAudio(deps: LineAudioDeps, holder: CallHolder, callId: string): Promise<IncomingMessage> {
  const { worker_id: workerId, internal_url: base } = holder;
  if (!holder.is_alive || base === null) throw unreachable();
  const path = audioPath(callId);
  const token = writeInternalToken(deps.vouch, { workerId, method: "GET", path }, deps.nowMs());
  const reply = await ask(`${base}${path}`, token);
  if (reply.statusCode === 200) return reply;
  reply.destroy();
  if (reply.statusCode === 404) throw notOnLine();
  throw unreachable(`it answered ${reply.statusCode}`);
}

function notOnLine(): AppError {
  return new AppError("invalid_state", "The call has no line: nothing has been dialed yet, or it is over.");
}

function unreachable(cause?: unknown): AppError {
  return new AppError(
    "unavailable",
    "The process that conducts the call cannot be reached. If it is gone, the call is ended within half a minute.",
    { retryAfterSeconds: 5, cause },
  );
}

function ask(url: string, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent: false, headers: { authorization: `Bearer ${token}` } });
    asking.setTimeout(ANSWER_WITHIN_MS, () => asking.destroy(new Error("no answer")));
    asking.once("error", (error) => reject(unreachable(error)));
    asking.once("response", (reply) => {
      // Nothing arrives before there is audio; TCP keep-alive detects a machine that is gone.
      asking.setTimeout(0);
      reply.socket.setKeepAlive(true, KEEP_ALIVE_MS);
      reply.on("error", () => reply.destroy());
      resolve(reply);
    });
    asking.end();
  });
}
