import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { json } from "node:stream/consumers";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acceptWebSocket, mayUpgrade, routeUpgrades, type ServerWebSocket } from "./web-socket.ts";

const clock = createVirtualClock();
let app: FastifyInstance;
let accepted: PromiseWithResolvers<ServerWebSocket>;
let closed: PromiseWithResolvers<void>;

beforeEach(async () => {
  accepted = Promise.withResolvers();
  closed = Promise.withResolvers();
  app = Fastify({ http: { shouldUpgradeCallback: mayUpgrade } });
  routeUpgrades(app);
  app.get("/socket", async (_, reply) => {
    accepted.resolve(acceptWebSocket(reply, closed.resolve, clock));
  });
  app.get("/plain", async () => ({ plain: true }));
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(() => app.close());

const url = (path: string, scheme = "ws") => {
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `${scheme}://127.0.0.1:${address.port}${path}`;
};

/** Node's own client, and everything it received. */
function openClient() {
  const client = new WebSocket(url("/socket"));
  client.binaryType = "arraybuffer";
  const got: (string | number)[] = [];
  client.addEventListener("message", ({ data }) => got.push(typeof data === "string" ? data : data.byteLength));
  const ended = new Promise<string>((resolve) => {
    client.addEventListener("close", ({ code, reason }) => resolve(`${code} ${reason}`));
  });
  return { client, got, ended };
}

/** A client that sends exactly the bytes it is given. */
async function openRaw(): Promise<{ socket: Socket; text(): string }> {
  const socket = connect(Number(new URL(url("/")).port), "127.0.0.1");
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  await once(socket, "connect");
  socket.write(
    "GET /socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  return { socket, text: () => text };
}

test("a client receives what was sent, in order, and why the connection ends", async () => {
  const { got, ended } = openClient();
  const sender = await accepted.promise;
  sender.sendText("hello");
  sender.sendBytes(Buffer.alloc(70_000));
  sender.sendBytes(Buffer.alloc(5));
  sender.close(1000, "the call is over");
  expect(await ended).toBe("1000 the call is over");
  expect(got).toEqual(["hello", 70_000, 5]);
  await closed.promise;
});

test("a client's close frame is answered, and nothing more is sent", async () => {
  const { client, ended } = openClient();
  await once(client, "open");
  const sender = await accepted.promise;
  client.close(1000, "enough");
  expect(await ended).toBe("1000 enough");
  await closed.promise;
  expect(sender.isOpen).toBe(false);
  sender.sendText("too late");
});

test("the handshake is proven as in the example of RFC 6455 section 1.3", async () => {
  const { socket, text } = await openRaw();
  const sender = await accepted.promise;
  sender.close(1001, "");
  // This client never answers the close frame.
  const isClosed = once(socket, "close");
  await clock.advance(2_000);
  await isClosed;
  expect(text()).toMatch(/^HTTP\/1\.1 101 .*sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/is);
});

test("a client that breaks the protocol is disconnected with the right status", async () => {
  const { socket, text } = await openRaw();
  await accepted.promise;
  socket.write(Buffer.from([0x81, 0x01, 0x41]));
  await once(socket, "end");
  await closed.promise;
  // Status 1002, a protocol error.
  expect(text()).toContain("\x88\x02\x03\xea");
});

test("a client that stopped answering is disconnected, and one that answers pings is kept", async () => {
  const quick = openClient();
  const sender = await accepted.promise;
  for (let turn = 0; turn < 4; turn += 1) {
    await clock.advance(15_000);
    sender.sendText(`turn ${turn}`);
    await new Promise<void>((resolve) => quick.client.addEventListener("message", () => resolve(), { once: true }));
  }
  expect(sender.isOpen).toBe(true);
  sender.close(1000, "");
  await quick.ended;

  accepted = Promise.withResolvers();
  closed = Promise.withResolvers();
  const { socket } = await openRaw();
  await accepted.promise;
  await clock.advance(15_000);
  await clock.advance(15_000);
  await closed.promise;
  if (!socket.closed) await once(socket, "close");
});

test("a refusal comes as plain HTTP, and other upgrade requests are answered as usual", async () => {
  const client = new WebSocket(url("/nowhere"));
  await once(client, "error");
  const asking = get(url("/plain", "http"), { agent: false, headers: { connection: "Upgrade", upgrade: "h2c" } });
  const [reply] = (await once(asking, "response")) as [IncomingMessage];
  expect([reply.statusCode, await json(reply)]).toEqual([200, { plain: true }]);
  const noSocket = await fetch(url("/socket", "http"));
  expect(noSocket.status).toBe(400);
});

test("messages of a client arrive in order; one that is too long ends the connection with the right status", async () => {
  const heard: (string | number)[] = [];
  const other = Fastify({ http: { shouldUpgradeCallback: mayUpgrade } });
  routeUpgrades(other);
  const over = Promise.withResolvers<void>();
  other.get("/socket", async (_, reply) => {
    acceptWebSocket(reply, over.resolve, clock, {
      messageBytesMax: 100_000,
      onText: (text) => heard.push(text),
      onBytes: (bytes) => heard.push(bytes.length),
    });
  });
  await other.listen({ host: "127.0.0.1", port: 0 });
  try {
    const { port } = other.server.address() as { port: number };
    const client = new WebSocket(`ws://127.0.0.1:${port}/socket`);
    await once(client, "open");
    const ended = new Promise<number>((resolve) => {
      client.addEventListener("close", ({ code }) => resolve(code));
    });
    client.send("start");
    client.send(new Uint8Array(320));
    client.send("é".repeat(400));
    await expect.poll(() => heard.length).toBe(3);
    client.send(new Uint8Array(100_001));
    expect(await ended).toBe(1009);
    await over.promise;
    expect(heard).toEqual(["start", 320, "é".repeat(400)]);
  } finally {
    await other.close();
  }
});

test("a fragmented message is put together, and a fragment without a beginning is refused", async () => {
  const heard: string[] = [];
  const other = Fastify({ http: { shouldUpgradeCallback: mayUpgrade } });
  routeUpgrades(other);
  const over = Promise.withResolvers<void>();
  other.get("/socket", async (_, reply) => {
    acceptWebSocket(reply, over.resolve, clock, {
      messageBytesMax: 10,
      onText: (text) => heard.push(text),
      onBytes: () => undefined,
    });
  });
  await other.listen({ host: "127.0.0.1", port: 0 });
  try {
    const { port } = other.server.address() as { port: number };
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    await once(socket, "connect");
    socket.write(
      "GET /socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    const isEnded = once(socket, "end");
    // Unmasked by a mask of zeros: "he" without an end, then "llo" as its last piece, then a piece of nothing.
    socket.write(Buffer.from([0x01, 0x82, 0, 0, 0, 0, 0x68, 0x65]));
    socket.write(Buffer.from([0x80, 0x83, 0, 0, 0, 0, 0x6c, 0x6c, 0x6f]));
    socket.write(Buffer.from([0x80, 0x81, 0, 0, 0, 0, 0x78]));
    await over.promise;
    await isEnded;
    expect(heard).toEqual(["hello"]);
    expect(text).toContain(String.fromCharCode(0x88));
    socket.destroy();
  } finally {
    await other.close();
  }
});
