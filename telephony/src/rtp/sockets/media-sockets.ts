import type { MediaAddress } from "../media/media-address.ts";

/** A datagram came. The bytes are only lent, and may be changed; the time is that of its arrival at the machine. */
export type DatagramListener = (
  bytes: Uint8Array,
  length: number,
  host: string,
  port: number,
  arrivalMs: number,
) => void;

/** Where datagrams go out. One that cannot be sent is lost, which is nothing special to RTP. */
export interface DatagramSink {
  /**
   * Room for one datagram, to be filled and sent immediately. The same memory is handed out again, at the earliest next
   * tick.
   */
  takeBuffer(): Uint8Array;
  send(bytes: Uint8Array, length: number, to: MediaAddress): void;
}

/** A datagram of telephone audio, or a report, is shorter than this. */
export const SENT_BYTES_MAX = 768;

/** The two sockets of a leg. */
export interface MediaSockets {
  readonly rtpPort: number;
  readonly rtcpPort: number;
  readonly rtp: DatagramSink;
  readonly rtcp: DatagramSink;
  /** Delivers what has arrived since, where sockets do not do so automatically. */
  poll(): void;
  /** Resolves when both ports are free again. */
  close(): Promise<void>;
}

export interface SocketsToOpen {
  /** At least one, and at most one of each family. All get the same pair of ports. */
  readonly bindHosts: readonly string[];
  /** 0 lets the machine choose. */
  readonly rtpPort: number;
  readonly rtcpPort: number;
  readonly onRtp: DatagramListener;
  readonly onRtcp: DatagramListener;
}

/** How a media thread comes by sockets. */
export interface MediaSocketFactory {
  /** Rejects when a port is taken or the address is not this machine's; nothing stays open then. */
  open(toOpen: SocketsToOpen): Promise<MediaSockets>;
  /** Provides the current time, before sockets are polled. */
  noteTime(nowMs: number): void;
  /** Sends the collected datagrams after legs have ticked. */
  flush(): void;
}

/** The sockets of several families as those of one leg: each datagram leaves by those of its target. */
export async function openEachFamily(
  toOpen: SocketsToOpen,
  open: (bindHost: string, ports: Pick<SocketsToOpen, "rtpPort" | "rtcpPort">) => Promise<MediaSockets>,
): Promise<MediaSockets> {
  const [firstHost = "", secondHost] = toOpen.bindHosts;
  const first = await open(firstHost, toOpen);
  if (secondHost === undefined) return first;
  let second: MediaSockets;
  try {
    second = await open(secondHost, first);
  } catch (error) {
    await first.close();
    throw error;
  }
  const isFirstSix = firstHost.includes(":");
  const sinkOf = (ofFirst: DatagramSink, ofSecond: DatagramSink): DatagramSink => ({
    takeBuffer: () => ofFirst.takeBuffer(),
    send(bytes, length, to) {
      if (to.host.includes(":") === isFirstSix) return ofFirst.send(bytes, length, to);
      const copy = ofSecond.takeBuffer();
      copy.set(bytes.subarray(0, length));
      ofSecond.send(copy, length, to);
    },
  });
  return {
    rtpPort: first.rtpPort,
    rtcpPort: first.rtcpPort,
    rtp: sinkOf(first.rtp, second.rtp),
    rtcp: sinkOf(first.rtcp, second.rtcp),
    poll() {
      first.poll();
      second.poll();
    },
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}
