import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { createRing, RingWriter } from "@parley/audio/ring";
import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deriveSecrets } from "../../../platform/config/secret.ts";
import { writeInternalToken } from "./internal-token.ts";
import { audioPath, type LineRings, type LiveServer, openLiveServer } from "./live-server.ts";

const { vouch } = deriveSecrets("a secret that is only used in tests");
const workerId = "wrk_1";
let clock: VirtualClock;
let server: LiveServer;
let lines: Map<string, LineRings>;

beforeEach(async () => {
  clock = createVirtualClock(1_800_000_000_000);
  lines = new Map();
  server = await openLiveServer(
    { workerId, vouch, clock, lineOf: (callId) => lines.get(callId) ?? null },
    "127.0.0.1",
    0,
  );
});
afterEach(() => server.close());

function openCall(callId: string) {
  const rings = { heard: createRing(), played: createRing() };
  lines.set(callId, rings);
  const heard = new RingWriter(rings.heard);
  const played = new RingWriter(rings.played);
  return {
    say(callee: number, agent: number, samples: number) {
      heard.write(new Int16Array(samples).fill(callee));
      played.write(new Int16Array(samples).fill(agent));
    },
  };
}

async function ask(callId: string, token?: string): Promise<IncomingMessage> {
  const path = audioPath(callId);
  const proof = token ?? writeInternalToken(vouch, { workerId, method: "GET", path }, clock.now());
  const asking = get(`http://127.0.0.1:${server.port}${path}`, {
    agent: false,
    headers: { authorization: `Bearer ${proof}` },
  });
  const [reply] = (await once(asking, "response")) as [IncomingMessage];
  return reply;
}

/** Follows a reply from now on: earlier data is lost. */
function follow(reply: IncomingMessage) {
  let bytes: Buffer = Buffer.alloc(0);
  reply.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  reply.on("end", resolve);
  reply.on("error", () => undefined);
  return {
    ended,
    async bytes(count: number): Promise<Buffer> {
      await expect.poll(() => bytes.length).toBe(count);
      return bytes;
    },
  };
}

test("a process of the installation hears both sides live, the callee on the left, until the line ends", async () => {
  const call = openCall("call_1");
  call.say(1, 2, 800);
  const reply = await ask("call_1");
  expect(reply.statusCode).toBe(200);
  const got = follow(reply);
  call.say(300, -400, 800);
  await clock.advance(100);
  const bytes = await got.bytes(3_200);
  for (const at of [0, 1_600, 3_196]) expect([bytes.readInt16LE(at), bytes.readInt16LE(at + 2)]).toEqual([300, -400]);

  call.say(5, 6, 80);
  lines.delete("call_1");
  await clock.advance(100);
  expect((await got.bytes(3_520)).readInt16LE(3_200)).toBe(5);
  await got.ended;
  expect(reply.complete).toBe(true);
  expect(clock.pendingTimers()).toBe(0);
});

test("without a valid proof the reply does not even reveal whether the call exists", async () => {
  openCall("call_1");
  const path = audioPath("call_1");
  const elsewhere = writeInternalToken(vouch, { workerId: "wrk_2", method: "GET", path }, clock.now());
  for (const token of ["", "nonsense", elsewhere]) expect((await ask("call_1", token)).statusCode).toBe(401);
  expect((await ask("call_2", "nonsense")).statusCode).toBe(401);
});

test("a call that it does not conduct is not found", async () => {
  expect((await ask("call_2")).statusCode).toBe(404);
});

test("a listener that disconnects leaves nothing behind", async () => {
  const call = openCall("call_1");
  const reply = await ask("call_1");
  reply.on("error", () => undefined);
  call.say(1, 1, 80);
  await clock.advance(100);
  await once(reply, "data");
  reply.destroy();
  await expect.poll(() => clock.pendingTimers()).toBe(0);
});

test("a listener that fell far behind continues with the current audio", async () => {
  const call = openCall("call_1");
  const got = follow(await ask("call_1"));
  call.say(1, 1, 24_000);
  call.say(2, 2, 800);
  await clock.advance(100);
  expect((await got.bytes(3_200)).readInt16LE(0)).toBe(2);
});

test("another process can connect to a worker separately: with a proof, and up to the limit", async () => {
  const got: string[] = [];
  let isFull = false;
  const talk = {
    path: "/live/tries",
    protocol: "parley-try",
    isFull: () => isFull,
    begin: (socket: Duplex) => void socket.on("data", (chunk: Buffer) => socket.end(`heard ${chunk}`)),
  };
  const other = await openLiveServer({ workerId, vouch, clock, lineOf: () => null, talks: [talk] }, "127.0.0.1", 0);
  const open = async (path: string, protocol: string, token: string) => {
    const asking = get(`http://127.0.0.1:${other.port}${path}`, {
      agent: false,
      headers: { authorization: `Bearer ${token}`, connection: "Upgrade", upgrade: protocol },
    });
    return new Promise<string>((resolve) => {
      asking.on("response", (reply) => {
        reply.destroy();
        resolve(String(reply.statusCode));
      });
      asking.on("upgrade", (_reply, socket) => {
        socket.write("hello");
        socket.on("data", (chunk: Buffer) => got.push(String(chunk)));
        socket.on("end", () => resolve("over"));
      });
    });
  };
  const token = (path: string) => writeInternalToken(vouch, { workerId, method: "GET", path }, clock.now());
  try {
    expect(await open("/live/tries", "parley-try", token("/live/tries"))).toBe("over");
    expect(got).toEqual(["heard hello"]);
    expect(await open("/live/tries", "parley-try", token("/live/other"))).toBe("401");
    expect(await open("/live/other", "parley-try", token("/live/other"))).toBe("404");
    expect(await open("/live/tries", "websocket", token("/live/tries"))).toBe("404");
    isFull = true;
    expect(await open("/live/tries", "parley-try", token("/live/tries"))).toBe("503");
  } finally {
    await other.close();
  }
});
