import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { MediaAddress } from "./media-address.ts";

export type DatagramListener = (bytes: Buffer, host: string, port: number) => void;

/** The two sockets of a leg. */
export interface MediaSockets {
  rtpPort: number;
  rtcpPort: number;
  send(bytes: Uint8Array, length: number, to: MediaAddress): void;
  sendControl(bytes: Uint8Array, length: number, to: MediaAddress): void;
  /** Resolves when both ports are free again. */
  close(): Promise<void>;
}

/** Rejects when a port is taken or the address is not this machine's; nothing stays open then. */
export async function openMediaSockets(
  bindHost: string,
  rtpPort: number,
  rtcpPort: number,
  onRtp: DatagramListener,
  onRtcp: DatagramListener,
): Promise<MediaSockets> {
  const rtp = await bind(bindHost, rtpPort, onRtp);
  let rtcp: Socket;
  try {
    rtcp = await bind(bindHost, rtcpPort, onRtcp);
  } catch (error) {
    await close(rtp);
    throw error;
  }
  return {
    rtpPort: rtp.address().port,
    rtcpPort: rtcp.address().port,
    send: (bytes, length, to) => rtp.send(bytes, 0, length, to.port, to.host),
    sendControl: (bytes, length, to) => rtcp.send(bytes, 0, length, to.port, to.host),
    async close() {
      await Promise.all([close(rtp), close(rtcp)]);
    },
  };
}

async function bind(host: string, port: number, listener: DatagramListener): Promise<Socket> {
  const family = isIPv6(host) ? 6 : 4;
  const socket = createSocket({
    type: `udp${family}`,
    // Addresses are numbers already. The default lookup answers a turn of the event loop later, and the packet with it.
    lookup: (address, _options, callback) => callback(null, address, family),
  });
  socket.on("message", (bytes, { address, port: from }) => listener(bytes, address, from));
  try {
    const listening = once(socket, "listening");
    socket.bind({ address: host, port, exclusive: true });
    await listening;
  } catch (error) {
    await close(socket);
    throw error;
  }
  // A packet that could not be sent is a lost packet, which is nothing special to RTP.
  socket.on("error", () => undefined);
  return socket;
}

function close(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.close(() => resolve()));
}
