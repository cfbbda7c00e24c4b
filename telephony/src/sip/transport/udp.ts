import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";
import { bracketed } from "../uri.ts";
import type { MessageListener, SipTransport } from "./sip-transport.ts";

export interface UdpOptions {
  readonly address: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** What the peer is told instead of `address`, which it may not be able to reach. */
  readonly advertisedHost?: string;
}

/** Rejects when the address cannot be had. */
export async function openUdpTransport({ address, port, advertisedHost }: UdpOptions): Promise<SipTransport> {
  const socket = createSocket({ type: isIPv6(address) ? "udp6" : "udp4" });
  let listener: MessageListener | null = null;
  let isClosed = false;
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(port, address, () => {
      socket.off("error", reject);
      resolve();
    });
  });
  // An ICMP error about one peer says nothing about the socket; the transaction to that peer runs into its timer.
  socket.on("error", () => undefined);
  socket.on("message", (bytes, source) => {
    listener?.(bytes, { transport: "udp", address: source.address, port: source.port });
  });

  return {
    kind: "udp",
    isReliable: false,
    local: { host: bracketed(advertisedHost ?? address), port: socket.address().port },
    send(bytes, target, onFailure) {
      if (isClosed) {
        queueMicrotask(() => onFailure("the transport is closed"));
        return;
      }
      socket.send(bytes, target.port, target.address, (error) => {
        if (error) onFailure(error.message);
      });
    },
    onMessage(next) {
      listener = next;
    },
    close() {
      if (isClosed) return Promise.resolve();
      isClosed = true;
      return new Promise((resolve) => socket.close(() => resolve()));
    },
  };
}
