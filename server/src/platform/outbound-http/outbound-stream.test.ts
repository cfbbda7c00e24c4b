import type { IncomingMessage, ServerResponse } from "node:http";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import { failureOf, withScene } from "./testing/outbound-scene.ts";

const ask = { method: "POST", url: "https://tools.test/chat", body: "{}", repeatable: true } as const;

async function readAll(body: AsyncIterable<Uint8Array>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of body) pieces.push(new TextDecoder().decode(piece));
  return pieces;
}

describe("a reply that is read as it comes", () => {
  it("yields each piece when it arrives, and its connection serves the next request", async () => {
    let reply: ServerResponse | undefined;
    const answer = (_request: IncomingMessage, opened: ServerResponse) => {
      reply = opened;
      opened.writeHead(200, { "Content-Type": "text/event-stream" }).write("one");
    };
    await withScene({ answer }, async ({ outbound, connectionsSeen }) => {
      for (let turn = 0; turn < 2; turn += 1) {
        const stream = await outbound.stream(ask);
        expect(stream.headers.get("content-type")).toBe("text/event-stream");
        const pieces: string[] = [];
        for await (const piece of stream.body) {
          pieces.push(new TextDecoder().decode(piece));
          if (pieces.length === 1) reply?.write("two");
          if (pieces.length === 2) reply?.end("three");
        }
        expect(pieces).toEqual(["one", "two", "three"]);
      }
      expect(connectionsSeen()).toBe(1);
    });
  });

  it("closes its connection when the reader has enough", async () => {
    const answer = (_request: IncomingMessage, reply: ServerResponse) => reply.write("one");
    await withScene({ answer }, async ({ outbound, allClosed }) => {
      const { body } = await outbound.stream(ask);
      for await (const piece of body) {
        expect(piece.byteLength).toBe(3);
        break;
      }
      await allClosed();
    });
  });

  it("closes its connection when it is never read, and when it is closed unread", async () => {
    const answer = (_request: IncomingMessage, reply: ServerResponse) => reply.write("one");
    const clock = createVirtualClock();
    await withScene({ answer, clock }, async ({ outbound, allClosed }) => {
      const closed = await outbound.stream(ask);
      closed.close();
      closed.close();
      await allClosed();
      expect(await failureOf(readAll(closed.body))).toMatchObject({ code: "aborted" });
      const forgotten = await outbound.stream(ask);
      await clock.advance(120_000);
      await allClosed();
      expect(await failureOf(readAll(forgotten.body))).toMatchObject({ code: "timed_out" });
      expect(clock.pendingTimers()).toBe(0);
    });
  });

  it("ends when nothing more comes for twenty seconds, and not before", async () => {
    const clock = createVirtualClock();
    const answer = (_request: IncomingMessage, reply: ServerResponse) => reply.write("one");
    await withScene({ answer, clock }, async ({ outbound }) => {
      const { body } = await outbound.stream(ask);
      let failure = { code: "still waiting", message: "" };
      const iterator = body[Symbol.asyncIterator]();
      await iterator.next();
      const waiting = failureOf(iterator.next()).then((found) => {
        failure = found;
      });
      await clock.advance(19_999);
      expect(failure.code).toBe("still waiting");
      await clock.advance(1);
      await waiting;
      expect(failure).toEqual({
        code: "timed_out",
        message: "tools.test stopped replying; nothing more came within 20 seconds.",
      });
    });
  });

  it("does not count the time its reader takes as the far end's silence", async () => {
    const clock = createVirtualClock();
    const answer = (_request: IncomingMessage, reply: ServerResponse) => {
      reply.write("one");
      setImmediate(() => reply.end("two"));
    };
    await withScene({ answer, clock }, async ({ outbound }) => {
      const { body } = await outbound.stream(ask);
      const iterator = body[Symbol.asyncIterator]();
      await iterator.next();
      await clock.advance(60_000);
      const rest = await iterator.next();
      expect(rest.done).toBe(false);
      expect((await iterator.next()).done).toBe(true);
    });
  });

  it("ends in the middle when the request is called off", async () => {
    const answer = (_request: IncomingMessage, reply: ServerResponse) => reply.write("one");
    await withScene({ answer }, async ({ outbound }) => {
      const control = new AbortController();
      const { body } = await outbound.stream(ask, control.signal);
      const iterator = body[Symbol.asyncIterator]();
      await iterator.next();
      const waiting = failureOf(iterator.next());
      control.abort();
      expect(await waiting).toEqual({ code: "aborted", message: "The request was called off." });
    });
  });

  it("is refused once it exceeds eight mebibytes", async () => {
    const block = Buffer.alloc(1024 * 1024);
    const answer = (_request: IncomingMessage, reply: ServerResponse) => {
      const pour = () => {
        while (!reply.destroyed && reply.write(block));
      };
      reply.on("drain", pour);
      pour();
    };
    await withScene({ answer }, async ({ outbound }) => {
      const { body } = await outbound.stream(ask);
      expect(await failureOf(readAll(body))).toEqual({
        code: "too_large",
        message: "The reply of tools.test is larger than 8192 KiB.",
      });
    });
  });
});
