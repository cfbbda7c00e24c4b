import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A customer's server on this machine: it records everything and responds as configured. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedRequest[];
  /** The ids of what arrived, in order. */
  ids(): string[];
  answer(with_: Answering): void;
  close(): Promise<void>;
}

export type Answering = (request: ReceivedRequest, reply: ServerResponse) => void;

export const accept: Answering = (_request, reply) => void reply.writeHead(200).end("thanks");
export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ""): Answering =>
  (_request, reply) =>
    void reply.writeHead(status, headers).end(body);

export async function openReceiver(answering: Answering = accept, port = 0): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  let current = answering;
  const server: Server = createServer((request: IncomingMessage, reply) => {
    reply.on("error", () => undefined);
    void text(request).then(
      (body) => {
        const noted = { path: request.url ?? "", headers: request.headers as Record<string, string>, body };
        received.push(noted);
        current(noted, reply);
      },
      () => reply.destroy(),
    );
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const listening = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${listening}/events`,
    port: listening,
    received,
    ids: () => received.map(({ headers }) => headers["webhook-id"] ?? ""),
    answer(with_) {
      current = with_;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
