import { afterEach, describe, expect, it } from "vitest";
import { readLegRecord } from "./dialog-record.ts";
import type { PingResult } from "./options-ping.ts";
import { header, headerList, headerNumber } from "./read-headers.ts";
import type { RegistrationState } from "./registration.ts";
import {
  ACCEPTING_MEDIA,
  type AgentRig,
  answered,
  OUR_SDP,
  openAgentRig,
  type RigOptions,
  THEIR_SDP,
} from "./testing/agent-rig.ts";
import { wire } from "./testing/sample-messages.ts";
import { seededRandom } from "./testing/seeded-random.ts";
import { UserAgent } from "./user-agent.ts";
import { branchOf } from "./via.ts";

let rig: AgentRig;
function open(options: RigOptions = {}): AgentRig {
  rig = openAgentRig(options);
  return rig;
}

afterEach(() => {
  rig.agent.close();
  expect(rig.errors).toEqual([]);
  expect(rig.agent.openInvites + rig.agent.openTransactions).toBe(0);
  expect(rig.clock.pendingTimers()).toBe(0);
});

const US = { transport: "udp", address: "10.0.0.1", port: 5060 } as const;

describe("the INVITE", () => {
  it("says who calls whom, and where we can be reached", async () => {
    const { peer, place } = open({ trunk: { assertsIdentity: true } });
    await place({
      displayName: 'Dr. "Who"',
      headers: [
        ["X-Account", "7"],
        ["Contact", "<sip:evil@x>"],
        ["X-Bad", "a\r\nEvil: 1"],
      ],
    });
    const invite = peer.request("INVITE");
    expect(invite.uri).toBe("sip:+15550001@10.0.0.2:5060;user=phone");
    expect(header(invite, "From")).toMatch(/^"Dr\. \\"Who\\"" <sip:\+15559999@10\.0\.0\.2>;tag=[0-9a-f]{16}$/);
    expect(header(invite, "Contact")).toBe("<sip:+15559999@10.0.0.1:5060>");
    expect(header(invite, "P-Asserted-Identity")).toBe("<sip:+15559999@10.0.0.2>");
    expect(header(invite, "Supported")).toBe("100rel, timer");
    expect(header(invite, "X-Account")).toBe("7");
    expect([header(invite, "Evil"), header(invite, "X-Bad"), header(invite, "Privacy")]).toEqual([null, null, null]);
    expect(header(invite, "User-Agent")).toBe("Parley");
    expect(invite.body.toString()).toBe(OUR_SDP);
  });

  it("keeps a number from the callee that is to be hidden, and tells it only to the trunk", async () => {
    const { peer, place } = open({ trunk: { assertsIdentity: true } });
    await place({ hidesNumber: true });
    const invite = peer.request("INVITE");
    expect(header(invite, "From")).toContain('"Anonymous" <sip:anonymous@anonymous.invalid>');
    expect(header(invite, "Privacy")).toBe("id");
    expect(header(invite, "P-Asserted-Identity")).toContain("+15559999");
    expect(header(invite, "Contact")).toBe("<sip:10.0.0.1:5060>");
  });

  it("goes through the outbound proxy, and names the address the trunk sees", async () => {
    const { peer, place } = open({
      trunk: {
        host: "trunk.test",
        port: null,
        outboundProxy: "sip:10.0.0.2:5060",
        publicAddress: { host: "203.0.113.9", port: 40_000 },
      },
    });
    const placing = place();
    await placing;
    const sent = rig.network.sent[0]?.bytes.toString() ?? "";
    expect(sent).toContain("INVITE sip:+15550001@trunk.test;user=phone SIP/2.0");
    expect(sent).toContain("Route: <sip:10.0.0.2:5060;lr>");
    expect(sent).toContain("Via: SIP/2.0/UDP 203.0.113.9:40000;branch=");
    expect(sent).toContain("Contact: <sip:+15559999@203.0.113.9:40000>");
    expect(peer.requests("INVITE")).toHaveLength(1);
  });

  it("stays below the size of a safe datagram, goes over TCP, or is not sent at all", async () => {
    const long = `${OUR_SDP}a=x:${"y".repeat(800)}\r\n`;
    const request = { to: "+1", from: "+2", sdp: long, ringTimeoutMs: 1_000, media: ACCEPTING_MEDIA };
    const { agent, trunk, clock, network } = open();
    expect(await agent.prepareInvite({ ...request, trunk })).toMatchObject({
      ok: false,
      reason: expect.stringContaining("1300"),
    });
    const flexible = { ...trunk, allowsTcpForLarge: true };
    const prepared = await agent.prepareInvite({ ...request, trunk: flexible });
    expect(prepared).toMatchObject({ ok: true, record: { hop: { transport: "tcp" } } });
    if (prepared.ok) prepared.start();
    await clock.advance(10);
    expect(network.sent[0]?.bytes.toString()).toMatch(
      /^INVITE sip:\+1@10\.0\.0\.2:5060;transport=tcp.*Via: SIP\/2\.0\/TCP/s,
    );
  });

  it("is written in short where that makes it fit", async () => {
    const { agent, trunk, clock, network } = open();
    const withPadding = (length: number) => {
      const sdp = `${OUR_SDP}a=x:${"y".repeat(length)}\r\n`;
      return agent.prepareInvite({ trunk, to: "+1", from: "+2", sdp, ringTimeoutMs: 1_000, media: ACCEPTING_MEDIA });
    };
    let length = 400;
    while ((await withPadding(length + 1)).ok) length += 1;
    const largest = await withPadding(length);
    if (largest.ok) largest.start();
    await clock.advance(10);
    const sent = network.sent[0]?.bytes ?? Buffer.alloc(0);
    expect(sent.length).toBeGreaterThan(1_290);
    expect(sent.length).toBeLessThanOrEqual(1_300);
    expect(sent.toString()).toContain("\r\nv: SIP/2.0/UDP");
  });

  it("is refused before anything is sent where the trunk has no address", async () => {
    const { agent, trunk } = open();
    const request = { to: "+1", from: "+2", sdp: OUR_SDP, ringTimeoutMs: 1_000, media: ACCEPTING_MEDIA };
    const prepared = await agent.prepareInvite({ ...request, trunk: { ...trunk, host: "nowhere.test", port: null } });
    expect(prepared).toEqual({ ok: false, reason: "no address was found for nowhere.test" });
  });
});

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
  const statuses = () => rig.peer.responses().map(({ status }) => status);

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

  it("get the same tag for the same request", async () => {
    const { peer, clock } = open();
    peer.send(stray("INVITE"), US);
    peer.send(stray("INVITE"), US);
    await clock.advance(10);
    const tags = peer.responses().map((response) => header(response, "To"));
    expect(tags[0]).toBe(tags[1]);
  });
});

describe("a call whose owner died", () => {
  /** Another process at the same address, as after a restart. */
  function successor(): UserAgent {
    const random = seededRandom(99);
    return new UserAgent({
      clock: rig.clock,
      random,
      transports: [rig.network.attach("udp", "10.0.0.1", 5060)],
      resolver: { srv: async () => [], addresses: async () => [] },
      reportError: (error) => rig.errors.push(error),
    });
  }

  it("is ended by another with what was written down before the ACK", async () => {
    const { peer, clock, agent, trunk } = open();
    let written = "";
    await answered(rig, {
      commitAnswer: async (record) => {
        written = JSON.stringify(record);
      },
    });
    agent.close();
    peer.on("BYE", (bye) => peer.reply(bye, 200));
    const record = readLegRecord(JSON.parse(written));
    if (record === null) throw new Error("not a record");
    const other = successor();
    const ended = other.endOrphan(trunk, record);
    await clock.advance(10);
    expect(await ended).toBe(true);
    expect(peer.request("BYE").essentials).toMatchObject({ callId: peer.request("INVITE").essentials.callId });
    expect(peer.request("BYE").essentials.cseq.number).toBeGreaterThan(100);
    other.close();
  });

  it("is not reported as over while nobody confirms it", async () => {
    const { clock, agent, trunk } = open();
    let record: unknown = null;
    await answered(rig, {
      commitAnswer: async (written) => {
        record = written;
      },
    });
    agent.close();
    const read = readLegRecord(record);
    if (read === null) throw new Error("not a record");
    const other = successor();
    const ended = other.endOrphan(trunk, read);
    await clock.advance(33_000);
    expect(await ended).toBe(false);
    other.close();
  });

  it("is cancelled while it rings, and its late answer is ended", async () => {
    const { peer, clock, agent, trunk, place } = open();
    const { client } = await place();
    const invite = peer.request("INVITE");
    peer.reply(invite, 180);
    await clock.advance(10);
    const record = readLegRecord(JSON.parse(JSON.stringify(client.record)));
    agent.close();
    if (record === null) throw new Error("not a record");
    peer.on("CANCEL", (cancel) => {
      const isRinging = branchOf(cancel.essentials.via) === branchOf(invite.essentials.via);
      peer.reply(cancel, isRinging ? 200 : 481);
      if (isRinging) peer.reply(invite, 200, { sdp: THEIR_SDP });
    });
    peer.on("BYE", (bye) => peer.reply(bye, 200));
    const other = successor();
    const ended = other.endOrphan(trunk, record);
    await clock.advance(10);
    expect(await ended).toBe(true);
    expect(peer.requests("CANCEL")).toHaveLength(5);
    expect(peer.requests("ACK")).toHaveLength(1);
    expect(peer.requests("BYE")).toHaveLength(1);
    other.close();
  });
});

describe("a registration", () => {
  const CREDENTIALS = { username: "alice", password: "s3cret" };
  const CHALLENGE = ["WWW-Authenticate", 'Digest realm="r", nonce="n1", qop="auth"'] as const;

  it("is made with the password, renewed in time and taken back", async () => {
    const { peer, clock, agent, trunk } = open({ trunk: { credentials: CREDENTIALS } });
    const states: RegistrationState[] = [];
    peer.on("REGISTER", (register) => {
      if (header(register, "Authorization") === null) peer.reply(register, 401, { headers: [CHALLENGE] });
      else peer.reply(register, 200, { headers: [["Contact", `${header(register, "Contact")};expires=120`]] });
    });
    const registration = agent.register(trunk, "alice", 300, (state) => states.push(state));
    await clock.advance(20);
    expect(states).toEqual([{ kind: "registered", expiresS: 120 }]);
    expect(peer.request("REGISTER").uri).toBe("sip:10.0.0.2:5060");
    await clock.advance(80_100);
    expect(peer.requests("REGISTER")).toHaveLength(3);
    const stopped = registration.stop();
    await clock.advance(20);
    await stopped;
    expect(headerNumber(peer.request("REGISTER", -1), "Expires")).toBe(0);
    expect(states.at(-1)).toEqual({ kind: "unregistered" });
    const numbers = peer.requests("REGISTER").map(({ essentials }) => essentials.cseq.number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  it("asks for as long as the trunk wants", async () => {
    const { peer, clock, agent, trunk } = open();
    peer.on("REGISTER", (register) => {
      if ((headerNumber(register, "Expires") ?? 0) < 600)
        peer.reply(register, 423, { headers: [["Min-Expires", "600"]] });
      else peer.reply(register, 200, { headers: [["Expires", "600"]] });
    });
    const states: RegistrationState[] = [];
    agent.register(trunk, "alice", 60, (state) => states.push(state));
    await clock.advance(20);
    expect(states).toEqual([{ kind: "registered", expiresS: 600 }]);
  });

  it("is tried again, ever more slowly, while it fails", async () => {
    const { peer, clock, agent, trunk } = open();
    const states: RegistrationState[] = [];
    peer.on("REGISTER", (register) => peer.reply(register, 403));
    agent.register(trunk, "alice", 60, (state) => states.push(state));
    await clock.advance(100_000);
    expect(states).toMatchObject([
      { kind: "failed", status: 403, retryInMs: 30_000 },
      { kind: "failed", status: 403, retryInMs: 60_000 },
      { kind: "failed", status: 403, retryInMs: 120_000 },
    ]);
  });
});

describe("a ping", () => {
  it("tells whether anybody is there, again and again until it is stopped", async () => {
    const { peer, clock, agent, trunk } = open();
    const results: PingResult[] = [];
    peer.on("OPTIONS", (options) => peer.reply(options, 405));
    const stop = agent.keepPinging(trunk, 30_000, (result) => results.push(result));
    await clock.advance(100);
    expect(results).toMatchObject([{ isReachable: true, status: 405, roundTripMs: 2 }]);
    peer.on("OPTIONS", () => undefined);
    await clock.advance(30_000 + 32_100);
    expect(results.at(-1)).toMatchObject({ isReachable: false, status: null });
    stop();
    await clock.advance(100_000);
    expect(results).toHaveLength(2);
    expect(headerList(peer.request("OPTIONS"), "Route")).toEqual([]);
  });
});
