import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import { failureOf, type SceneOptions, withScene } from "./testing/outbound-scene.ts";

const get = { method: "GET", url: "https://tools.test/" } as const;

/** Runs a request against a far end that stalls, and lets time pass once it has stalled. */
async function stalled(options: SceneOptions, passMs: number, request: object = {}) {
  const clock = createVirtualClock();
  let failure = { code: "still waiting", message: "" };
  await withScene({ ...options, clock }, async ({ outbound }) => {
    const waiting = failureOf(outbound.request({ ...get, ...request })).then((found) => {
      failure = found;
    });
    await passWhenReady(options);
    await clock.advance(passMs);
    outbound.close();
    await waiting;
    expect(clock.pendingTimers()).toBe(0);
  });
  return failure;
}

const ready = new WeakMap<SceneOptions, Promise<void>>();
const passWhenReady = (options: SceneOptions) => ready.get(options) ?? Promise.resolve();

function farEnd(make: (begun: () => void) => SceneOptions): SceneOptions {
  const { promise, resolve } = Promise.withResolvers<void>();
  const options = make(resolve);
  ready.set(options, promise);
  return options;
}

describe("a request's time", () => {
  it("ends after five seconds without an answer of the name server", async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect(await stalled({ resolve }, 4999)).toMatchObject({ code: "aborted" });
    expect(await stalled({ resolve }, 5000)).toEqual({
      code: "timed_out",
      message: "There was no connection to tools.test within 5 seconds.",
    });
  });

  it("ends after five seconds without a connection, and the attempts are abandoned", async () => {
    const attempt = new Socket();
    expect(await stalled({ dial: () => attempt }, 5000)).toMatchObject({ code: "timed_out" });
    expect(attempt.destroyed).toBe(true);
  });

  it("ends after five seconds when the far end accepts and says nothing in TLS", async () => {
    const options = farEnd((begun) => ({
      dial: (_address, reachFarEnd) => {
        const socket = reachFarEnd();
        socket.once("connect", () => setImmediate(begun));
        // The far end gets no hello, and so never says its own.
        socket.write = () => true;
        return socket;
      },
    }));
    expect(await stalled(options, 5000)).toEqual({
      code: "timed_out",
      message: "There was no connection to tools.test within 5 seconds.",
    });
  });

  it("ends when the far end takes the request and never replies", async () => {
    const options = () => farEnd((begun) => ({ answer: begun }));
    expect(await stalled(options(), 13_999)).toMatchObject({ code: "aborted" });
    expect(await stalled(options(), 14_000)).toEqual({
      code: "timed_out",
      message: "tools.test did not begin to reply within 14 seconds.",
    });
  });

  it("ends sooner when the sender gave it less", async () => {
    expect(
      await stalled(
        farEnd((begun) => ({ answer: begun })),
        3000,
        { timeoutMs: 3000 },
      ),
    ).toEqual({
      code: "timed_out",
      message: "The whole reply did not come within 3 seconds.",
    });
  });

  it("never exceeds fifteen seconds, even when the reply trickles", async () => {
    const clock = createVirtualClock();
    const drops: ServerResponse[] = [];
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const answer = (_request: IncomingMessage, reply: ServerResponse) => {
      drops.push(reply);
      reply.write("drop", () => resolve());
    };
    await withScene({ answer, clock }, async ({ outbound }) => {
      let failure = { code: "still waiting", message: "" };
      const waiting = failureOf(outbound.request(get)).then((found) => {
        failure = found;
      });
      await begun;
      for (let second = 1; second < 15; second += 1) {
        await clock.advance(1000);
        const dropped = Promise.withResolvers<void>();
        drops[0]?.write("drop", () => dropped.resolve());
        await dropped.promise;
        expect(failure.code).toBe("still waiting");
      }
      await clock.advance(1000);
      await waiting;
      expect(failure).toEqual({ code: "timed_out", message: "The whole reply did not come within 15 seconds." });
    });
  });
});

describe("a reply's size", () => {
  const half = Buffer.alloc(512 * 1024, "x");
  const tooLarge = { code: "too_large", message: "The reply of tools.test is larger than 1024 KiB." };

  it("may be one mebibyte to the byte", async () => {
    const answer = (_request: IncomingMessage, reply: ServerResponse) => {
      reply.write(half);
      reply.end(half);
    };
    await withScene({ answer }, async ({ outbound }) => {
      expect((await outbound.request(get)).body.byteLength).toBe(1024 * 1024);
    });
  });

  it("is refused when it says itself that it is larger, before it is read", async () => {
    const answer = (_request: IncomingMessage, reply: ServerResponse) =>
      reply.writeHead(200, { "Content-Length": String(1024 * 1024 + 1) }).write("x");
    await withScene({ answer }, async ({ outbound }) => {
      expect(await failureOf(outbound.request(get))).toEqual(tooLarge);
    });
  });

  it("is refused once it is larger, even if it never ends and never declared its size", async () => {
    const answer = (_request: IncomingMessage, reply: ServerResponse) => {
      const pour = () => {
        while (!reply.destroyed && reply.write(half));
      };
      reply.on("drain", pour);
      pour();
    };
    await withScene({ answer }, async ({ outbound }) => {
      expect(await failureOf(outbound.request(get))).toEqual(tooLarge);
    });
  });

  it("includes its headers, which may have sixteen kibibytes", async () => {
    const answer = (_request: IncomingMessage, reply: ServerResponse) =>
      reply.writeHead(200, { "X-Long": "x".repeat(17 * 1024) }).end();
    await withScene({ answer }, async ({ outbound }) => {
      expect(await failureOf(outbound.request(get))).toEqual({
        code: "too_large",
        message: "The headers of tools.test's reply are too large.",
      });
    });
  });
});

describe("a far end that breaks the rules", () => {
  const saying = (...words: string[]) => ({
    speak: (socket: Socket) => {
      socket.on("error", () => socket.destroy());
      socket.once("data", () => {
        for (const word of words) socket.write(word);
        socket.end();
      });
    },
  });

  it.each([
    ["nothing at all", saying(), "connection_lost"],
    ["half a reply", saying("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), "connection_lost"],
    ["half a chunk", saying("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal"), "connection_lost"],
    ["what is not HTTP", saying("220 mail.example ESMTP\r\n"), "bad_reply"],
    ["two lengths", saying("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"), "bad_reply"],
    [
      "a length and chunks",
      saying("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
      "bad_reply",
    ],
    [
      "another protocol",
      saying("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
      "bad_reply",
    ],
    [
      "a chunk of an absurd size",
      saying("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"),
      "bad_reply",
    ],
  ])("by saying %s is reported as such", async (_what, options, code) => {
    await withScene(options, async ({ outbound }) => {
      expect(await failureOf(outbound.request(get))).toMatchObject({ code });
    });
  });

  it("by resetting the connection is reported as such", async () => {
    const speak = (socket: Socket) => {
      socket.on("error", () => socket.destroy());
      socket.once("data", () => socket.destroy());
    };
    await withScene({ speak }, async ({ outbound }) => {
      expect(await failureOf(outbound.request(get))).toEqual({
        code: "connection_lost",
        message: "tools.test closed the connection before its reply was complete.",
      });
    });
  });

  it("may send informational responses first, and the final reply is found after them", async () => {
    const options = saying(
      "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(20),
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    );
    await withScene(options, async ({ outbound }) => {
      expect((await outbound.request(get)).status).toBe(200);
    });
  });

  it("may reply before it has read the whole request", async () => {
    const answer = (_request: IncomingMessage, reply: ServerResponse) => reply.writeHead(413).end("too much");
    await withScene({ answer }, async ({ outbound }) => {
      const body = new Uint8Array(1024 * 1024);
      expect((await outbound.request({ method: "POST", url: get.url, body })).status).toBe(413);
    });
  });
});
