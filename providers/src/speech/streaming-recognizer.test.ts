import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { systemClock } from "@parley/time/clock";
import { afterEach, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { createStreamingRecognizer } from "./streaming-recognizer.ts";

const CHUNK_SAMPLES = 640;
let server: WebSocketServer | null = null;

afterEach(() => {
  server?.close();
  server = null;
});

/** A vendor that takes audio in steps of 80 ms. */
async function openStream(chunkMinMs: number) {
  const lengths: number[] = [];
  const listening = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server = listening;
  listening.on("connection", (socket) => {
    socket.on("message", (data) => lengths.push((data as Buffer).length / 2));
  });
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const recognizer = createStreamingRecognizer({
    ...{ provider: "steps", title: "Steps", secrets: [], clock: systemClock, chunkMs: 80, chunkMinMs },
    address: () => ({ url: `ws://127.0.0.1:${port}`, headers: {} }),
    start: () => ({ receive: () => undefined, complete: async () => undefined }),
  });
  const stream = await recognizer.open({ language: "en-US", sampleRateHz: 8_000 });
  return { lengths, stream, close: () => recognizer.close() };
}

test("after an utterance that began within a piece of audio, pieces end with the steps of the vendor again", async () => {
  const { lengths, stream, close } = await openStream(0);
  stream.hear(new Int16Array(CHUNK_SAMPLES + 240));
  stream.startUtterance();
  for (let frame = 0; frame < 16; frame += 1) stream.hear(new Int16Array(160));
  await expect.poll(() => lengths.length).toBe(6);
  expect(lengths).toEqual([640, 240, 400, 640, 640, 640]);
  await close();
});

test("a vendor that refuses short pieces gets none", async () => {
  const { lengths, stream, close } = await openStream(50);
  stream.hear(new Int16Array(CHUNK_SAMPLES + 480));
  stream.startUtterance();
  for (let frame = 0; frame < 8; frame += 1) stream.hear(new Int16Array(160));
  await expect.poll(() => lengths.length).toBe(4);
  expect(lengths).toEqual([640, 480, 640, 640]);
  await close();
});
