import { connect, createServer } from "node:net";
import type { SipTransport } from "./sip-transport.ts";
import { fromOwnAddress, type StreamOptions, StreamTransport } from "./stream-transport.ts";

/** Rejects when the address cannot be had. */
export function openTcpTransport(options: StreamOptions): Promise<SipTransport> {
  const transport = new StreamTransport({
    ...options,
    kind: "tcp",
    connect: ({ address, port }, onReady) => connect({ host: address, port, ...fromOwnAddress(options) }, onReady),
    createServer,
  });
  return transport.listen();
}
