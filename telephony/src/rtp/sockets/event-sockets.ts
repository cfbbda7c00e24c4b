import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { MediaAddress } from "../media/media-address.ts";
import {
  type DatagramListener,
  type DatagramSink,
  type MediaSocketFactory,
  type MediaSockets,
  openEachFamily,
  SENT_BYTES_MAX,
  type SocketsToOpen,
} from "./media-sockets.ts";

/** A socket whose queue is full keeps a buffer for a while; a call sends one packet per 20 ms. */
const BUFFERS = 16;

/** Node's own sockets, which call when something came. They run everywhere, at several times the cost of polled ones. */
export function createEventSockets(now: () => number): MediaSocketFactory {
  return {
    open: (toOpen) => openEachFamily(toOpen, (bindHost, ports) => openBoth({ ...toOpen, ...ports, bindHost }, now)),
    noteTime: () => undefined,
    flush: () => undefined,
  };
}

async function openBoth(
  { bindHost, rtpPort, rtcpPort, onRtp, onRtcp }: Omit<SocketsToOpen, "bindHosts"> & { readonly bindHost: string },
  now: () => number,
): Promise<MediaSockets> {
  const rtp = await bind(bindHost, rtpPort, onRtp, now);
  let rtcp: Socket;
  try {
    rtcp = await bind(bindHost, rtcpPort, onRtcp, now);
  } catch (error) {
    await close(rtp);
    throw error;
  }
  return {
    rtpPort: rtp.address().port,
    rtcpPort: rtcp.address().port,
    rtp: createSink(rtp),
    rtcp: createSink(rtcp),
    poll: () => undefined,
    async close() {
      await Promise.all([close(rtp), close(rtcp)]);
    },
  };
}

function createSink(socket: Socket): DatagramSink {
  const buffers = Array.from({ length: BUFFERS }, () => Buffer.alloc(SENT_BYTES_MAX));
  let next = 0;
  return {
    takeBuffer() {
      next = (next + 1) % BUFFERS;
      return buffers[next] as Buffer;
    },
    send: (bytes: Uint8Array, length: number, to: MediaAddress) => socket.send(bytes, 0, length, to.port, to.host),
  };
}

async function bind(host: string, port: number, listener: DatagramListener, now: () => number): Promise<Socket> {
  const family = isIPv6(host) ? 6 : 4;
  const socket = createSocket({
    type: `udp${family}`,
    ...(family === 6 ? { ipv6Only: true } : {}),
    // Addresses are numbers already. The default lookup answers a turn of the event loop later, and the packet with it.
    lookup: (address, _options, callback) => callback(null, address, family),
  });
  socket.on("message", (bytes, { address, port: from }) => listener(bytes, bytes.length, address, from, now()));
  try {
    const listening = once(socket, "listening");
    socket.bind({ address: host, port, exclusive: true });
    await listening;
  } catch (error) {
    await close(socket);
    throw error;
  }
  // A packet that could not be sent is a lost packet.
  socket.on("error", () => undefined);
  return socket;
}

function close(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.close(() => resolve()));
}
