import { describe, expect, it } from "vitest";
import { header } from "./message/read-headers.ts";
import { useAgentRig } from "./testing/agent-rig.ts";
import { wire } from "./testing/sample-messages.ts";

const rigs = useAgentRig();
const { open } = rigs;

const US = { transport: "udp", address: "10.0.0.1", port: 5060 } as const;

describe("strangers", () => {
  function stray(method: string, extra: readonly string[] = [], to = "<sip:us@10.0.0.1>"): Buffer {
    return wire([
      `${method} sip:us@10.0.0.1 SIP/2.0`,
      "Via: SIP/2.0/UDP 10.0.0.2:5060;branch=z9hG4bKx;rport",
      "From: <sip:x@y>;tag=1",
      `To: ${to}`,
      "Call-ID: nobody",
      `CSeq: 1 ${method}`,
      "Max-Forwards: 70",
      "Contact: <sip:x@10.0.0.2:5060;some-long-parameter=to-fill-the-request-up>",
      "User-Agent: friendly-scanner",
      ...extra,
      "Content-Length: 0",
    ]);
  }
  const statuses = () => rigs.rig.peer.responses().map(({ status }) => status);

  it("get an answer that fits, and nothing is remembered of them", async () => {
    const { peer, clock, agent } = open();
    for (const method of ["OPTIONS", "INVITE", "REGISTER", "CANCEL", "NOTIFY", "ACK"]) peer.send(stray(method), US);
    peer.send(stray("BYE", [], "<sip:us@10.0.0.1>;tag=5"), US);
    await clock.advance(10);
    expect(statuses()).toEqual([200, 403, 403, 481, 481, 481]);
    expect(agent.openTransactions).toBe(0);
    expect(clock.pendingTimers()).toBe(0);
  });

  it("never get more bytes than they sent", async () => {
    const { peer, clock, network } = open();
    const small = wire([
      "INVITE sip:u@h SIP/2.0",
      "v: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bKx",
      "f:<sip:x@y>;tag=1",
      "t:<sip:u@h>",
      "i:1",
      "CSeq:1 INVITE",
    ]);
    peer.send(small, US);
    const large = stray("OPTIONS", [`X: ${"y".repeat(100)}`]);
    peer.send(large, US);
    await clock.advance(10);
    const replies = network.sent.filter(({ from }) => from.includes("10.0.0.1"));
    expect(replies).toHaveLength(1);
    expect(replies[0]?.bytes.length).toBeLessThanOrEqual(large.length);
  });

  it("are answered only so often", async () => {
    const { peer, clock } = open();
    for (let times = 0; times < 100; times += 1) peer.send(stray("OPTIONS"), US);
    await clock.advance(10);
    expect(statuses()).toHaveLength(20);
    await clock.advance(1_000);
    for (let times = 0; times < 100; times += 1) peer.send(stray("OPTIONS"), US);
    await clock.advance(10);
    expect(statuses()).toHaveLength(25);
  });

  it("are answered only so often altogether, however many sources are forged", async () => {
    const { clock, network } = open();
    for (let source = 1; source <= 50; source += 1) {
      const forged = network.attach("udp", `10.0.7.${source}`, 5060);
      for (let times = 0; times < 20; times += 1) forged.send(stray("OPTIONS"), US, () => undefined);
    }
    await clock.advance(10);
    expect(network.sent.filter(({ from }) => from.includes("10.0.0.1"))).toHaveLength(400);
  });

  it("that forge the address of a trunk, and many others, do not keep the trunk from an answer", async () => {
    const { peer, clock, network, place } = open();
    const { client } = await place();
    peer.on("CANCEL", (cancel) => peer.reply(cancel, 200));
    for (const method of ["INVITE", "REGISTER", "OPTIONS"]) {
      for (let times = 0; times < 50; times += 1) peer.send(stray(method), US);
    }
    for (let source = 1; source <= 50; source += 1) {
      const forged = network.attach("udp", `10.0.7.${source}`, 5060);
      for (let times = 0; times < 20; times += 1) forged.send(stray("OPTIONS"), US, () => undefined);
    }
    await clock.advance(10);
    const before = statuses().filter((status) => status === 200).length;
    expect(before).toBe(50);
    peer.send(stray("OPTIONS"), US);
    await clock.advance(10);
    expect(statuses().filter((status) => status === 200)).toHaveLength(before + 1);
    // Messages in the trunk's name are still limited.
    for (let times = 0; times < 1_000; times += 1) peer.send(stray("OPTIONS"), US);
    await clock.advance(10);
    expect(statuses().filter((status) => status === 200).length).toBeLessThan(210);
    client.abandon();
  });

  it("that are a trunk get an answer to the shortest OPTIONS there is, and others of that size get none", async () => {
    const { peer, clock, network, place } = open();
    const { client } = await place();
    const shortest = wire([
      "OPTIONS sip:u@h SIP/2.0",
      "v: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bKx",
      "f:<sip:x@y>;tag=1",
      "t:<sip:u@h>",
      "i:1",
      "CSeq:1 OPTIONS",
    ]);
    peer.send(shortest, US);
    network.attach("udp", "10.0.7.1", 5060).send(shortest, US, () => undefined);
    await clock.advance(10);
    const [reply, ...others] = peer.responses();
    expect(reply?.status).toBe(200);
    expect(header(reply as NonNullable<typeof reply>, "Allow")).toContain("INVITE");
    expect(others).toEqual([]);
    expect(network.sent.filter(({ to }) => to.includes("10.0.7.1"))).toEqual([]);
    client.abandon();
  });

  it("get the same tag for the same request", async () => {
    const { peer, clock } = open();
    peer.send(stray("INVITE"), US);
    peer.send(stray("INVITE"), US);
    await clock.advance(10);
    const tags = peer.responses().map((response) => header(response, "To"));
    expect(tags[0]).toBe(tags[1]);
  });
});
