import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";
import { bracketed } from "../uri.ts";
import type { Hop, MessageListener, SendOptions, SipTransport } from "./sip-transport.ts";
import { UdpPeers } from "./udp-peers.ts";

export interface UdpOptions {
  readonly address: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** What the peer is told instead of `address`, which it may not be able to reach. */
  readonly advertisedHost?: string;
}

/**
 * A socket that is not connected never learns of an ICMP error. Linux delivers those to a connected socket on the same
 * port, which SO_REUSEPORT allows to sockets of the same user. Elsewhere a dead peer is noticed by its silence alone.
 */
const HEARS_ICMP = process.platform === "linux";

/** Rejects when the address cannot be had. */
export async function openUdpTransport({ address, port, advertisedHost }: UdpOptions): Promise<SipTransport> {
  // With SO_REUSEPORT the kernel would let us share the port with another process of ours; without it, it refuses.
  if (HEARS_ICMP && port !== 0) await closed(await bound(address, port, false));
  const socket = await bound(address, port, HEARS_ICMP);
  const ownPort = socket.address().port;
  let listener: MessageListener | null = null;
  let isClosed = false;
  const receive = (from: Socket) =>
    from.on("message", (bytes, source) => {
      listener?.(bytes, { transport: "udp", address: source.address, port: source.port });
    });
  // An error of this socket says nothing about any one peer.
  socket.on("error", () => undefined);
  receive(socket);
  const peers = HEARS_ICMP
    ? new UdpPeers(async () => {
        const peer = await bound(address, ownPort, true);
        receive(peer);
        return peer;
      })
    : null;

  function sendFrom(from: Socket, bytes: Buffer, target: Hop, onFailure: (reason: string) => void): void {
    from.send(bytes, target.port, target.address, (error) => {
      if (error) onFailure(error.message);
    });
  }

  return {
    kind: "udp",
    isReliable: false,
    local: { host: bracketed(advertisedHost ?? address), port: ownPort },
    send(bytes, target, onFailure, { watchesPeer = false }: SendOptions = {}) {
      if (isClosed) {
        queueMicrotask(() => onFailure("the transport is closed"));
        return () => undefined;
      }
      if (watchesPeer && peers !== null) {
        return peers.send(bytes, target, onFailure, () => sendFrom(socket, bytes, target, onFailure));
      }
      sendFrom(socket, bytes, target, onFailure);
      return () => undefined;
    },
    onMessage(next) {
      listener = next;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await peers?.close();
      await closed(socket);
    },
  };
}

async function bound(address: string, port: number, reusePort: boolean): Promise<Socket> {
  const isSix = isIPv6(address);
  const socket = createSocket({ type: isSix ? "udp6" : "udp4", reusePort, ...(isSix ? { ipv6Only: true } : {}) });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", (error) => {
      socket.close();
      reject(error);
    });
    socket.bind(port, address, () => {
      socket.removeAllListeners("error");
      resolve();
    });
  });
  return socket;
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.close(() => resolve()));
}
