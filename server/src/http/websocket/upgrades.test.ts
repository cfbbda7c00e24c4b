import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { json } from "node:stream/consumers";
import { createVirtualClock } from "@parley/telephony/virtual-clock";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acceptWebSocket, mayUpgrade, routeUpgrades } from "./upgrades.ts";
import type { WebSocketSender } from "./web-socket.ts";

const clock = createVirtualClock();
let app: FastifyInstance;
let accepted: PromiseWithResolvers<WebSocketSender>;
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

/** A client of another make, and all that it was told. */
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

/** A client that does exactly what it is told. */
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

test("a client of another make is told what was sent, in order, and why it ends", async () => {
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

test("a client's goodbye is answered, and nothing more is sent", async () => {
  const { client, ended } = openClient();
  await once(client, "open");
  const sender = await accepted.promise;
  client.close(1000, "enough");
  expect(await ended).toBe("1000 ");
  await closed.promise;
  expect(sender.isOpen).toBe(false);
  sender.sendText("too late");
});

test("the handshake is proven as in the example of RFC 6455 section 1.3", async () => {
  const { socket, text } = await openRaw();
  const sender = await accepted.promise;
  sender.close(1001, "");
  // This client does not say goodbye itself.
  const isClosed = once(socket, "close");
  await clock.advance(2_000);
  await isClosed;
  expect(text()).toMatch(/^HTTP\/1\.1 101 .*sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/s);
});

test("whoever breaks the protocol is let go with its status", async () => {
  const { socket, text } = await openRaw();
  await accepted.promise;
  socket.write(Buffer.from([0x81, 0x01, 0x41]));
  await once(socket, "end");
  await closed.promise;
  expect(text()).toContain("\x03\xeaa client masks its frames");
});

test("a client that has gone silent is noticed, and one that answers pings is kept", async () => {
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

test("a refusal comes as plain HTTP, and requests that ask for something else are answered as ever", async () => {
  const client = new WebSocket(url("/nowhere"));
  await once(client, "error");
  const asking = get(url("/plain", "http"), { agent: false, headers: { connection: "Upgrade", upgrade: "h2c" } });
  const [reply] = (await once(asking, "response")) as [IncomingMessage];
  expect([reply.statusCode, await json(reply)]).toEqual([200, { plain: true }]);
  const noSocket = await fetch(url("/socket", "http"));
  expect(noSocket.status).toBe(400);
});
