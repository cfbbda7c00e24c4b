import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { createPlayout } from "@parley/audio/playout-layout";
import { createRing } from "@parley/audio/ring";
import { afterEach, describe, expect, it } from "vitest";
import type { SrtpKeying } from "../srtp/srtp-keys.ts";
import { bestCorrelation } from "../testing/best-correlation.ts";
import { setupTowards } from "../testing/leg-pair.ts";
import { becomesTrue, openEnd, type ThreadedEnd } from "../testing/threaded-end.ts";
import type { MediaSetup } from "./media-setup.ts";
import { MediaThread, type MediaThreadOptions } from "./media-thread.ts";

const threads: MediaThread[] = [];

function startThread(options?: MediaThreadOptions): MediaThread {
  const thread = new MediaThread(options);
  threads.push(thread);
  return thread;
}

afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.stop()));
});

/** Sweeps from one frequency to the other. */
function chirp(fromHz: number, toHz: number, seconds: number): Int16Array {
  const length = seconds * 8000;
  return Int16Array.from({ length }, (_, index) => {
    const t = index / 8000;
    return Math.round(12_000 * Math.sin(2 * Math.PI * (fromHz * t + ((toHz - fromHz) * t * t) / (2 * seconds))));
  });
}

/** The share of quarter seconds that arrived as they were sent; a starved machine may spoil some of them. */
function shareAlike(sent: Int16Array, heard: Int16Array): number {
  let alike = 0;
  let windows = 0;
  for (let start = 0; start + 2_000 <= sent.length; start += 2_000) {
    windows += 1;
    const { correlation } = bestCorrelation(sent, heard, { start, count: 2_000, lagMin: 0, lagMax: 3_000 });
    if (correlation > 0.99) alike += 1;
  }
  return alike / windows;
}

async function hear(end: ThreadedEnd, samples: number): Promise<Int16Array> {
  await becomesTrue(() => end.heard.availableSamples >= samples);
  const heard = new Int16Array(end.heard.availableSamples);
  end.heard.read(heard);
  return heard;
}

function connect(
  a: ThreadedEnd,
  b: ThreadedEnd,
  forA: Partial<MediaSetup> = {},
  forB: Partial<MediaSetup> = {},
  host = "127.0.0.1",
): void {
  const towards = ({ leg }: ThreadedEnd, changes: Partial<MediaSetup>) =>
    setupTowards({ host, port: leg.rtpPort }, { remoteControl: { host, port: leg.rtcpPort }, ...changes });
  a.leg.configure(towards(b, forA));
  b.leg.configure(towards(a, forB));
}

function keysOf({ events }: ThreadedEnd): string {
  return events.flatMap((event) => (event.type === "dtmf" ? [event.key] : [])).join("");
}

function keying(): SrtpKeying {
  return { suite: "AES_CM_128_HMAC_SHA1_80", masterKey: randomBytes(16), masterSalt: randomBytes(14) };
}

describe("media threads", { timeout: 60_000 }, () => {
  it("carry audio and keys both ways while the main thread is blocked", async () => {
    const up = chirp(300, 2_500, 2);
    const down = chirp(2_800, 400, 2);
    const a = await openEnd(startThread());
    const b = await openEnd(startThread());
    connect(a, b);
    expect(await becomesTrue(() => a.events.length > 0 && b.events.length > 0)).toBe(true);
    a.heard.seek(a.heard.writtenPosition);
    b.heard.seek(b.heard.writtenPosition);
    a.say(up);
    b.say(down);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    const heardByA = await hear(a, 20_000);
    const heardByB = await hear(b, 20_000);
    const shares = [shareAlike(down, heardByA), shareAlike(up, heardByB)];
    console.log(`quarter seconds with correlation above 0.99: ${shares.map((share) => share.toFixed(2)).join(", ")}`);
    for (const share of shares) expect(share).toBeGreaterThan(0.5);
    expect(shareAlike(up, heardByA)).toBe(0);
    a.leg.sendDtmf("15#", 60);
    b.leg.sendDtmf("*0", 60);
    expect(await becomesTrue(() => keysOf(b) === "15#" && keysOf(a) === "*0")).toBe(true);
    expect((await a.leg.statistics())?.packetsReceived).toBeGreaterThan(100);
  });

  it.each([
    ["127.0.0.1", false],
    ["::1", false],
    ["::1", true],
  ])("carry SRTP both ways on %s (with Node's sockets: %s)", async (bindHost, usesEventSockets) => {
    const up = chirp(300, 2_500, 2);
    const thread = startThread({ usesEventSockets });
    const a = await openEnd(thread, { bindHost });
    const b = await openEnd(thread, { bindHost });
    const [ours, theirs] = [keying(), keying()];
    connect(a, b, { srtp: { send: ours, receive: theirs } }, { srtp: { send: theirs, receive: ours } }, bindHost);
    expect(await becomesTrue(() => a.events.length > 0 && b.events.length > 0)).toBe(true);
    b.heard.seek(b.heard.writtenPosition);
    a.say(up);
    expect(shareAlike(up, await hear(b, 20_000))).toBeGreaterThan(0.5);
    b.leg.sendDtmf("7", 60);
    expect(await becomesTrue(() => keysOf(a) === "7")).toBe(true);
    expect(a.events[0]).toEqual({ type: "source_locked", source: { host: bindHost, port: b.leg.rtpPort } });
    const [left, right] = [await a.leg.close(), await b.leg.close()];
    expect([left?.packetsUnauthentic, right?.packetsUnauthentic]).toEqual([0, 0]);
    expect(left?.packetsReceived).toBeGreaterThan(50);
    expect(thread.legCount).toBe(0);
    expect(await a.leg.statistics()).toBeNull();
  });

  it("join two of their legs, so that the far ends hear each other, until one hangs up", async () => {
    const up = chirp(300, 2_500, 2);
    const thread = startThread();
    const [toCallee, toColleague] = [await openEnd(thread), await openEnd(thread)];
    const outside = startThread();
    const [callee, colleague] = [await openEnd(outside), await openEnd(outside)];
    connect(toCallee, callee);
    connect(toColleague, colleague);
    const ends = [toCallee, toColleague, callee, colleague];
    expect(await becomesTrue(() => ends.every(({ events }) => events.length > 0))).toBe(true);
    expect(() => toCallee.leg.join(callee.leg)).toThrow(/same media thread/);
    expect(() => toCallee.leg.join(toCallee.leg)).toThrow(/itself/);
    toCallee.leg.join(toColleague.leg);
    await toCallee.leg.statistics();
    colleague.heard.seek(colleague.heard.writtenPosition);
    callee.say(up);
    expect(shareAlike(up, await hear(colleague, 20_000))).toBeGreaterThan(0.5);
    colleague.leg.sendDtmf("42", 60);
    expect(await becomesTrue(() => keysOf(callee) === "42" && keysOf(toColleague) === "42")).toBe(true);
    await toColleague.leg.close();
    toCallee.leg.join(toColleague.leg);
    const sentBefore = (await toCallee.leg.statistics())?.packetsSent ?? 0;
    callee.heard.seek(callee.heard.writtenPosition);
    await hear(callee, 1_600);
    expect((await toCallee.leg.statistics())?.packetsSent).toBeGreaterThan(sentBefore);
    expect(toCallee.failures).toEqual([]);
  });

  it("reject a port that is taken and invalid keys, and continue", async () => {
    const thread = startThread();
    const a = await openEnd(thread);
    await expect(openEnd(thread, { rtpPort: a.leg.rtpPort })).rejects.toThrow(/EADDRINUSE/);
    await expect(openEnd(thread, { rtcpPort: a.leg.rtcpPort })).rejects.toThrow(/EADDRINUSE/);
    expect(() => a.leg.sendDtmf("1x")).toThrow(RangeError);
    expect(thread.legCount).toBe(1);
    expect(await a.leg.statistics()).toMatchObject({ packetsSent: 0, mos: null });
  });

  it("close a leg that fails, say so, and carry the others on", async () => {
    const thread = startThread();
    const broken = await openEnd(thread);
    const audio = await openEnd(thread);
    broken.leg.configure(null as unknown as MediaSetup);
    expect(await becomesTrue(() => broken.failures.length === 1)).toBe(true);
    expect(await broken.leg.close()).toMatchObject({ packetsSent: 0 });
    broken.heard.read(new Int16Array(160_000));
    expect(broken.heard.isEnded).toBe(true);
    expect(await audio.leg.statistics()).toMatchObject({ packetsSent: 0 });
    expect(thread.legCount).toBe(1);
  });

  it("leave no port behind when they end by an error", async () => {
    const worker = new Worker(new URL("./media-worker.ts", import.meta.url), { workerData: {} });
    const failure = Promise.withResolvers<unknown>();
    const exit = Promise.withResolvers<number>();
    worker.once("error", failure.resolve).once("exit", exit.resolve);
    worker.postMessage({
      type: "open",
      legId: 1,
      bindHosts: ["127.0.0.1"],
      rtpPort: 0,
      rtcpPort: 0,
      cname: "test",
      heard: createRing(),
      played: createRing(),
      playout: createPlayout(),
    });
    const [opened] = (await once(worker, "message")) as [{ rtpPort: number }];
    worker.postMessage(null);
    expect(await failure.promise).toBeInstanceOf(TypeError);
    expect(await exit.promise).toBe(1);
    const socket = createSocket("udp4").bind({ port: opened.rtpPort, address: "127.0.0.1", exclusive: true });
    expect(await once(socket, "listening").then(() => true)).toBe(true);
    socket.close();
  });

  it("leave no port behind when they stop in the middle of a call", async () => {
    const thread = startThread();
    const a = await openEnd(thread);
    const b = await openEnd(thread);
    connect(a, b);
    expect(await becomesTrue(() => a.events.length > 0)).toBe(true);
    await thread.stop();
    for (const port of [a.leg.rtpPort, a.leg.rtcpPort, b.leg.rtpPort, b.leg.rtcpPort]) {
      const socket = createSocket("udp4").bind({ port, address: "127.0.0.1", exclusive: true });
      await once(socket, "listening");
      socket.close();
    }
    expect(a.failures).toEqual([]);
    expect(await b.leg.close()).not.toBeNull();
    expect(a.heard.writtenPosition).toBeGreaterThan(0);
    await expect(openEnd(thread)).rejects.toThrow();
  });
});
