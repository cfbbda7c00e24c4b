import type { Clock } from "@parley/time/clock";
import type { RandomSource } from "../random-source.ts";
import type { Hop, MessageListener, SipTransport, TransportKind } from "../transport/sip-transport.ts";

export interface NetworkConditions {
  /** Of datagrams; the reliable transports lose nothing and keep the order. */
  readonly lossRate?: number;
  readonly duplicateRate?: number;
  /** Each datagram takes a time between these two, so that a wide range also changes the order. */
  readonly delayMinMs?: number;
  readonly delayMaxMs?: number;
}

interface Sent {
  readonly atMs: number;
  readonly from: string;
  readonly to: string;
  readonly bytes: Buffer;
}

export interface VirtualNetwork {
  attach(kind: TransportKind, address: string, port: number): SipTransport;
  setConditions(conditions: NetworkConditions): void;
  /** Decides about single messages: true loses it. */
  dropWhere(isLost: ((text: string, from: string) => boolean) | null): void;
  /** Everything handed to the network, also what was lost. */
  readonly sent: readonly Sent[];
}

/** A network on a virtual clock that loses, doubles, delays and reorders as its seed says. */
export function createVirtualNetwork(clock: Clock, random: RandomSource): VirtualNetwork {
  const attached = new Map<string, (bytes: Buffer, source: Hop) => void>();
  const sent: Sent[] = [];
  let conditions: NetworkConditions = {};
  let isLost: ((text: string, from: string) => boolean) | null = null;

  function deliver(bytes: Buffer, source: Hop, to: string, onFailure: (reason: string) => void): void {
    const { delayMinMs = 1, delayMaxMs = delayMinMs, lossRate = 0, duplicateRate = 0 } = conditions;
    const isDatagram = source.transport === "udp";
    if (isLost?.(bytes.toString(), `${source.address}:${source.port}`)) return;
    if (isDatagram && random.fraction() < lossRate) return;
    const copies = isDatagram && random.fraction() < duplicateRate ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const delayMs = isDatagram ? delayMinMs + random.fraction() * (delayMaxMs - delayMinMs) : delayMaxMs;
      clock.setTimer(delayMs, () => {
        const receive = attached.get(to);
        if (receive !== undefined) receive(Buffer.from(bytes), source);
        else if (!isDatagram) onFailure("connection refused");
      });
    }
  }

  return {
    sent,
    setConditions(next) {
      conditions = next;
    },
    dropWhere(next) {
      isLost = next;
    },
    attach(kind, address, port) {
      const own = `${kind}:${address}:${port}`;
      let listener: MessageListener | null = null;
      attached.set(own, (bytes, source) => listener?.(bytes, source));
      return {
        kind,
        isReliable: kind !== "udp",
        local: { host: address, port },
        send(bytes, target, onFailure) {
          const to = `${kind}:${target.address}:${target.port}`;
          sent.push({ atMs: clock.now(), from: own, to, bytes });
          deliver(bytes, { transport: kind, address, port }, to, onFailure);
          return () => undefined;
        },
        onMessage(next) {
          listener = next;
        },
        close() {
          attached.delete(own);
          return Promise.resolve();
        },
      };
    },
  };
}
