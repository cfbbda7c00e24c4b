import { Inbox, type PolledSocket } from "./inbox.ts";
import type { Libc } from "./libc.ts";
import {
  type DatagramListener,
  type MediaSocketFactory,
  type MediaSockets,
  openEachFamily,
  type SocketsToOpen,
} from "./media-sockets.ts";
import { Outbox, Outgoing } from "./outbox.ts";
import {
  ADDRESS_BYTES_MAX,
  type AddressFamily,
  addressBytes,
  FAMILY_IPV6,
  familyOf,
  readPort,
  SourceAddress,
  writeAddress,
} from "./socket-address.ts";

const SOCK_DGRAM = 2;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SO_TIMESTAMPNS = 35;
const IPPROTO_IPV6 = 41;
const IPV6_V6ONLY = 26;
/** Reports come every few seconds, and carry their time of arrival. */
const POLLS_PER_CONTROL_POLL = 5;

/**
 * Sockets that are asked once per tick instead of calling for every packet. A leg needs its packets at its tick and not
 * before, and the kernel stamps them as they come; so nothing is woken, nothing is allocated, and one who floods a port
 * is only ever read as far as a tick allows.
 */
export function createPolledSockets(libc: Libc): MediaSocketFactory {
  const inbox = new Inbox(libc);
  const outgoing = new Outgoing(libc);
  const open = new Set<number>();
  // A thread that ends by an error still gives its ports back.
  process.on("exit", () => open.forEach((fd) => void libc.close(fd)));
  return {
    open: (toOpen) =>
      openEachFamily(toOpen, async (bindHost, ports) =>
        openBoth(libc, inbox, outgoing, open, { ...toOpen, ...ports, bindHost }),
      ),
    noteTime: (nowMs) => inbox.clock.noteTime(nowMs),
    flush: () => outgoing.flush(),
  };
}

function openBoth(
  libc: Libc,
  inbox: Inbox,
  outgoing: Outgoing,
  open: Set<number>,
  { bindHost, rtpPort, rtcpPort, onRtp, onRtcp }: Omit<SocketsToOpen, "bindHosts"> & { readonly bindHost: string },
): MediaSockets {
  const family = familyOf(bindHost);
  const rtp = bind(libc, family, bindHost, rtpPort);
  open.add(rtp.fd);
  const closeOne = (fd: number) => {
    // The number may be another file's as soon as it is closed, so it is never closed twice.
    if (open.delete(fd)) libc.close(fd);
  };
  let rtcp: BoundSocket;
  try {
    rtcp = bind(libc, family, bindHost, rtcpPort);
  } catch (error) {
    closeOne(rtp.fd);
    throw error;
  }
  open.add(rtcp.fd);
  const polled = (fd: number, listener: DatagramListener): PolledSocket => ({
    fd,
    addressBytes: addressBytes(family),
    source: new SourceAddress(libc, family),
    listener,
  });
  const [rtpSocket, rtcpSocket] = [polled(rtp.fd, onRtp), polled(rtcp.fd, onRtcp)];
  let polls = rtp.fd % POLLS_PER_CONTROL_POLL;
  return {
    rtpPort: rtp.port,
    rtcpPort: rtcp.port,
    rtp: new Outbox(libc, rtp.fd, family, outgoing),
    rtcp: new Outbox(libc, rtcp.fd, family, outgoing),
    poll() {
      inbox.drain(rtpSocket);
      polls = (polls + 1) % POLLS_PER_CONTROL_POLL;
      if (polls === 0) inbox.drain(rtcpSocket);
    },
    async close() {
      // What was collected belongs to these numbers, which may be another file's in a moment.
      outgoing.flush();
      closeOne(rtp.fd);
      closeOne(rtcp.fd);
    },
  };
}

interface BoundSocket {
  readonly fd: number;
  readonly port: number;
}

function bind(libc: Libc, family: AddressFamily, host: string, port: number): BoundSocket {
  const fd = libc.socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) throw libc.lastError("socket");
  const memory = new ArrayBuffer(ADDRESS_BYTES_MAX);
  const pointer = libc.pointerTo(memory);
  const one = new ArrayBuffer(4);
  new Uint32Array(one).set([1]);
  // Else a socket for all IPv6 addresses takes the port of all IPv4 addresses too.
  if (family === FAMILY_IPV6) libc.setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, libc.pointerTo(one), 4);
  const isAddress = writeAddress(libc, { memory, at: 0, family }, host, port);
  const bytes = addressBytes(family);
  if (!isAddress || libc.bind(fd, pointer, bytes) < 0) {
    const error = isAddress ? libc.lastError(`bind ${host}:${port}`) : new Error(`bind ${host}: not an address`);
    libc.close(fd);
    throw error;
  }
  const numbers = new ArrayBuffer(8);
  new Uint32Array(numbers).set([1, bytes]);
  const numbersPointer = libc.pointerTo(numbers);
  libc.setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, numbersPointer, 4);
  libc.getsockname(fd, pointer, numbersPointer + 4n);
  return { fd, port: readPort(memory) };
}
