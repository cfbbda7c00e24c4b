import { once } from "node:events";
import { connect } from "node:net";
import type { Call } from "@parley/contract/calls";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendCsv } from "./csv-export.ts";

let app: FastifyInstance;
let closing: AbortController;
let batchesRead: number;
let failing: boolean;
const onError = vi.fn();

const call = {
  id: "call_1",
  metadata: { note: `=1+1,"${"x".repeat(20_000)}"` },
  phoneNumber: "+15550100001",
  follows: null,
  followedBy: null,
  engineParts: null,
  incidents: [],
} as unknown as Call;

async function* endless(): AsyncGenerator<Call[]> {
  for (;;) {
    batchesRead += 1;
    if (failing && batchesRead > 3) throw new Error("the database is gone");
    yield Array.from({ length: 10 }, () => call);
  }
}

beforeEach(async () => {
  closing = new AbortController();
  batchesRead = 0;
  failing = false;
  onError.mockClear();
  app = Fastify({ forceCloseConnections: "idle" });
  app.get("/", (_request, reply) => {
    void sendCsv(reply, endless(), { closing: closing.signal, stillAllowed: async () => true, onError });
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(() => app.close());

async function askWithoutReading() {
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const socket = connect(address.port, "127.0.0.1");
  await once(socket, "connect");
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  return socket;
}

test("an export goes no faster than its client takes it", async () => {
  const socket = await askWithoutReading();
  await vi.waitFor(() => expect(batchesRead).toBeGreaterThan(0), { timeout: 15_000 });
  let before = -1;
  await vi.waitFor(
    () => {
      const grew = batchesRead !== before;
      before = batchesRead;
      expect(grew).toBe(false);
    },
    { timeout: 10_000, interval: 200 },
  );
  expect(batchesRead).toBeLessThan(200);
  socket.destroy();
});

test("a client that does not read does not keep the server from closing", async () => {
  const socket = await askWithoutReading();
  await vi.waitFor(() => expect(batchesRead).toBeGreaterThan(0), { timeout: 15_000 });
  closing.abort();
  await app.close();
  socket.destroy();
  expect(onError).not.toHaveBeenCalled();
});

test("an export that fails in the middle is cut off, so that it cannot be taken for a whole one", async () => {
  failing = true;
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const reply = await fetch(`http://127.0.0.1:${address.port}/`);
  await expect(reply.text()).rejects.toThrow();
  expect(onError).toHaveBeenCalledOnce();
});
