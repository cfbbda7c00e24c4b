import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { createManualClock, type ManualClock } from "@parley/time/testing/manual-clock";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { openVendorSocket, type VendorSocket, type VendorSocketOptions } from "./vendor-socket.ts";

const KEY = "sk-vendor-5f2b7a91c3d84e60";

interface Refusal {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A vendor on the loopback interface. */
class Vendor {
  readonly handshakes: IncomingMessage[] = [];
  readonly #http: Server = createServer();
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #connections = new Set<Socket>();
  readonly #accepted: WebSocket[] = [];
  refusal: Refusal | null = null;
  isSilent = false;
  onAccepted: (socket: WebSocket) => void = () => undefined;

  async start(): Promise<this> {
    this.#http.on("connection", (socket: Socket) => {
      this.#connections.add(socket);
      socket.on("error", () => socket.destroy());
      socket.once("close", () => {
        this.#connections.delete(socket);
        if (this.#connections.size === 0) this.#http.emit("idle");
      });
    });
    this.#http.on("upgrade", (request, socket, head) => {
      this.handshakes.push(request);
      this.#http.emit("handshake");
      // It still notices that the other side leaves.
      if (this.isSilent) return void socket.resume().once("end", () => socket.destroy());
      if (this.refusal) {
        const { status, headers = {}, body = "" } = this.refusal;
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.end(`HTTP/1.1 ${status} No\r\n${lines.join("")}Content-Length: ${body.length}\r\n\r\n${body}`);
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (accepted) => {
        this.#accepted.push(accepted);
        accepted.on("error", () => accepted.terminate());
        this.onAccepted(accepted);
      });
    });
    this.#http.listen(0, "127.0.0.1");
    await once(this.#http, "listening");
    return this;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#http.address() as AddressInfo).port}/v1/listen?model=x`;
  }

  async connected(): Promise<void> {
    if (this.handshakes.length === 0) await once(this.#http, "handshake");
  }

  async noConnections(): Promise<void> {
    // A socket that does not read does not notice either that the other side is gone.
    for (const accepted of this.#accepted) accepted.resume();
    if (this.#connections.size > 0) await once(this.#http, "idle");
  }

  async close(): Promise<void> {
    for (const socket of this.#connections) socket.destroy();
    this.#http.close();
    await once(this.#http, "close");
  }
}

describe("a connection to a vendor", () => {
  let vendor: Vendor;
  let clock: ManualClock;
  let received: (string | Uint8Array)[];
  let closed: PromiseWithResolvers<ProviderError | null>;
  let onReceived: () => void;

  beforeEach(async () => {
    vendor = await new Vendor().start();
    clock = createManualClock();
    received = [];
    closed = Promise.withResolvers();
    onReceived = () => undefined;
  });

  afterEach(async () => {
    await soon(vendor.noConnections(), "closing every connection");
    await vendor.close();
    expect(clock.pending(), "timers left behind").toBe(0);
  });

  function open(wanted: Partial<VendorSocketOptions> = {}): Promise<VendorSocket> {
    return openVendorSocket({
      provider: "acme-ears",
      title: "Acme",
      secrets: [KEY],
      url: vendor.url,
      headers: { Authorization: `Token ${KEY}` },
      clock,
      connectWithinMs: 5_000,
      onMessage(data) {
        received.push(data);
        onReceived();
      },
      onClosed: (error) => closed.resolve(error),
      ...wanted,
    });
  }

  const end = () => soon(closed.promise, "closing");
  const failureOf = async (wanted: Partial<VendorSocketOptions> = {}) => {
    const failure = await outcomeOf(open(wanted));
    expect(failure).toBeInstanceOf(ProviderError);
    expect(shownBy(failure)).not.toContain(KEY.slice(3, 12));
    return failure as ProviderError;
  };

  it("carries text and bytes both ways and sends the key in its header only", async () => {
    vendor.onAccepted = (socket) => {
      socket.send("from the first moment");
      socket.on("message", (data: Buffer, isBinary) => socket.send(data, { binary: isBinary }));
    };
    const socket = await open();
    const all = Promise.withResolvers<void>();
    onReceived = () => {
      if (received.length === 3) all.resolve();
    };
    socket.send("Grüß Gott");
    socket.send(Uint8Array.of(1, 2, 255));
    await soon(all.promise, "echoing");
    expect(received).toEqual(["from the first moment", "Grüß Gott", Uint8Array.of(1, 2, 255)]);
    expect(vendor.handshakes[0]?.headers.authorization).toBe(`Token ${KEY}`);
    expect(vendor.handshakes[0]?.url).not.toContain(KEY);
    socket.close();
    expect(await end()).toBeNull();
  });

  it("delivers messages only once the caller has the socket", async () => {
    let socket: VendorSocket | null = null;
    const order: boolean[] = [];
    const first = Promise.withResolvers<void>();
    vendor.onAccepted = (accepted) => accepted.send("hello");
    socket = await open({
      onMessage() {
        order.push(socket !== null);
        first.resolve();
      },
    });
    await soon(first.promise, "the first message");
    expect(order).toEqual([true]);
    socket.close();
    await end();
  });

  it.each([
    [400, false, "Acme refused the request (status 400): model is unknown"],
    [401, false, "Acme refused the API key (status 401)."],
    [402, false, "Acme wants to be paid first (status 402): model is unknown"],
    [403, false, "Acme does not allow this API key to do that (status 403): model is unknown"],
    [404, false, "Acme does not know this address, model or voice (status 404): model is unknown"],
    [408, true, "Acme refused the request (status 408): model is unknown"],
    [429, true, "Acme takes no more requests at the moment (status 429): model is unknown"],
    [500, true, "Acme has a failure of its own (status 500): model is unknown"],
    [503, true, "Acme has a failure of its own (status 503): model is unknown"],
  ])(
    "that is refused with status %i says so in plain words and whether a retry may help: %s",
    async (status, retryable, message) => {
      vendor.refusal = { status, body: JSON.stringify({ err_code: "BAD", err_msg: "model is unknown" }) };
      expect(await failureOf()).toMatchObject({ provider: "acme-ears", retryable, message });
    },
  );

  it.each([
    ['{"error":{"type":"x","message":"no such voice"}}', "no such voice"],
    ['{"detail":[{"loc":["x"],"msg":"m","message":"no such voice"}]}', "no such voice"],
    ["no such\n voice", "no such voice"],
  ])("shows the vendor's own explanation from %s", async (body, detail) => {
    vendor.refusal = { status: 400, body };
    expect((await failureOf()).message).toBe(`Acme refused the request (status 400): ${detail}`);
  });

  it("shows no pages, no endless texts and no keys of a refusal", async () => {
    vendor.refusal = { status: 502, body: "<html>Bad gateway</html>" };
    expect((await failureOf()).message).toBe("Acme has a failure of its own (status 502).");
    vendor.refusal = { status: 400, body: "x".repeat(100_000) };
    expect((await failureOf()).message.length).toBeLessThan(400);
    vendor.refusal = { status: 403, body: `The key ${KEY.slice(0, 12)}**** has no access` };
    expect((await failureOf()).message).toContain("The key [removed] has no access");
    vendor.refusal = { status: 401, body: `The key ${KEY} is wrong` };
    expect((await failureOf()).message).not.toContain("is wrong");
  });

  it("reports how long the vendor asks not to be called", async () => {
    vendor.refusal = { status: 429, headers: { "Retry-After": "17" } };
    expect(await failureOf()).toMatchObject({ retryable: true, retryAfterMs: 17_000 });
    vendor.refusal = { status: 429 };
    expect(await failureOf()).toMatchObject({ retryable: true, retryAfterMs: null });
  });

  it("does not follow redirects, so that the key stays with its host", async () => {
    const other = await new Vendor().start();
    vendor.refusal = { status: 302, headers: { Location: other.url } };
    expect(await failureOf()).toMatchObject({
      retryable: false,
      message: "Acme answered with a redirect, which is not followed (status 302).",
    });
    expect(other.handshakes).toHaveLength(0);
    await other.close();
  });

  it("to a host that is down is a temporary failure which names host and reason, not the address", async () => {
    const gone = await new Vendor().start();
    const { url } = gone;
    await gone.close();
    const failure = await failureOf({ url: `${url}&token=${KEY}` });
    expect(failure).toMatchObject({ retryable: true });
    expect(failure.message).toBe(`Acme at ${new URL(url).host} cannot be reached (ECONNREFUSED).`);
  });

  it("is a temporary failure when the server answers with something else", async () => {
    const strange = createTcpServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.resume().end("SSH-2.0-OpenSSH_9.2\r\n");
    });
    strange.listen(0, "127.0.0.1");
    await once(strange, "listening");
    const { port } = strange.address() as AddressInfo;
    expect(await failureOf({ url: `ws://127.0.0.1:${port}/` })).toMatchObject({
      retryable: true,
      message: `Acme at 127.0.0.1:${port} does not speak WebSocket.`,
    });
    strange.close();
    await once(strange, "close");
  });

  it("is given up when the vendor does not answer in time", async () => {
    vendor.isSilent = true;
    const failure = failureOf();
    await soon(vendor.connected(), "asking");
    clock.pass(4_999);
    expect(clock.pending()).toBe(1);
    clock.pass(1);
    expect(await failure).toMatchObject({
      retryable: true,
      message: "Acme did not accept the connection within 5000 ms.",
    });
  });

  it("is given up when it is no longer wanted, with the given reason", async () => {
    vendor.isSilent = true;
    const controller = new AbortController();
    const reason = new Error("hung up");
    const outcome = outcomeOf(open({ signal: controller.signal }));
    await soon(vendor.connected(), "asking");
    controller.abort(reason);
    expect(await outcome).toBe(reason);
  });

  it("is not even tried for a caller who has left", async () => {
    const reason = new Error("hung up");
    expect(await outcomeOf(open({ signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(vendor.handshakes).toHaveLength(0);
  });

  it.each(["not an address", "https://127.0.0.1:1/#fragment", "ftp://127.0.0.1/"])(
    "refuses the address %j",
    async (url) => {
      expect(await failureOf({ url })).toMatchObject({ retryable: false });
    },
  );

  it("refuses a key that cannot be sent, without showing it", async () => {
    const failure = await failureOf({ headers: { Authorization: `Token ${KEY}\nX: y` } });
    expect(failure).toMatchObject({
      retryable: false,
      message: "The address or the API key of Acme contains characters that cannot be sent.",
    });
  });

  it("ends when a message is too long", async () => {
    vendor.onAccepted = (accepted) => accepted.send(new Uint8Array(2_000));
    await open({ messageBytesMax: 1_000 });
    expect(await end()).toMatchObject({ retryable: true, message: "Acme sent a message that is too long." });
    expect(received).toEqual([]);
  });

  it("ends when the vendor does not read what is sent to it", async () => {
    vendor.onAccepted = (accepted) => accepted.pause();
    const socket = await open({ unsentBytesMax: 100_000 });
    // The buffers of the operating system take the first few megabytes.
    for (let count = 0; count < 40; count += 1) socket.send(new Uint8Array(1_000_000));
    expect(await end()).toMatchObject({
      retryable: true,
      message: "Acme does not take what is sent to it fast enough.",
    });
    socket.send("too late");
    expect(socket.bufferedBytes).toBeLessThan(41_000_000);
  });

  it.each([
    [1001, true, "Acme closed the connection (1001): see you"],
    [1003, false, "Acme closed the connection (1003): see you"],
    [1008, false, "Acme closed the connection (1008): see you"],
    [1011, true, "Acme closed the connection (1011): see you"],
    [1013, true, "Acme closed the connection (1013): see you"],
    [4321, true, "Acme closed the connection (4321): see you"],
    [4002, false, "Acme has no credit left: see you"],
  ])("that the vendor closes with code %i says whether a retry may help: %s", async (code, retryable, message) => {
    vendor.onAccepted = (accepted) => accepted.close(code, "see you");
    const explainClose = (given: number) =>
      given === 4002 ? { complaint: "has no credit left", retryable: false } : null;
    await open({ explainClose });
    expect(await end()).toMatchObject({ provider: "acme-ears", retryable, message });
  });

  it("that the vendor closes without a complaint ends without an error", async () => {
    vendor.onAccepted = (accepted) => accepted.close(1000, "done");
    await open();
    expect(await end()).toBeNull();
  });

  it("shows no key in the reason of a close", async () => {
    vendor.onAccepted = (accepted) => accepted.close(1008, `bad key ${KEY}`);
    await open();
    expect((await end())?.message).toBe("Acme closed the connection (1008): bad key [removed]");
  });

  it("that is cut is a temporary failure", async () => {
    vendor.onAccepted = (accepted) => accepted.terminate();
    await open();
    expect(await end()).toMatchObject({ retryable: true, message: "Acme cut the connection." });
  });

  it("that no longer answers pings counts as lost, and one that does is kept", async () => {
    const accepting = Promise.withResolvers<WebSocket>();
    vendor.onAccepted = accepting.resolve;
    await open({ pingEveryMs: 1_000 });
    const accepted = await accepting.promise;
    const heardPing = once(accepted, "ping");
    clock.pass(1_000);
    await soon(heardPing, "the first ping");
    const next = Promise.withResolvers<void>();
    onReceived = next.resolve;
    accepted.send("the pong was sent before this");
    await soon(next.promise, "a message");
    accepted.pause();
    clock.pass(1_000);
    expect(clock.pending()).toBe(1);
    clock.pass(1_000);
    expect(await end()).toMatchObject({
      retryable: true,
      message: "The connection to Acme was lost: it no longer answers.",
    });
  });

  it("ends when a message makes no sense, without showing what was said", async () => {
    vendor.onAccepted = (accepted) => accepted.send("Kowalczyk{");
    await open({ onMessage: (data) => void JSON.parse(String(data)) });
    const failure = await end();
    expect(failure).toMatchObject({ retryable: true, message: "Acme sent a message that cannot be understood." });
    expect(shownBy(failure)).not.toContain("Kowalczyk");
  });

  it("ends with the adapter's own error for a message that reports one", async () => {
    const reported = new ProviderError("acme-ears", "Acme has no credit left.", { retryable: false });
    vendor.onAccepted = (accepted) => accepted.send("error");
    await open({
      onMessage() {
        throw reported;
      },
    });
    expect(await end()).toBe(reported);
  });

  it("delivers nothing after it was closed", async () => {
    const all = Promise.withResolvers<void>();
    vendor.onAccepted = (accepted) => {
      for (let count = 0; count < 5; count += 1) accepted.send(`message ${count}`);
    };
    const socket = await open();
    onReceived = () => {
      socket.close();
      socket.close();
      all.resolve();
    };
    await soon(all.promise, "the first message");
    expect(await end()).toBeNull();
    expect(received).toEqual(["message 0"]);
    socket.send("too late");
  });

  it("is gone soon after it was closed even if the vendor does not take part", async () => {
    vendor.onAccepted = (accepted) => accepted.pause();
    const socket = await open();
    socket.close();
    clock.pass(1_000);
    expect(await end()).toBeNull();
  });
});

/** Everything a log could show of an error. */
function shownBy(error: unknown): string {
  if (!(error instanceof Object)) return String(error);
  return Object.getOwnPropertyNames(error)
    .map((name) => shownBy(Reflect.get(error, name)))
    .join("\n");
}
