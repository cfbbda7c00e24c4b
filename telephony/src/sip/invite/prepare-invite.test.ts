import { describe, expect, it } from "vitest";
import { header } from "../message/read-headers.ts";
import { ACCEPTING_MEDIA, OUR_SDP, useAgentRig } from "../testing/agent-rig.ts";

const rigs = useAgentRig();
const { open } = rigs;

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

  it("hides a private number from the callee, and sends it only to the trunk", async () => {
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
    const sent = rigs.rig.network.sent[0]?.bytes.toString() ?? "";
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

  it("is written in compact form where that makes it fit", async () => {
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
