import type { MediaAddress } from "../media/media-address.ts";
import type { Libc } from "./libc.ts";
import {
  type DatagramListener,
  type DatagramSink,
  type MediaSocketFactory,
  type MediaSockets,
  openEachFamily,
  SENT_BYTES_MAX,
  type SocketsToOpen,
} from "./media-sockets.ts";
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

/**
 * One message of `sendmsg` and `recvmsg` as it lies in memory, 64-bit Linux: `struct msghdr`, the one `struct iovec` it
 * points to, the address, and the control messages.
 *
 *     byte    0   pointer to the address        byte   56   pointer to the data
 *     byte    8   length of the address         byte   64   length of the data
 *     byte   16   pointer to the iovec          byte   72   the address
 *     byte   24   count of iovecs               byte  104   control messages
 *     byte   32   pointer to the control
 *     byte   40   length of the control
 *     byte   48   flags of what was received
 */
const IOVEC_AT = 56;
const ADDRESS_AT = 72;
const CONTROL_AT = ADDRESS_AT + ADDRESS_BYTES_MAX;
const CONTROL_BYTES = 64;
const MESSAGE_BYTES = CONTROL_AT + CONTROL_BYTES;

/** The positions of lengths and flags, in 32-bit words. The upper halves of the long ones stay zero. */
const ADDRESS_LENGTH_WORD = 2;
const CONTROL_LENGTH_WORD = 10;
const FLAGS_WORD = 12;
const DATA_LENGTH_WORD = 16;

interface MessageMemory {
  readonly memory: ArrayBuffer;
  readonly words: Uint32Array;
  readonly pointer: bigint;
}

/** A message over `data`, which must live as long as it does. */
function createMessage(libc: Libc, data: ArrayBuffer): MessageMemory {
  const memory = new ArrayBuffer(MESSAGE_BYTES);
  const pointer = libc.pointerTo(memory);
  const view = new DataView(memory);
  view.setBigUint64(0, pointer + BigInt(ADDRESS_AT), true);
  view.setBigUint64(16, pointer + BigInt(IOVEC_AT), true);
  view.setBigUint64(24, 1n, true);
  view.setBigUint64(32, pointer + BigInt(CONTROL_AT), true);
  view.setBigUint64(IOVEC_AT, libc.pointerTo(data), true);
  view.setBigUint64(IOVEC_AT + 8, BigInt(data.byteLength), true);
  return { memory, words: new Uint32Array(memory), pointer };
}

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
 * before, and the kernel stamps them as they come; so nothing is woken, nothing is allocated, and a sender that floods
 * a port is only ever read as far as a tick allows.
 */
export function createPolledSockets(libc: Libc): MediaSocketFactory {
  const inbox = new Inbox(libc);
  const outgoing = new Outgoing(libc);
  const open = new Set<number>();
  // A thread that ends with an error still releases its ports.
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

/** Longer datagrams are not telephone audio. They are passed on as empty ones, which are ignored. */
const DATAGRAM_BYTES_MAX = 2048;
/** The maximum per tick for a flooded port; the kernel drops the rest. */
const DATAGRAMS_PER_POLL_MAX = 128;
const MSG_DONTWAIT = 0x40;
const MSG_TRUNC = 0x20;
const ADDRESS_WORD = ADDRESS_AT / Uint32Array.BYTES_PER_ELEMENT;
/** `struct cmsghdr` is 16 bytes; the time of arrival follows it. */
const STAMP_WORD = (CONTROL_AT + 16) / Uint32Array.BYTES_PER_ELEMENT;

/** A socket that is polled. */
interface PolledSocket {
  readonly fd: number;
  readonly addressBytes: number;
  /** Where the last datagram came from. */
  readonly source: SourceAddress;
  readonly listener: DatagramListener;
}

/** The memory into which all sockets of a thread receive, one datagram at a time. */
class Inbox {
  readonly clock: ArrivalClock;
  readonly #libc: Libc;
  readonly #message: MessageMemory;
  readonly #bytes: Uint8Array;

  constructor(libc: Libc) {
    const data = new ArrayBuffer(DATAGRAM_BYTES_MAX);
    this.#libc = libc;
    this.clock = new ArrivalClock(libc);
    this.#bytes = new Uint8Array(data);
    this.#message = createMessage(libc, data);
  }

  /**
   * Hands over all that waits at a socket. It asks once more than there are datagrams, since after a stall they come
   * several at a time, and the tick that follows may need every one of them.
   */
  drain({ fd, addressBytes, source, listener }: PolledSocket): void {
    const { words, pointer } = this.#message;
    const { clock } = this;
    for (let taken = 0; taken < DATAGRAMS_PER_POLL_MAX; taken++) {
      words[ADDRESS_LENGTH_WORD] = addressBytes;
      words[CONTROL_LENGTH_WORD] = CONTROL_BYTES;
      const received = this.#libc.recvmsg(fd, pointer, MSG_DONTWAIT);
      if (received < 0) return;
      const isCut = ((words[FLAGS_WORD] as number) & MSG_TRUNC) !== 0;
      const isStamped = (words[CONTROL_LENGTH_WORD] as number) > 0;
      source.follow(words, ADDRESS_WORD);
      const arrivalMs = isStamped ? clock.timeOf(words, STAMP_WORD) : clock.nowMs;
      listener(this.#bytes, isCut ? 0 : received, source.host, source.port, arrivalMs);
    }
  }
}

/** The sending side of one socket. It caches the address in the kernel's form, because it rarely changes. */
class Outbox implements DatagramSink {
  readonly #libc: Libc;
  readonly #fd: number;
  readonly #family: AddressFamily;
  readonly #outgoing: Outgoing;
  readonly #bytes: Uint8Array;
  readonly #message: MessageMemory;
  #to: MediaAddress | null = null;
  #isSendable = false;

  constructor(libc: Libc, fd: number, family: AddressFamily, outgoing: Outgoing) {
    const memory = new ArrayBuffer(SENT_BYTES_MAX);
    this.#libc = libc;
    this.#fd = fd;
    this.#family = family;
    this.#outgoing = outgoing;
    this.#bytes = new Uint8Array(memory);
    this.#message = createMessage(libc, memory);
    this.#message.words[ADDRESS_LENGTH_WORD] = addressBytes(family);
    this.#message.words[CONTROL_LENGTH_WORD] = 0;
  }

  takeBuffer(): Uint8Array {
    return this.#bytes;
  }

  /** The bytes are those of `takeBuffer`, to which the message points. */
  send(_bytes: Uint8Array, length: number, to: MediaAddress): void {
    if (to !== this.#to) this.#turnTo(to);
    if (!this.#isSendable) return;
    this.#message.words[DATA_LENGTH_WORD] = length;
    this.#outgoing.add(this.#fd, this.#message.pointer);
  }

  #turnTo(to: MediaAddress): void {
    const place = { memory: this.#message.memory, at: ADDRESS_AT, family: this.#family };
    this.#isSendable = writeAddress(this.#libc, place, to.host, to.port);
    this.#to = to;
  }
}

/**
 * What the legs of a tick have to send, which goes out when all have ticked: the kernel's way through its network code and
 * ours through the audio each stay in the processor's cache that way, and the legs' packets leave as evenly as they ticked.
 */
class Outgoing {
  readonly #libc: Libc;
  readonly #fds: number[] = [];
  readonly #pointers: bigint[] = [];
  #count = 0;

  constructor(libc: Libc) {
    this.#libc = libc;
  }

  add(fd: number, pointer: bigint): void {
    this.#fds[this.#count] = fd;
    this.#pointers[this.#count] = pointer;
    this.#count += 1;
  }

  flush(): void {
    const { sendmsg } = this.#libc;
    for (let index = 0; index < this.#count; index++) {
      sendmsg(this.#fds[index] as number, this.#pointers[index] as bigint, 0);
    }
    this.#count = 0;
  }
}

const CLOCK_REALTIME = 0;
const WORD_SPAN = 2 ** 32;
/** The maximum delay between two polls; a larger difference means that the system time was changed. */
const WAIT_MAX_MS = 1_000;

/** Turns the kernel's stamps, which are times of day, into times of the thread's own clock. */
class ArrivalClock {
  readonly #libc: Libc;
  readonly #memory = new ArrayBuffer(16);
  readonly #words = new Uint32Array(this.#memory);
  readonly #pointer: bigint;
  #seconds = 0;
  #nanoseconds = 0;
  nowMs = 0;

  constructor(libc: Libc) {
    this.#libc = libc;
    this.#pointer = libc.pointerTo(this.#memory);
  }

  /** To be called before stamps are read, with the thread's own time. */
  noteTime(nowMs: number): void {
    this.nowMs = nowMs;
    this.#libc.clock_gettime(CLOCK_REALTIME, this.#pointer);
    this.#seconds = secondsAt(this.#words, 0);
    this.#nanoseconds = this.#words[2] as number;
  }

  /** The stamp is a `struct timespec`: seconds and nanoseconds, 64 bits each. */
  timeOf(words: Uint32Array, at: number): number {
    const agoMs =
      (this.#seconds - secondsAt(words, at)) * 1000 + (this.#nanoseconds - (words[at + 2] as number)) / 1_000_000;
    return this.nowMs - Math.min(WAIT_MAX_MS, Math.max(0, agoMs));
  }
}

function secondsAt(words: Uint32Array, at: number): number {
  return (words[at] as number) + (words[at + 1] as number) * WORD_SPAN;
}
