import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { TwilioCarrier } from "../twilio-carrier.ts";

/** A public URL for a carrier in a test. */
export interface TwilioEndpoint {
  readonly url: string;
  /** Every callback that arrived, as received. */
  readonly callbacks: readonly { url: string; signature: string; parameters: Record<string, string> }[];
  serve(carrier: TwilioCarrier): void;
  close(): Promise<void>;
}

export async function openTwilioEndpoint(): Promise<TwilioEndpoint> {
  let carrier: TwilioCarrier | null = null;
  const callbacks: { url: string; signature: string; parameters: Record<string, string> }[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    readForm(request).then(
      (parameters) => {
        const path = request.url ?? "/";
        const signature = String(request.headers["x-twilio-signature"]);
        callbacks.push({ url: urlOf(server) + path, signature, parameters });
        const reply = carrier?.handleCallback({ path, signature, parameters }) ?? { status: 404, twiml: null };
        response.writeHead(reply.status, { "content-type": "text/xml" }).end(reply.twiml ?? "");
      },
      () => response.destroy(),
    );
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (request, socket, head) => {
    if (carrier !== null && request.url === carrier.streamPath) carrier.handleUpgrade(request, socket, head);
    else socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: urlOf(server),
    callbacks,
    serve(served) {
      carrier = served;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readForm(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString("utf8")));
}
