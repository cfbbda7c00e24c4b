import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createEventSockets } from "./event-sockets.ts";
import { loadLibc } from "./libc.ts";
import type { MediaSocketFactory, MediaSockets } from "./media-sockets.ts";
import { createPolledSockets } from "./polled-sockets.ts";

const now = () => performance.now();
const libc = loadLibc();
const kinds: [string, MediaSocketFactory][] = [["sockets that call", createEventSockets(now)]];
if (libc !== null) kinds.push(["sockets that are polled", createPolledSockets(libc)]);

interface Datagram {
  bytes: Buffer;
  host: string;
  port: number;
  arrivalMs: number;
}

interface End {
  sockets: MediaSockets;
  rtp: Datagram[];
  rtcp: Datagram[];
}

const open: MediaSockets[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((sockets) => sockets.close()));
});

async function openEnd(factory: MediaSocketFactory, bindHost: string, rtpPort = 0, rtcpPort = 0): Promise<End> {
  const [rtp, rtcp]: [Datagram[], Datagram[]] = [[], []];
  const keepIn = (list: Datagram[]) => (bytes: Uint8Array, length: number, host: string, port: number, at: number) =>
    void list.push({ bytes: Buffer.from(bytes.subarray(0, length)), host, port, arrivalMs: at });
  const sockets = await factory.open({
    bindHosts: bindHost.split(","),
    rtpPort,
    rtcpPort,
    onRtp: keepIn(rtp),
    onRtcp: keepIn(rtcp),
  });
  open.push(sockets);
  return { sockets, rtp, rtcp };
}

function send(sink: MediaSockets["rtp"], text: string, host: string, port: number): void {
  const buffer = sink.takeBuffer();
  buffer.set(Buffer.from(text));
  sink.send(buffer, text.length, { host, port });
}

/** Polls as a media thread would, until the condition holds or it is hopeless. */
async function becomesTrue(factory: MediaSocketFactory, ends: readonly End[], condition: () => boolean) {
  for (const endMs = now() + 10_000; now() < endMs && !condition(); await wait(1)) {
    factory.noteTime(now());
    for (const { sockets } of ends) sockets.poll();
    factory.flush();
  }
  return condition();
}

it("sockets can be polled on the machines this is tested on", () => {
  expect(kinds.length).toBe(process.platform === "linux" ? 2 : 1);
});

describe.each(kinds)("%s", (_kind, factory) => {
  it.each(["127.0.0.1", "::1"])("carry datagrams and say where they came from and when, on %s", async (host) => {
    const [a, b] = [await openEnd(factory, host), await openEnd(factory, host)];
    const beforeMs = now();
    send(a.sockets.rtp, "audio", host, b.sockets.rtpPort);
    send(a.sockets.rtcp, "report", host, b.sockets.rtcpPort);
    expect(await becomesTrue(factory, [a, b], () => b.rtp.length === 1 && b.rtcp.length === 1)).toBe(true);
    expect(b.rtp[0]).toMatchObject({ bytes: Buffer.from("audio"), host, port: a.sockets.rtpPort });
    expect(b.rtcp[0]).toMatchObject({ bytes: Buffer.from("report"), host, port: a.sockets.rtcpPort });
    // The kernel's clock has a grain, and is read a moment after ours.
    expect(b.rtp[0]?.arrivalMs).toBeGreaterThan(beforeMs - 5);
    expect(b.rtp[0]?.arrivalMs).toBeLessThanOrEqual(now());
  });

  it("distinguish sources, and deliver each datagram of a burst once", async () => {
    const target = await openEnd(factory, "127.0.0.1");
    const sources = [await openEnd(factory, "127.0.0.1"), await openEnd(factory, "127.0.0.1")];
    for (let round = 0; round < 20; round++) {
      for (const [index, { sockets }] of sources.entries()) {
        send(sockets.rtp, `${index}:${round}`, "127.0.0.1", target.sockets.rtpPort);
        factory.flush();
      }
    }
    expect(await becomesTrue(factory, [target], () => target.rtp.length >= 40)).toBe(true);
    const heard = target.rtp.map(({ bytes, port }) => `${bytes} from ${port}`).sort();
    const sent = sources.flatMap(({ sockets }, index) =>
      Array.from({ length: 20 }, (_, round) => `${index}:${round} from ${sockets.rtpPort}`),
    );
    expect(heard).toEqual(sent.sort());
  });

  it("follow a change of address, and drop datagrams without a usable address", async () => {
    const [a, b, c] = [
      await openEnd(factory, "127.0.0.1"),
      await openEnd(factory, "127.0.0.1"),
      await openEnd(factory, "127.0.0.1"),
    ];
    const targets: [string, number][] = [
      ["127.0.0.1", b.sockets.rtpPort],
      ["nowhere.invalid", b.sockets.rtpPort],
      ["2001:db8::1", b.sockets.rtpPort],
      ["127.0.0.1", c.sockets.rtpPort],
    ];
    for (const [index, [host, port]] of targets.entries()) {
      send(a.sockets.rtp, String(index), host, port);
      factory.flush();
    }
    expect(await becomesTrue(factory, [b, c], () => b.rtp.length + c.rtp.length >= 2)).toBe(true);
    expect([b, c].map(({ rtp }) => rtp.map(({ bytes }) => String(bytes)))).toEqual([["0"], ["3"]]);
  });

  it("refuse a port that is taken and an address that is another machine's, and leave nothing open", async () => {
    const a = await openEnd(factory, "127.0.0.1");
    await expect(openEnd(factory, "127.0.0.1", a.sockets.rtpPort)).rejects.toThrow(/EADDRINUSE/);
    await expect(openEnd(factory, "192.0.2.1")).rejects.toThrow(/EADDRNOTAVAIL/);
    const free = await openEnd(factory, "127.0.0.1");
    const { rtpPort } = free.sockets;
    await open.pop()?.close();
    await expect(openEnd(factory, "127.0.0.1", rtpPort, a.sockets.rtcpPort)).rejects.toThrow(/EADDRINUSE/);
    const again = await openEnd(factory, "127.0.0.1", rtpPort);
    expect(again.sockets.rtpPort).toBe(rtpPort);
  });

  it("tolerate empty and enormous datagrams", async () => {
    const a = await openEnd(factory, "127.0.0.1");
    const stranger = createSocket("udp4").bind({ port: 0, address: "127.0.0.1" });
    await once(stranger, "listening");
    for (const size of [0, 9_000, 172]) stranger.send(Buffer.alloc(size, 1), a.sockets.rtpPort, "127.0.0.1");
    expect(await becomesTrue(factory, [a], () => a.rtp.length === 3)).toBe(true);
    stranger.close();
    expect(a.rtp.map(({ bytes }) => bytes.length).filter((length) => length !== 0 && length !== 9_000)).toEqual([172]);
  });
});
