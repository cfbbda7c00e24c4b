import { connect as connectTcp, createServer, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { systemClock } from "@parley/time/clock";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { afterEach, describe, expect, it } from "vitest";
import { parseMessage } from "../message/parse-message.ts";
import { SAMPLE_INVITE, SAMPLE_RINGING } from "../testing/sample-messages.ts";
import { TEST_CERTIFICATE, TEST_KEY } from "../testing/test-certificate.ts";
import type { Hop, SipTransport } from "./sip-transport.ts";
import { openTcpTransport } from "./stream-transport.ts";
import { openTlsTransport } from "./tls.ts";
import { openUdpTransport } from "./udp.ts";

const onLoopback = { clock: systemClock, address: "127.0.0.1", port: 0 };
const own = { key: TEST_KEY, certificate: TEST_CERTIFICATE };
const opened: { close(): Promise<void> }[] = [];
/** A transport holds its failure listeners weakly, for as long as the sender keeps the function that cancels the message. */
const cancels: (() => void)[] = [];

async function keep(transport: Promise<SipTransport>): Promise<SipTransport> {
  const open = await transport;
  opened.push(open);
  return open;
}

afterEach(async () => {
  cancels.length = 0;
  for (const transport of opened.splice(0)) await transport.close();
});

const OPENERS = {
  udp: () => openUdpTransport({ address: "127.0.0.1", port: 0 }),
  tcp: () => openTcpTransport(onLoopback),
  tls: () => openTlsTransport({ ...onLoopback, own, trusted: [TEST_CERTIFICATE] }),
} as const;

function hopTo(transport: SipTransport): Hop {
  const serverName = transport.kind === "tls" ? { serverName: "trunk.test" } : {};
  return { transport: transport.kind, address: "127.0.0.1", port: transport.local.port, ...serverName };
}

function nextMessage(transport: SipTransport): Promise<{ text: string; source: Hop }> {
  return new Promise((resolve) => transport.onMessage((bytes, source) => resolve({ text: bytes.toString(), source })));
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connectTcp(port, "127.0.0.1", () => resolve(socket));
    socket.on("error", () => undefined);
  });
}

function failure(transport: SipTransport, hop: Hop): Promise<string> {
  return new Promise((resolve) => transport.send(SAMPLE_INVITE, hop, resolve));
}

describe.each(["udp", "tcp", "tls"] as const)("%s on the loopback", (kind) => {
  it("carries a message there and the answer back to where it came from", async () => {
    const [a, b] = await Promise.all([keep(OPENERS[kind]()), keep(OPENERS[kind]())]);
    const arrived = nextMessage(b);
    const answered = nextMessage(a);
    a.send(SAMPLE_INVITE, hopTo(b), (reason) => expect.fail(reason));
    const { text, source } = await arrived;
    expect(text).toBe(SAMPLE_INVITE.toString());
    b.send(SAMPLE_RINGING, source, (reason) => expect.fail(reason));
    expect((await answered).text).toBe(SAMPLE_RINGING.toString());
  });

  it("reports an error when something is sent after closing", async () => {
    const transport = await OPENERS[kind]();
    await transport.close();
    await transport.close();
    expect(await failure(transport, { transport: kind, address: "127.0.0.1", port: 9 })).toMatch(/closed/);
  });

  it("rejects when the address is taken", async () => {
    const first = await keep(OPENERS[kind]());
    const port = first.local.port;
    const second =
      kind === "udp"
        ? openUdpTransport({ address: "127.0.0.1", port })
        : kind === "tcp"
          ? openTcpTransport({ ...onLoopback, port })
          : openTlsTransport({ ...onLoopback, port, own });
    await expect(second).rejects.toThrow(/EADDRINUSE/);
  });
});

describe.runIf(process.platform === "linux").each(["127.0.0.1", "::1"])("udp to a closed port of %s", (address) => {
  const watched = (transport: SipTransport, hop: Hop) =>
    new Promise<string>((resolve) => {
      cancels.push(transport.send(SAMPLE_INVITE, hop, resolve, { watchesPeer: true }));
    });
  const openHere = () => keep(openUdpTransport({ address, port: 0 }));

  it("is reported to its listeners, each time", async () => {
    const a = await openHere();
    const gone = await openHere();
    const hop = { transport: "udp", address, port: gone.local.port } as const;
    await gone.close();
    expect(await watched(a, hop)).toMatch(/ECONNREFUSED/);
    expect(await watched(a, hop)).toMatch(/ECONNREFUSED/);
  });

  it("says nothing against another peer, and the peer hears us from our one port", async () => {
    const [a, alive, gone] = [await openHere(), await openHere(), await openHere()];
    await gone.close();
    const arrived = nextMessage(alive);
    const failures: string[] = [];
    const answered = nextMessage(a);
    const toAlive = { transport: "udp", address, port: alive.local.port } as const;
    cancels.push(a.send(SAMPLE_INVITE, toAlive, (reason) => failures.push(reason), { watchesPeer: true }));
    const { source } = await arrived;
    expect(source.port).toBe(a.local.port);
    await watched(a, { transport: "udp", address, port: gone.local.port });
    alive.send(SAMPLE_RINGING, source, (reason) => failures.push(reason));
    expect(await answered).toMatchObject({ text: SAMPLE_RINGING.toString(), source: { port: alive.local.port } });
    expect(failures).toEqual([]);
  });
});

describe("connections", () => {
  it("are reused while they are open", async () => {
    const [a, b] = await Promise.all([keep(OPENERS.tcp()), keep(OPENERS.tcp())]);
    const sources: Hop[] = [];
    const both = new Promise<void>((resolve) => {
      b.onMessage((_, source) => {
        sources.push(source);
        if (sources.length === 2) resolve();
      });
    });
    a.send(SAMPLE_INVITE, hopTo(b), (reason) => expect.fail(reason));
    a.send(SAMPLE_RINGING, hopTo(b), (reason) => expect.fail(reason));
    await both;
    expect(sources[0]).toEqual(sources[1]);
  });

  it("that are refused are reported to the sender", async () => {
    const a = await keep(OPENERS.tcp());
    const gone = await OPENERS.tcp();
    await gone.close();
    expect(await failure(a, hopTo(gone))).toMatch(/ECONNREFUSED/);
  });

  it("answer a keep-alive and end when the stream is invalid", async () => {
    const transport = await keep(OPENERS.tcp());
    const socket = connectTcp(transport.local.port, "127.0.0.1");
    const pong = new Promise<string>((resolve) => socket.once("data", (chunk) => resolve(chunk.toString())));
    socket.write("\r\n\r\n");
    expect(await pong).toBe("\r\n");
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await closed;
  });

  it("are not all taken by one stranger, who may connect again once some of its own are closed", async () => {
    const transport = await keep(openTcpTransport(onLoopback));
    const sockets = await Promise.all(Array.from({ length: 16 }, () => open(transport.local.port)));
    const surplus = await open(transport.local.port);
    await new Promise((resolve) => surplus.once("close", resolve));
    expect(sockets.every(({ destroyed }) => !destroyed)).toBe(true);
    sockets.pop()?.destroy();
    const arrived = nextMessage(transport);
    // The place is free when the other end has noticed, which the sender cannot see; he knocks until he is heard.
    const knocking = setInterval(
      () => void open(transport.local.port).then((socket) => socket.write(SAMPLE_INVITE)),
      20,
    );
    expect((await arrived).text).toBe(SAMPLE_INVITE.toString());
    clearInterval(knocking);
    for (const socket of sockets) socket.destroy();
  });

  it("do not carry messages that were cancelled before they opened", async () => {
    const [a, b] = await Promise.all([keep(OPENERS.tcp()), keep(OPENERS.tcp())]);
    const arrived = nextMessage(b);
    const withdraw = a.send(SAMPLE_INVITE, hopTo(b), (reason) => expect.fail(reason));
    withdraw();
    a.send(SAMPLE_RINGING, hopTo(b), (reason) => expect.fail(reason));
    expect((await arrived).text).toBe(SAMPLE_RINGING.toString());
  });

  it("to a peer that never finishes the handshake are abandoned", async () => {
    const silent = createServer((socket) => socket.on("error", () => undefined).resume());
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const clock = createVirtualClock();
    const tls = await keep(openTlsTransport({ clock, address: "127.0.0.1", port: null }));
    const failed = failure(tls, { transport: "tls", address: "127.0.0.1", port: address.port });
    await clock.advance(5_000);
    expect(await failed).toMatch(/too long/);
    await new Promise<void>((resolve) => silent.close(() => resolve()));
  });
});

describe("certificates", () => {
  async function pair(trusted: readonly string[] | undefined) {
    const server = await keep(openTlsTransport({ ...onLoopback, own }));
    const client = await keep(openTlsTransport({ ...onLoopback, port: null, ...(trusted ? { trusted } : {}) }));
    return { server, client, port: server.local.port };
  }

  it("for another name are refused", async () => {
    const { client, port } = await pair([TEST_CERTIFICATE]);
    const hop = { transport: "tls", address: "127.0.0.1", port, serverName: "other.test" } as const;
    expect(await failure(client, hop)).toMatch(/does not match/);
  });

  it("without a trusted signer are refused", async () => {
    const { client, port } = await pair(undefined);
    const hop = { transport: "tls", address: "127.0.0.1", port, serverName: "trunk.test" } as const;
    expect(await failure(client, hop)).toMatch(/self.signed/);
  });

  it("may be for an address", async () => {
    const { server, client, port } = await pair([TEST_CERTIFICATE]);
    const arrived = nextMessage(server);
    client.send(SAMPLE_INVITE, { transport: "tls", address: "127.0.0.1", port, serverName: "127.0.0.1" }, expect.fail);
    expect(parseMessage(Buffer.from((await arrived).text)).ok).toBe(true);
  });

  it("do not help a peer that speaks only TLS 1.1", async () => {
    const { port } = await pair([TEST_CERTIFICATE]);
    const socket = connectTls({
      port,
      host: "127.0.0.1",
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ca: TEST_CERTIFICATE,
    });
    const error = await new Promise<Error>((resolve) => socket.once("error", resolve));
    expect(error).toBeInstanceOf(Error);
  });
});
