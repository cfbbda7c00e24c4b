import { getEventListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { readText } from "./outbound-http.ts";
import { failureOf, PUBLIC_ADDRESS, PUBLIC_IPV6, withScene } from "./testing/outbound-scene.ts";

const url = "https://tools.test/orders?id=7";

describe("a request to a customer's URL", () => {
  it("reaches the host of the URL at its resolved address, and returns the reply", async () => {
    const got: { request?: IncomingMessage; body?: string } = {};
    const answer = async (request: IncomingMessage, reply: ServerResponse) => {
      got.request = request;
      got.body = await text(request);
      reply.writeHead(201, { "X-Order": "7", "Set-Cookie": ["a=1", "b=2"] }).end("créé");
    };
    await withScene({ answer }, async ({ outbound, dialed, asked }) => {
      const reply = await outbound.request({
        method: "POST",
        url,
        headers: { "Content-Type": "application/json", Authorization: "Bearer abc" },
        body: '{"name":"Zoë"}',
      });
      expect(reply).toMatchObject({ status: 201, address: PUBLIC_ADDRESS });
      expect(readText(reply)).toBe("créé");
      expect(reply.headers.get("x-order")).toBe("7");
      expect(reply.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
      expect({ asked, dialed }).toEqual({ asked: ["tools.test"], dialed: [`${PUBLIC_ADDRESS} 443`] });
    });
    expect(got.request).toMatchObject({ method: "POST", url: "/orders?id=7" });
    expect(got.request?.headers).toEqual({
      host: "tools.test",
      "user-agent": "Parley",
      accept: "*/*",
      authorization: "Bearer abc",
      "content-type": "application/json",
      "content-length": "15",
      "accept-encoding": "identity",
      connection: "close",
    });
    expect(got.body).toBe('{"name":"Zoë"}');
  });

  it("spells out an address too, when that is what the URL says", async () => {
    await withScene({}, async ({ outbound, dialed, asked }) => {
      await outbound.request({ method: "GET", url: `https://${PUBLIC_ADDRESS}/` });
      await outbound.request({ method: "GET", url: `https://[${PUBLIC_IPV6}]:8443/` });
      expect({ asked, dialed }).toEqual({ asked: [], dialed: [`${PUBLIC_ADDRESS} 443`, `${PUBLIC_IPV6} 8443`] });
    });
  });

  it("does not follow a redirect, wherever it leads", async () => {
    const answer = (_request: IncomingMessage, reply: ServerResponse) =>
      reply.writeHead(302, { Location: "http://169.254.169.254/latest/meta-data/" }).end();
    await withScene({ answer }, async ({ outbound, dialed }) => {
      const reply = await outbound.request({ method: "GET", url });
      expect(reply.status).toBe(302);
      expect(reply.headers.get("location")).toBe("http://169.254.169.254/latest/meta-data/");
      expect(dialed).toHaveLength(1);
    });
  });

  it("returns an empty body for replies that have none", async () => {
    const answer = (request: IncomingMessage, reply: ServerResponse) =>
      request.method === "HEAD"
        ? reply.writeHead(200, { "Content-Length": String(1024 ** 3) }).end()
        : reply.writeHead(204).end();
    await withScene({ answer }, async ({ outbound }) => {
      for (const method of ["HEAD", "GET", "DELETE"] as const) {
        const reply = await outbound.request({ method, url });
        expect(reply.body.byteLength).toBe(0);
      }
    });
  });

  it("is answered for each of ten that run side by side, and leaves no connection behind", async () => {
    const answer = (request: IncomingMessage, reply: ServerResponse) => reply.end(request.url?.slice(1));
    await withScene({ answer }, async ({ outbound, connectionsSeen }) => {
      const numbers = Array.from({ length: 10 }, (_, index) => String(index));
      const replies = await Promise.all(
        numbers.map((number) => outbound.request({ method: "GET", url: `https://tools.test/${number}` })),
      );
      expect(replies.map(readText)).toEqual(numbers);
      expect(connectionsSeen()).toBe(10);
    });
  });

  it("never unpacks a reply, so that a small one cannot become a large one", async () => {
    const answer = (_request: IncomingMessage, reply: ServerResponse) =>
      reply.writeHead(200, { "Content-Encoding": "gzip" }).end(Buffer.from([0x1f, 0x8b, 8, 0]));
    await withScene({ answer }, async ({ outbound }) => {
      const reply = await outbound.request({ method: "GET", url });
      expect(reply.body.byteLength).toBe(4);
      expect(await failureOf(Promise.resolve(reply).then(readText))).toEqual({
        code: "bad_reply",
        message: "The reply is compressed, although it was asked not to be.",
      });
    });
  });

  it("says in words that the name has no address or could not be looked up", async () => {
    const resolve = async (name: string) => {
      throw Object.assign(new Error("dns"), { code: name.startsWith("gone") ? "ENOTFOUND" : "ESERVFAIL" });
    };
    await withScene({ resolve }, async ({ outbound, dialed }) => {
      expect(await failureOf(outbound.request({ method: "GET", url: "https://gone.test/" }))).toEqual({
        code: "dns_failed",
        message: "There is no address for the name gone.test.",
      });
      expect(await failureOf(outbound.request({ method: "GET", url }))).toEqual({
        code: "dns_failed",
        message: "The name tools.test could not be looked up.",
      });
      expect(dialed).toEqual([]);
    });
    await withScene({ addresses: [[]] }, async ({ outbound }) => {
      expect(await failureOf(outbound.request({ method: "GET", url }))).toMatchObject({ code: "dns_failed" });
    });
  });

  it("is refused after the service began to stop, and a pending one is aborted", async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    await withScene({ answer: () => resolve() }, async ({ outbound }) => {
      const waiting = failureOf(outbound.request({ method: "GET", url }));
      await arrived;
      outbound.close();
      const stopped = { code: "aborted", message: "The service is stopping." };
      expect(await waiting).toEqual(stopped);
      expect(await failureOf(outbound.request({ method: "GET", url }))).toEqual(stopped);
    });
  });

  it("leaves nothing on a signal that outlives it, whether it succeeds or fails", async () => {
    const { signal } = new AbortController();
    const addresses = [[PUBLIC_ADDRESS], ["10.0.0.1"]];
    await withScene({ addresses }, async ({ outbound }) => {
      await outbound.request({ method: "GET", url }, signal);
      await failureOf(outbound.request({ method: "GET", url }, signal));
      expect(getEventListeners(signal, "abort")).toEqual([]);
    });
  });

  it("ends immediately when aborted, at every stage", async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const never = new Promise<never>(() => undefined);
    await withScene({ answer: () => resolve() }, async ({ outbound }) => {
      const before = new AbortController();
      before.abort();
      expect(await failureOf(outbound.request({ method: "GET", url }, before.signal))).toMatchObject({
        code: "aborted",
      });
      const during = new AbortController();
      const waiting = failureOf(outbound.request({ method: "GET", url }, during.signal));
      await arrived;
      during.abort();
      expect(await waiting).toEqual({ code: "aborted", message: "The request was called off." });
    });
    await withScene({ resolve: () => never }, async ({ outbound }) => {
      const during = new AbortController();
      const waiting = failureOf(outbound.request({ method: "GET", url }, during.signal));
      during.abort();
      expect(await waiting).toMatchObject({ code: "aborted" });
    });
  });
});
