import type { ServerResponse } from "node:http";
import type { WebSocket } from "ws";
import { startVendorServer, type VendorServer } from "../../testing/vendor-server.ts";

export interface CartesiaServerOptions {
  readonly apiKey: string;
  readonly voiceIds: readonly string[];
  speak(text: string, voiceId: string, sampleRateHz: number): Int16Array | Promise<Int16Array>;
  /** Time until the first audio of a context. */
  readonly firstAudioMs?: number;
}

/** Something that the next context does instead of what it should. */
type CartesiaFault =
  | { readonly type: "cut"; readonly afterPieces: number }
  | { readonly type: "hang"; readonly afterPieces: number }
  | { readonly type: "garbage" }
  | { readonly type: "error"; readonly status: number; readonly code: string; readonly message: string }
  | { readonly type: "close"; readonly code: number; readonly reason: string }
  /** Times after all of the audio, and messages of a context that is over. */
  | { readonly type: "out_of_order" };

export interface CartesiaServer extends VendorServer {
  /** Requests as they came. */
  readonly generations: readonly Readonly<Record<string, unknown>>[];
  readonly cancelled: readonly string[];
  failNext(fault: CartesiaFault): void;
}

interface Generation {
  readonly context_id: string;
  readonly transcript: string;
  readonly voice: { readonly id: string };
  readonly output_format: { readonly sample_rate: number };
  readonly add_timestamps?: boolean;
  readonly continue?: boolean;
  readonly flush?: boolean;
}

const PIECE_MS = 200;

/** What Cartesia's host does, as its SDK understands it: speech over WebSocket contexts and over HTTP. */
export async function startCartesiaServer(options: CartesiaServerOptions): Promise<CartesiaServer> {
  const generations: Record<string, unknown>[] = [];
  const cancelled: string[] = [];
  let nextFault: CartesiaFault | null = null;

  const server = await startVendorServer({
    keyHeader: "authorization",
    keyValue: `Bearer ${options.apiKey}`,
    refusalOf: (status) => ({
      title: "Refused",
      message: `refused with ${status}`,
      error_code: "refused",
      status_code: status,
    }),
    onSocket(socket, url) {
      if (url.pathname === "/tts/websocket") serveContexts(socket);
      else socket.close(1008, "no such address");
    },
    onRequest: serveRequest,
  });

  function serveContexts(socket: WebSocket): void {
    const send = (message: unknown) => socket.send(JSON.stringify(message));
    const stopped = new Set<string>();
    /** Contexts that wait for more text. */
    const speaking = new Map<string, Promise<number>>();

    /** Returns where in the context's audio the next text begins. */
    async function speakOut(generation: Generation, offsetSamples: number): Promise<number> {
      const { context_id, transcript, voice, output_format } = generation;
      const fault = nextFault;
      nextFault = null;
      const fail = (status_code: number, error_code: string, message: string) =>
        send({ type: "error", context_id, status_code, error_code, title: "Failed", message, done: true });
      if (options.firstAudioMs) await new Promise((resolve) => setTimeout(resolve, options.firstAudioMs));
      if (!options.voiceIds.includes(voice.id)) fail(404, "voice_not_found", "no such voice");
      else if (fault?.type === "garbage") socket.send("{nonsense");
      else if (fault?.type === "error") fail(fault.status, fault.code, fault.message);
      else if (fault?.type === "close") socket.close(fault.code, fault.reason);
      else {
        const rateHz = output_format.sample_rate;
        const samples = await options.speak(transcript, voice.id, rateHz);
        const pieceSamples = (rateHz * PIECE_MS) / 1_000;
        const common = { context_id, status_code: 206, done: false };
        const words = transcript.split(/\s+/).filter((word) => word !== "");
        const secondsAt = (share: number) => (offsetSamples + share * samples.length) / rateHz;
        const times = {
          words,
          start: words.map((_, index) => secondsAt(index / words.length)),
          end: words.map((_, index) => secondsAt((index + 0.9) / words.length)),
        };
        const sendTimes = () =>
          generation.add_timestamps && send({ ...common, type: "timestamps", word_timestamps: times });
        if (fault?.type !== "out_of_order") sendTimes();
        for (let start = 0; start < samples.length && !stopped.has(context_id); start += pieceSamples) {
          if (fault?.type === "cut" && start / pieceSamples >= fault.afterPieces) {
            socket.terminate();
            return 0;
          }
          if (fault?.type === "hang" && start / pieceSamples >= fault.afterPieces) await new Promise(() => undefined);
          const piece = samples.subarray(start, start + pieceSamples);
          const data = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("base64");
          send({ ...common, type: "chunk", data, step_time: 1.5 });
          if (fault?.type === "out_of_order")
            send({ ...common, type: "chunk", context_id: "another", data, step_time: 1 });
        }
        if (fault?.type === "out_of_order") sendTimes();
        return offsetSamples + samples.length;
      }
      stopped.add(context_id);
      return 0;
    }

    socket.on("message", async (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Record<string, unknown>;
      const contextId = String(message.context_id);
      if (message.cancel === true) {
        cancelled.push(contextId);
        stopped.add(contextId);
        return;
      }
      generations.push(message);
      const generation = message as unknown as Generation;
      const before = speaking.get(contextId) ?? Promise.resolve(0);
      const after = before.then((at) => (generation.transcript === "" ? at : speakOut(generation, at)));
      speaking.set(contextId, after);
      await after;
      if (stopped.has(contextId)) return;
      if (generation.flush) {
        send({
          type: "flush_done",
          context_id: contextId,
          status_code: 206,
          done: false,
          flush_done: true,
          flush_id: 1,
        });
      }
      if (generation.continue) return;
      speaking.delete(contextId);
      send({ type: "done", context_id: contextId, status_code: 200, done: true });
    });
  }

  async function serveRequest(url: URL, body: string, response: ServerResponse): Promise<void> {
    if (url.pathname !== "/tts/bytes") return void response.writeHead(404).end();
    const { transcript, voice, output_format } = JSON.parse(body) as Generation;
    const samples = await options.speak(transcript, voice.id, output_format.sample_rate);
    response.writeHead(200, { "content-type": "audio/pcm" });
    response.end(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
  }

  return Object.assign(server, {
    generations,
    cancelled,
    failNext(fault: CartesiaFault) {
      nextFault = fault;
    },
  });
}
