import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as settle } from "node:timers/promises";
import { anthropicWire } from "./anthropic-wire.ts";
import { chatCompletionsWire } from "./chat-completions-wire.ts";
import { googleWire } from "./google-wire.ts";
import type { FaultMove, ModelMove, ModelWire } from "./model-move.ts";
import { openAiResponsesWire } from "./openai-responses-wire.ts";

export type ServerPlan =
  /** Headers are not even sent. */
  | { readonly type: "silence" }
  | {
      readonly type: "failure";
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Replaces what the vendor would write. */
      readonly body?: string;
    }
  /** With `pieceBytes` the bytes are sent this many at a time, wherever that splits a character or an event. */
  | {
      readonly type: "stream";
      readonly moves: readonly ModelMove[];
      readonly pieceBytes?: number;
      /** The first text, and each one after it, are sent this late. */
      readonly timing?: { readonly firstTextMs: number; readonly betweenTextsMs: number };
    };

export interface ModelServerOptions {
  /** Answers requests for which nothing is planned. */
  readonly otherwise?: (request: SeenRequest) => ServerPlan;
  /** Called with each event of a reply, when it is sent. */
  readonly onSend?: (event: string, request: SeenRequest) => void;
}

interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface ModelServer {
  /** Where it listens, without a path. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  plan(...plans: readonly ServerPlan[]): void;
  /** How many connections were opened to it. */
  connectionsSeen(): number;
  /** Resolves once every plan was used by a request. */
  allTakenUp(): Promise<void>;
  /** Resolves once every request is answered or its connection is closed. */
  nothingLeft(): Promise<void>;
  close(): Promise<void>;
}

const WIRES: readonly ModelWire[] = [openAiResponsesWire, chatCompletionsWire, anthropicWire, googleWire];

/** A server on the loopback interface that speaks the vendors' streaming protocols, with their faults. */
export async function startModelServer({ otherwise, onSend }: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const plans: ServerPlan[] = [];
  const underWay = new Set<ServerResponse>();
  let connections = 0;

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    underWay.add(reply);
    reply.once("close", () => {
      underWay.delete(reply);
      if (underWay.size === 0) server.emit("idle");
    });
    const path = request.url ?? "";
    const seen = { path, headers: request.headers, body: JSON.parse((await text(request)) || "null") };
    requests.push(seen);
    const wire = WIRES.find((one) => one.serves(path));
    const plan = plans.shift() ?? otherwise?.(seen);
    if (plans.length === 0) server.emit("taken");
    if (!wire || !plan) reply.writeHead(404).end(`nothing is planned for ${path}`);
    else await follow(plan, wire, reply, (event) => onSend?.(event, seen));
  }

  const server = createServer((request, reply) => {
    // Many tests are about a far end that leaves; how it left does not matter here.
    answer(request, reply).catch(() => reply.destroy());
  });
  server.on("connection", (socket: Socket) => {
    connections += 1;
    socket.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    plan: (...more) => void plans.push(...more),
    connectionsSeen: () => connections,
    async allTakenUp() {
      if (plans.length > 0) await once(server, "taken");
    },
    async nothingLeft() {
      if (underWay.size > 0) await once(server, "idle");
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function follow(
  plan: ServerPlan,
  wire: ModelWire,
  reply: ServerResponse,
  onSend: (event: string) => void,
): Promise<void> {
  if (plan.type === "silence") return;
  if (plan.type === "failure") {
    const message = plan.message ?? `status ${plan.status}, as planned`;
    reply.writeHead(plan.status, { "Content-Type": "application/json", ...plan.headers });
    reply.end(plan.body ?? JSON.stringify(wire.failure(plan.status, message)));
    return;
  }
  reply.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
  reply.flushHeaders();
  const texts = plan.moves.flatMap((move) => (move.type === "text" ? [move.text] : []));
  for (const next of wire.speak(plan.moves)) {
    if (typeof next === "string") {
      if (plan.timing && texts.length > 0 && next.includes(JSON.stringify(texts[0]))) {
        const isFirst = texts.length === plan.moves.filter(({ type }) => type === "text").length;
        await settle(isFirst ? plan.timing.firstTextMs : plan.timing.betweenTextsMs);
        texts.shift();
      }
      onSend(next);
      await write(reply, Buffer.from(next), plan.pieceBytes);
    } else if (next.type === "garbage") await write(reply, Buffer.from(next.bytes), plan.pieceBytes);
    else return applyFault(next, reply);
  }
  reply.end();
}

function applyFault(fault: FaultMove, reply: ServerResponse): void {
  if (fault.type === "cut") reply.destroy();
  else if (fault.type === "stop_short") reply.end();
}

async function write(reply: ServerResponse, bytes: Buffer, pieceBytes = bytes.length): Promise<void> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    reply.write(bytes.subarray(start, start + pieceBytes), (error) => (error ? reject(error) : resolve()));
    await promise;
    // One turn of the loop later, so that the pieces are sent separately.
    await new Promise((next) => setImmediate(next));
  }
}
