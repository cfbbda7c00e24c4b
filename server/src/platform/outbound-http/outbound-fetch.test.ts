import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createOutboundFetch } from "./outbound-fetch.ts";
import { failureOf, withScene } from "./testing/outbound-scene.ts";

const url = "https://tools.test/v1/chat";

describe("the door in the shape of fetch", () => {
  it("sends what it is given and streams the reply", async () => {
    const answer = async (request: IncomingMessage, reply: ServerResponse) =>
      reply
        .writeHead(200, { "Content-Type": "application/json" })
        .end(JSON.stringify({ method: request.method, key: request.headers["x-key"], body: await text(request) }));
    await withScene({ answer }, async ({ outbound }) => {
      const fetch = createOutboundFetch(outbound);
      const reply = await fetch(url, { method: "POST", headers: { "X-Key": "k" }, body: "hello" });
      expect(reply.ok).toBe(true);
      expect(await reply.json()).toEqual({ method: "POST", key: "k", body: "hello" });
      expect(await (await fetch(new URL(url))).json()).toEqual({ method: "GET", body: "" });
    });
  });

  it("returns a redirect and a reply without a body unchanged", async () => {
    const answer = (request: IncomingMessage, reply: ServerResponse) =>
      request.url === "/none"
        ? reply.writeHead(204).end()
        : reply.writeHead(307, { Location: "http://10.0.0.1/" }).end();
    await withScene({ answer }, async ({ outbound, dialed }) => {
      const fetch = createOutboundFetch(outbound);
      const redirect = await fetch(url);
      expect([redirect.status, redirect.headers.get("location")]).toEqual([307, "http://10.0.0.1/"]);
      await redirect.body?.cancel();
      expect((await fetch("https://tools.test/none")).body).toBeNull();
      expect(dialed.every((line) => line.startsWith("93."))).toBe(true);
    });
  });

  it("refuses what the door refuses", async () => {
    await withScene({ addresses: [["10.0.0.1"]] }, async ({ outbound }) => {
      const fetch = createOutboundFetch(outbound);
      expect(await failureOf(fetch(url))).toMatchObject({ code: "refused_address" });
      expect(await failureOf(fetch(url, { method: "OPTIONS" }))).toMatchObject({ code: "bad_request" });
    });
  });

  it("closes the connection of a body that is cancelled, and rejects with the caller's own reason when called off", async () => {
    const answer = (_request: IncomingMessage, reply: ServerResponse) => reply.write("one");
    await withScene({ answer }, async ({ outbound, allClosed }) => {
      const fetch = createOutboundFetch(outbound);
      const reply = await fetch(url);
      await reply.body?.cancel();
      await allClosed();
      const reason = new Error("the callee went on speaking");
      const control = new AbortController();
      control.abort(reason);
      await expect(fetch(url, { signal: control.signal })).rejects.toBe(reason);
    });
  });
});
