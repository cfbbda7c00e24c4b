import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";
import { bracketed } from "../message/uri.ts";
import type { Hop, MessageListener, SendOptions, SipTransport } from "./sip-transport.ts";

export interface UdpOptions {
  readonly address: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** The address given to the peer instead of `address`, which may be unreachable for it. */
  readonly advertisedHost?: string;
}

/**
 * A socket that is not connected never receives ICMP errors. Linux delivers those to a connected socket on the same
 * port, which SO_REUSEPORT allows to sockets of the same user. Elsewhere a dead peer is noticed by its silence alone.
 */
const HEARS_ICMP = process.platform === "linux";

/** Rejects if the address is not available. */
export async function openUdpTransport({ address, port, advertisedHost }: UdpOptions): Promise<SipTransport> {
  // With SO_REUSEPORT the kernel would let another of our processes share the port; without it, it refuses.
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

type FailureListener = (reason: string) => void;

interface Watched {
  readonly atMs: number;
  readonly onFailure: FailureListener;
}

interface Peer {
  readonly socket: Promise<Socket | null>;
  /** Weak, because a listener leads to the whole leg: it lives as long as the sender keeps what takes the message back. */
  watched: WeakRef<Watched>[];
  usedAtMs: number;
}

/** An ICMP error arrives within a round trip; it is not about older messages. */
const MEANT_BY_ICMP_MS = 3_000;
/** More machines than an operator's trunks have. */
const PEERS_MAX = 64;
/** A socket that is connected keeps the source address it had at first, which a change of the network makes wrong. */
const UNUSED_MAX_MS = 60_000;

/**
 * Sends from sockets that are each connected to one peer, because only for those does the kernel report that nothing listens
 * at the peer's port (ICMP port unreachable, RFC 1122 section 4.1.3.3; RFC 3261 section 18.4). All of them share the port
 * of the transport, so that the peer sees no difference, and its messages arrive at its own socket.
 */
class UdpPeers {
  readonly #open: () => Promise<Socket>;
  readonly #peers = new Map<string, Peer>();
  readonly #closing = new Set<Promise<void>>();

  constructor(open: () => Promise<Socket>) {
    this.#open = open;
  }

  /** `sendPlainly` is called instead if there is no socket for the peer. Returns a function that cancels an unsent message. */
  send(bytes: Buffer, target: Hop, onFailure: FailureListener, sendPlainly: () => void): () => void {
    const peer = this.#peerOf(target);
    const nowMs = performance.now();
    let isWithdrawn = false;
    peer.usedAtMs = nowMs;
    peer.watched = peer.watched.filter((each) => nowMs - (each.deref()?.atMs ?? 0) < MEANT_BY_ICMP_MS);
    const watched = { atMs: nowMs, onFailure };
    const unwatch = () => {
      peer.watched = peer.watched.filter((each) => each.deref() !== watched);
    };
    peer.watched.push(new WeakRef(watched));
    void peer.socket.then((socket) => {
      if (isWithdrawn) return;
      if (socket === null) sendPlainly();
      else
        socket.send(bytes, (error) => {
          if (!error) return;
          // A socket reports what ICMP said of an earlier message at the next sending.
          if (isAboutPeer(error)) return this.#failed(target, error.message);
          unwatch();
          onFailure(error.message);
        });
    });
    return () => {
      isWithdrawn = true;
      unwatch();
    };
  }

  async close(): Promise<void> {
    for (const [key, peer] of this.#peers) this.#drop(key, peer);
    await Promise.all(this.#closing);
  }

  #peerOf(target: Hop): Peer {
    const key = keyOf(target);
    const known = this.#peers.get(key);
    const isStale = known !== undefined && performance.now() - known.usedAtMs > UNUSED_MAX_MS;
    if (known !== undefined && isStale) this.#drop(key, known);
    else if (known !== undefined) {
      this.#peers.delete(key);
      this.#peers.set(key, known);
      return known;
    }
    const peer: Peer = { socket: this.#connect(target), watched: [], usedAtMs: performance.now() };
    this.#peers.set(key, peer);
    void peer.socket.then((socket) => {
      if (socket === null && this.#peers.get(key) === peer) this.#peers.delete(key);
    });
    const [oldest] = this.#peers;
    if (this.#peers.size > PEERS_MAX && oldest !== undefined) this.#drop(...oldest);
    return peer;
  }

  /** Null if the kernel refuses: no route, or the port cannot be shared. A plain send then reports the reason. */
  async #connect(target: Hop): Promise<Socket | null> {
    let socket: Socket | null = null;
    try {
      socket = await this.#open();
      await connected(socket, target);
      socket.on("error", (error) => this.#failed(target, error.message));
      return socket;
    } catch {
      socket?.close();
      return null;
    }
  }

  /** Recent messages failed. The next message gets a new socket, since the failure may be one of our own address. */
  #failed(target: Hop, reason: string): void {
    const key = keyOf(target);
    const peer = this.#peers.get(key);
    if (peer === undefined) return;
    const { watched } = peer;
    this.#drop(key, peer);
    const sinceMs = performance.now() - MEANT_BY_ICMP_MS;
    for (const each of watched) {
      const { atMs, onFailure } = each.deref() ?? { atMs: 0, onFailure: () => undefined };
      if (atMs >= sinceMs) onFailure(reason);
    }
  }

  #drop(key: string, peer: Peer): void {
    this.#peers.delete(key);
    const closing = peer.socket.then(
      (socket) => new Promise<void>((resolve) => (socket === null ? resolve() : socket.close(() => resolve()))),
    );
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }
}

const UNREACHABLE: ReadonlySet<string> = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EACCES", "EPERM"]);

function isAboutPeer(error: NodeJS.ErrnoException): boolean {
  return UNREACHABLE.has(error.code ?? "");
}

function connected(socket: Socket, { address, port }: Hop): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.connect(port, address, () => {
      socket.off("error", reject);
      resolve();
    });
  });
}

function keyOf({ address, port }: Hop): string {
  return `${address} ${port}`;
}
