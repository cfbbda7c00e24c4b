import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_BODY, type ReceivedRequest, type SipRequest, type SipResponse } from "../message/message.ts";

import { seededRandom } from "../testing/seeded-random.ts";
import { createVirtualNetwork, type NetworkConditions } from "../testing/virtual-network.ts";
import type { Hop } from "../transport/sip-transport.ts";
import { TransactionLayer } from "./transaction-layer.ts";

const SERVER: Hop = { transport: "udp", address: "10.0.0.2", port: 5060 };

function request(method: string): SipRequest {
  return {
    kind: "request",
    method,
    uri: "sip:b@10.0.0.2",
    headers: [
      ["Max-Forwards", "70"],
      ["From", "<sip:a@10.0.0.1>;tag=1"],
      ["To", "<sip:b@10.0.0.2>"],
      ["Call-ID", "c1"],
      ["CSeq", `1 ${method}`],
    ],
    body: NO_BODY,
  };
}

function answer(to: ReceivedRequest, status: number): SipResponse {
  const headers = to.headers.filter(([name]) => ["Via", "From", "To", "Call-ID", "CSeq"].includes(name));
  return { kind: "response", status, reason: "x", headers, body: NO_BODY };
}

function open(seed: number, conditions: NetworkConditions = {}, kind: "udp" | "tcp" = "udp") {
  const clock = createVirtualClock();
  const random = seededRandom(seed);
  const network = createVirtualNetwork(clock, random);
  network.setConditions(conditions);
  const seen: string[] = [];
  const common = { onResponse: () => undefined, onMalformed: () => undefined, onTrace: () => undefined };
  const onError = (error: unknown) => {
    throw error;
  };
  const client = new TransactionLayer({
    clock,
    random,
    transports: [network.attach(kind, "10.0.0.1", 5060)],
    owner: { ...common, onError, onRequest: () => undefined },
  });
  let respondWith: number[] = [200];
  const server: TransactionLayer = new TransactionLayer({
    clock,
    random,
    transports: [network.attach(kind, "10.0.0.2", 5060)],
    owner: {
      ...common,
      onError,
      onRequest: (incoming, source) => {
        seen.push(`request ${incoming.method}`);
        if (incoming.method === "ACK") return;
        const transaction = server.accept(incoming, source);
        for (const status of respondWith) transaction.respond(answer(incoming, status));
      },
    },
  });
  const ask = (method: string) =>
    client.request(
      request(method),
      { ...SERVER, transport: kind },
      {
        onResponse: ({ status }) => seen.push(`response ${status}`),
        onFailure: ({ kind: failure }) => seen.push(failure),
      },
    );
  return { clock, network, client, server, seen, ask, answerWith: (statuses: number[]) => (respondWith = statuses) };
}

describe("requests over a network", () => {
  it("meet their responses", async () => {
    const { clock, ask, seen, client, server } = open(1);
    ask("OPTIONS");
    await clock.advance(60_000);
    expect(seen).toEqual(["request OPTIONS", "response 200"]);
    expect(client.openTransactions + server.openTransactions + clock.pendingTimers()).toBe(0);
  });

  it("are executed once and answered, though datagrams are lost, doubled and reordered", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom("BYE", "INVITE"), async (seed, method) => {
        const conditions = { lossRate: 0.4, duplicateRate: 0.3, delayMinMs: 5, delayMaxMs: 700 };
        const { clock, ask, seen, client, server, answerWith } = open(seed, conditions);
        answerWith([486]);
        ask(method);
        await clock.advance(200_000);
        expect(seen.filter((line) => line === `request ${method}`).length).toBeLessThanOrEqual(1);
        // A server that gave up waiting for the ACK no longer knows its transaction, and passes a late one on (RFC 3261 17.2.1, 17.2.3).
        const outcomes = seen.filter((line) => line !== `request ${method}` && line !== "request ACK");
        expect(outcomes).toHaveLength(1);
        expect(client.openTransactions + server.openTransactions + clock.pendingTimers()).toBe(0);
      }),
      // In the example all ACKs are lost but one, which arrives after the server has given up.
      { numRuns: 60, examples: [[179322263, "INVITE"]] },
    );
  });

  it("have their refusal acknowledged in the same transaction", async () => {
    const { clock, ask, seen, network, answerWith } = open(1);
    answerWith([180, 486]);
    ask("INVITE");
    await clock.advance(60_000);
    expect(seen).toEqual(["request INVITE", "response 180", "response 486"]);
    const acks = network.sent.map(({ bytes }) => bytes.toString()).filter((text) => text.startsWith("ACK "));
    expect(acks).toHaveLength(1);
    expect(acks[0]).toContain("CSeq: 1 ACK");
  });

  it("fail immediately where nothing listens on a stream", async () => {
    const { clock, client, seen } = open(1, {}, "tcp");
    client.request(
      request("OPTIONS"),
      { transport: "tcp", address: "10.0.0.9", port: 1 },
      {
        onResponse: () => seen.push("response"),
        onFailure: ({ kind }) => seen.push(kind),
      },
    );
    client.request(
      request("OPTIONS"),
      { transport: "tls", address: "10.0.0.2", port: 1 },
      {
        onResponse: () => seen.push("response"),
        onFailure: ({ kind }) => seen.push(kind),
      },
    );
    await clock.advance(100);
    expect(seen).toEqual(["transport", "transport"]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it("report nothing once they were abandoned", async () => {
    const { clock, ask, seen, server } = open(1);
    ask("OPTIONS").abandon();
    await clock.advance(60_000);
    expect(seen).toEqual(["request OPTIONS"]);
    expect(server.openTransactions).toBe(0);
  });

  it("are not confused by a response to another sender's request", async () => {
    const { clock, ask, seen, network } = open(1, { delayMinMs: 50 });
    network.dropWhere((text) => text.startsWith("SIP/2.0"));
    ask("OPTIONS");
    await clock.advance(1);
    const sent = network.sent[0]?.bytes.toString() ?? "";
    const forged = sent
      .replace("OPTIONS sip:b@10.0.0.2 SIP/2.0", "SIP/2.0 200 OK")
      .replace("UDP 10.0.0.1:5060", "UDP 10.0.0.7:5060");
    const stranger = network.attach("udp", "10.0.0.3", 5060);
    network.dropWhere(null);
    stranger.send(Buffer.from(forged), { transport: "udp", address: "10.0.0.1", port: 5060 }, () => undefined);
    // The forged one has come by now, and the true one has not.
    await clock.advance(60);
    expect(seen.filter((line) => line.startsWith("response"))).toEqual([]);
    await clock.advance(60);
    expect(seen.filter((line) => line.startsWith("response"))).toHaveLength(1);
  });

  it("carry the return address in their Via", async () => {
    const { clock, ask, network } = open(1);
    ask("OPTIONS");
    await clock.advance(10);
    const reply = network.sent.find(({ bytes }) => bytes.toString().startsWith("SIP/2.0"));
    expect(reply?.bytes.toString()).toMatch(
      /Via: SIP\/2\.0\/UDP 10\.0\.0\.1:5060;branch=z9hG4bK\w+;rport=5060;received=10\.0\.0\.1/,
    );
  });

  it("survive bytes that are not SIP, and an owner that throws", async () => {
    const clock = createVirtualClock();
    const network = createVirtualNetwork(clock, seededRandom(1));
    const reported: string[] = [];
    new TransactionLayer({
      clock,
      random: seededRandom(1),
      transports: [network.attach("udp", "10.0.0.2", 5060)],
      owner: {
        onRequest: () => {
          throw new Error("the owner threw");
        },
        onResponse: () => undefined,
        onTrace: () => undefined,
        onMalformed: (reason) => reported.push(reason),
        onError: (error) => reported.push(String(error)),
      },
    });
    const stranger = network.attach("udp", "10.0.0.3", 5060);
    const good =
      "OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: 1\r\nCSeq: 1 OPTIONS\r\n\r\n";
    for (const text of ["nonsense", "\0\0\0\0", "\r\n\r\n", good])
      stranger.send(Buffer.from(text), SERVER, () => undefined);
    await clock.advance(10);
    expect(reported).toEqual([expect.stringContaining("header section"), "Error: the owner threw"]);
  });
});
