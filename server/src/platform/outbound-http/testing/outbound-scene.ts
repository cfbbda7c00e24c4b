import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type Clock, systemClock } from "@parley/time/clock";
import type { Dial } from "../connect-first.ts";
import { OutboundFailure } from "../outbound-failure.ts";
import { createOutboundHttp, type OutboundHttp } from "../outbound-http.ts";
import { makePolicy, type OutboundPolicyWords, PUBLIC_PORTS } from "../outbound-policy.ts";
import type { ResolveName } from "../resolve-target.ts";

export const PUBLIC_ADDRESS = "93.184.216.34";
export const OTHER_PUBLIC_ADDRESS = "93.184.216.35";
export const PUBLIC_IPV6 = "2606:2800:220:1::2";

export interface SceneOptions {
  /** What the far end does with a request, in HTTP. */
  readonly answer?: RequestListener;
  /** What it does with a connection, byte by byte. */
  readonly speak?: (socket: Socket) => void;
  /** The far end speaks without TLS. */
  readonly isPlain?: boolean;
  readonly certificate?: { readonly key: string; readonly cert: string };
  readonly authorities?: readonly string[];
  /** The answers of the name server, one list for each query; the last one is repeated. */
  readonly addresses?: readonly (readonly string[])[];
  readonly resolve?: ResolveName;
  /** Replaces the network; receives the connection to the far end. */
  readonly dial?: (address: string, reachFarEnd: () => Socket) => Socket;
  readonly words?: Partial<OutboundPolicyWords>;
  readonly clock?: Clock;
}

export interface Scene {
  readonly outbound: OutboundHttp;
  /** Every address that was connected to, in order. */
  readonly dialed: readonly string[];
  /** Every name that was queried, in order. */
  readonly asked: readonly string[];
  /** The port at which the far end really listens. */
  readonly port: number;
  /** How many connections the far end has seen. */
  connectionsSeen(): number;
  /** Resolves when the far end has no connection open. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

/** A far end with TLS on the loopback, which the network under test takes for a public address. */
export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const far = await listenFarEnd(options);
  const dialed: string[] = [];
  const asked: string[] = [];
  const answers = [...(options.addresses ?? [[PUBLIC_ADDRESS]])];
  const reachFarEnd = () => connect({ host: "127.0.0.1", port: far.port });
  const dial: Dial = (address, port) => {
    dialed.push(`${address} ${port}`);
    return options.dial ? options.dial(address, reachFarEnd) : reachFarEnd();
  };
  const resolve: ResolveName = async (name, signal) => {
    asked.push(name);
    if (options.resolve) return options.resolve(name, signal);
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  };
  const outbound = createOutboundHttp({
    policy: makePolicy({ allow: [], deny: [], ports: PUBLIC_PORTS, ...options.words }),
    clock: options.clock ?? systemClock,
    resolve,
    dial,
    authorities: options.authorities ?? [TOOLS_CERTIFICATE],
  });
  return {
    outbound,
    dialed,
    asked,
    port: far.port,
    connectionsSeen: () => far.seen(),
    allClosed: () => far.allClosed(),
    async close() {
      outbound.close();
      await far.close();
    },
  };
}

async function listenFarEnd({ answer, speak, isPlain = false, certificate }: SceneOptions) {
  const { key, cert } = certificate ?? { key: TOOLS_KEY, cert: TOOLS_CERTIFICATE };
  const http = createHttpServer(answer ?? ((_request, reply) => reply.end("hello")));
  const speakHttp = (socket: Socket) => http.emit("connection", socket);
  const secured = createTlsServer({ key, cert, ALPNProtocols: ["http/1.1"] }, speak ?? speakHttp);
  secured.on("tlsClientError", (_error, socket) => socket.destroy());
  const open = new Set<Socket>();
  let seen = 0;
  // The bytes arrive here first, so that a test sees each connection, even if its TLS fails.
  const server: Server = createTcpServer((socket) => {
    seen += 1;
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      open.delete(socket);
      if (open.size === 0) server.emit("idle");
    });
    if (isPlain) (speak ?? speakHttp)(socket);
    else secured.emit("connection", socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    seen: () => seen,
    async allClosed() {
      if (open.size > 0) await once(server, "idle");
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** What a request came to: its failure's code and sentence, or that it succeeded. */
export async function failureOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work;
    return { code: "succeeded", message: "" };
  } catch (error) {
    if (error instanceof OutboundFailure) return { code: error.code, message: error.message };
    throw error;
  }
}

/** Opens a scene for one test and checks that nothing is left open, here or at the far end. */
export async function withScene(options: SceneOptions, use: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = await openScene(options);
  try {
    await use(scene);
    scene.outbound.close();
    await scene.allClosed();
  } finally {
    await scene.close();
  }
}

/**
 * Self-signed certificates, for tests on loopback only: no program trusts them unless a test configures it. The
 * first is for `tools.test`, names below it and two addresses, from 2020 to 2120; the second expired in 2021.
 */
export const TOOLS_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0uk/b80XcGmmh00W
A5qy2xuhK2t+n4+Ua0VUrZuhKxShRANCAASo55VXwHb38qh3zKyyobfsjfKpBveI
ZOUFyTjnZYlqRHLoRjQw99vuhxTVUz39k76+xxca2YEEYzpAzFsWIeWh
-----END PRIVATE KEY-----
`;

export const TOOLS_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBizCCATCgAwIBAgIBATAKBggqhkjOPQQDAjAVMRMwEQYDVQQDDAp0b29scy50
ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAVMRMwEQYDVQQD
DAp0b29scy50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqOeVV8B29/Ko
d8yssqG37I3yqQb3iGTlBck452WJakRy6EY0MPfb7ocU1VM9/ZO+vscXGtmBBGM6
QMxbFiHloaNvMG0wOwYDVR0RBDQwMoIKdG9vbHMudGVzdIIMKi50b29scy50ZXN0
hwRduNgihxAmBigAAiAAAQAAAAAAAAACMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0O
BBYEFE9BsqKiTNhUXn0YTVBorzFwY9zOMAoGCCqGSM49BAMCA0kAMEYCIQCu7T6i
MumYHN8ViWWv0k0EwjMLF53GUqD+WEnf1KirMQIhAIGIu20DnBY7cxL0cS25/lb2
EiuiZmRfzRX9Ru7nES51
-----END CERTIFICATE-----
`;

export const EXPIRED_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZVw5irbS9M2HTZTo
ck1CN9GzC/B0uVx75MbZl2m0GY6hRANCAAQP0U3i6mwIlU3e0OhxP9GnviZfDkwl
SQQGoquNUKCgsrDGNKtMFdQpvb3aCRr/jWHhoAst3670JR8T2dyPhV1L
-----END PRIVATE KEY-----
`;

export const EXPIRED_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ6gAwIBAgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxleHBpcmVk
LnRlc3QwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAXMRUwEwYDVQQD
DAxleHBpcmVkLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQP0U3i6mwI
lU3e0OhxP9GnviZfDkwlSQQGoquNUKCgsrDGNKtMFdQpvb3aCRr/jWHhoAst3670
JR8T2dyPhV1Lo0swSTAXBgNVHREEEDAOggxleHBpcmVkLnRlc3QwDwYDVR0TAQH/
BAUwAwEB/zAdBgNVHQ4EFgQUhBCVACdtAnP7p6i9ldZ9nsiBaOYwCgYIKoZIzj0E
AwIDSAAwRQIhALqNKNhBIWOZ6oQbp1MRQDoU6yK9HRx+YXHOQhwh12x/AiBL7FrF
eTAEcK7i7Ic7dZ8MnrsMc/hHh3F79fl5m6AsBA==
-----END CERTIFICATE-----
`;
