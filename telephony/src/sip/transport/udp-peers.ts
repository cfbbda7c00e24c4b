import type { Socket } from "node:dgram";
import type { Hop } from "./sip-transport.ts";

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

/** An ICMP error comes back within a round trip; what was sent longer ago is not meant by it. */
const MEANT_BY_ICMP_MS = 3_000;
/** More machines than an operator's trunks have. */
const PEERS_MAX = 64;
/** A socket that is connected keeps the source address it had at first, which a change of the network makes wrong. */
const UNUSED_MAX_MS = 60_000;

/**
 * Sends from sockets that are each connected to one peer, because only those are told by the kernel that nothing listens
 * at the peer's port (ICMP port unreachable, RFC 1122 section 4.1.3.3; RFC 3261 section 18.4). All of them share the port
 * of the transport, so that the peer sees no difference, and what the peer sends arrives at its own socket.
 */
export class UdpPeers {
  readonly #open: () => Promise<Socket>;
  readonly #peers = new Map<string, Peer>();
  readonly #closing = new Set<Promise<void>>();

  constructor(open: () => Promise<Socket>) {
    this.#open = open;
  }

  /** `sendPlainly` is called instead where no socket can be had for the peer. Returns what takes back an unsent message. */
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

  /** Null where the kernel refuses: no way leads there, or the port cannot be shared. A plain sending then tells why. */
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

  /** What was sent lately failed. The next message gets a new socket, since the failure may be one of our own address. */
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
