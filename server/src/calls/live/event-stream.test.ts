import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type EventStream, openEventStream } from "./event-stream.ts";

let app: FastifyInstance;
let stream: EventStream;
let isAllowed: boolean;
let closed: number;
const closing = new AbortController();

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  isAllowed = true;
  closed = 0;
  app = Fastify({ forceCloseConnections: "idle" });
  app.get("/", async (_request, reply) => {
    stream = openEventStream(reply, {
      stillAllowed: async () => isAllowed,
      closing: closing.signal,
      onClose: () => {
        closed += 1;
      },
    });
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(async () => {
  stream.close();
  await app.close();
  vi.useRealTimers();
});

async function follow(): Promise<{ text: Promise<string>; abort(): void }> {
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const controller = new AbortController();
  const reply = await fetch(`http://127.0.0.1:${address.port}/`, { signal: controller.signal });
  expect(reply.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  return { text: reply.text().catch(() => "aborted"), abort: () => controller.abort() };
}

test("says every 15 seconds that it is still there, so that proxies keep the line open", async () => {
  const { text } = await follow();
  vi.advanceTimersByTime(31_000);
  stream.send({ id: "7", event: "call.ringing", data: { a: 1 } });
  stream.close();
  expect(await text).toBe(': open\n\n: still here\n\n: still here\n\nid: 7\nevent: call.ringing\ndata: {"a":1}\n\n');
});

test("ends within 30 seconds when the right to it is gone", async () => {
  const { text } = await follow();
  isAllowed = false;
  vi.advanceTimersByTime(29_000);
  expect(await text).toContain(": open");
  expect(closed).toBe(1);
});

test("releases everything when the client disconnects", async () => {
  const { text, abort } = await follow();
  abort();
  await text;
  await vi.waitFor(() => expect(closed).toBe(1), { timeout: 15_000 });
  expect(vi.getTimerCount()).toBe(0);
});

test("ends when the server closes, so that a restart does not wait for it", async () => {
  const { text } = await follow();
  closing.abort();
  expect(await text).toContain(": open");
});
