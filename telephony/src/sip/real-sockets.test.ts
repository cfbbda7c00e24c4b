import { systemClock } from "@parley/time/clock";
import { afterEach, describe, expect, it } from "vitest";
import type { InviteEvent } from "./invite/invite-events.ts";
import type { ReceivedRequest } from "./message/message.ts";
import { header } from "./message/read-headers.ts";
import { systemRandom } from "./random-source.ts";
import { TRUNK_DEFAULTS } from "./sip-trunk.ts";
import { ACCEPTING_MEDIA, OUR_SDP, THEIR_SDP } from "./testing/agent-rig.ts";
import { ScriptedPeer } from "./testing/scripted-peer.ts";
import { TEST_CERTIFICATE, TEST_KEY } from "./testing/test-certificate.ts";
import type { SipTransport, TransportKind } from "./transport/sip-transport.ts";
import { openTcpTransport } from "./transport/stream-transport.ts";
import { openTlsTransport } from "./transport/tls.ts";
import { openUdpTransport } from "./transport/udp.ts";
import { UserAgent } from "./user-agent.ts";

const opened: { close(): void | Promise<void> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function openTransport(kind: TransportKind, listens: boolean, port = 0): Promise<SipTransport> {
  const at = { clock: systemClock, address: "127.0.0.1", port: listens ? port : null };
  const own = { key: TEST_KEY, certificate: TEST_CERTIFICATE };
  const transport = await (kind === "udp"
    ? openUdpTransport({ address: "127.0.0.1", port: 0 })
    : kind === "tcp"
      ? openTcpTransport(at)
      : openTlsTransport({ ...at, trusted: [TEST_CERTIFICATE], ...(listens ? { own } : {}) }));
  opened.push(transport);
  return transport;
}

describe.each(["udp", "tcp", "tls"] as const)("a call over %s", (kind) => {
  it("is placed, answered, changed by the callee and hung up by it", async () => {
    const [ours, theirs] = [await openTransport(kind, kind !== "tls"), await openTransport(kind, true)];
    const errors: unknown[] = [];
    const resolver = { srv: async () => [], addresses: async () => ["127.0.0.1"] };
    const agent = new UserAgent({
      clock: systemClock,
      random: systemRandom,
      transports: [ours],
      resolver,
      reportError: (error) => errors.push(error),
    });
    opened.push(agent);
    const peer = new ScriptedPeer(theirs);
    peer.on("INVITE", (invite) => {
      peer.reply(invite, 180);
      peer.reply(invite, 200, {
        sdp: THEIR_SDP,
        headers: [["Contact", `<sip:callee@trunk.test:${theirs.local.port};transport=${kind}>`]],
      });
    });
    let acks = 0;
    peer.on("ACK", () => {
      acks += 1;
      if (acks === 1) peer.ask(peer.request("INVITE"), "UPDATE", { sdp: THEIR_SDP });
      if (acks === 1) peer.ask(peer.request("INVITE"), "BYE");
    });
    const trunk = { ...TRUNK_DEFAULTS, host: "trunk.test", port: theirs.local.port, transport: kind };
    const client = await agent.placeInvite({
      trunk,
      to: "+1",
      from: "+2",
      sdp: OUR_SDP,
      ringTimeoutMs: 5_000,
      media: ACCEPTING_MEDIA,
    });
    const events: InviteEvent[] = [];
    await new Promise<void>((resolve) => {
      client.onEvent((event) => {
        events.push(event);
        if (event.type === "ended" || event.type === "failed") resolve();
      });
    });
    expect(events.map(({ type }) => type)).toEqual(["provisional", "answered", "ended"]);
    expect(events.at(-1)).toMatchObject({ by: "peer" });
    expect(errors).toEqual([]);
  });
});

describe.each(["tcp", "tls"] as const)(
  "a callee that knows us only by our Contact, over %s where we do not listen",
  (kind) => {
    async function openCall() {
      const [ours, theirs] = [await openTransport(kind, false), await openTransport(kind, true)];
      const errors: unknown[] = [];
      const agent = new UserAgent({
        clock: systemClock,
        random: systemRandom,
        transports: [ours],
        resolver: { srv: async () => [], addresses: async () => ["127.0.0.1"] },
        reportError: (error) => errors.push(error),
      });
      opened.push(agent);
      const { port } = theirs.local;
      const contact = ["Contact", `<sip:callee@trunk.test:${port};transport=${kind}>`] as const;
      const peer = new ScriptedPeer(theirs);
      peer.on("INVITE", (invite) => peer.reply(invite, 200, { sdp: THEIR_SDP, headers: [contact] }));
      const acknowledged = new Promise<void>((resolve) => peer.on("ACK", () => resolve()));
      const client = await agent.placeInvite({
        trunk: { ...TRUNK_DEFAULTS, host: "trunk.test", port, transport: kind },
        to: "+1",
        from: "+2",
        sdp: OUR_SDP,
        ringTimeoutMs: 5_000,
        media: ACCEPTING_MEDIA,
      });
      const ended = new Promise<InviteEvent>((resolve) => {
        client.onEvent((event) => event.type === "ended" && resolve(event));
      });
      await acknowledged;
      return { theirs, peer, contact, ended, errors };
    }

    it("hangs up by the connection that we opened", async () => {
      const { peer, ended, errors } = await openCall();
      peer.ask(peer.request("INVITE"), "BYE", { isSentToContact: true });
      expect(await ended).toMatchObject({ by: "peer" });
      expect(errors).toEqual([]);
    });

    it("is notified of the new connection when the old one breaks, and hangs up over it", async () => {
      const { theirs, peer, contact, ended, errors } = await openCall();
      const invite = peer.request("INVITE");
      await theirs.close();
      const again = new ScriptedPeer(await openTransport(kind, true, theirs.local.port));
      const moved = new Promise<ReceivedRequest>((resolve) => {
        again.on("INVITE", (reInvite) => {
          again.reply(reInvite, 200, { sdp: THEIR_SDP, headers: [contact] });
          resolve(reInvite);
        });
      });
      const reInvite = await moved;
      expect(header(reInvite, "Contact")).toMatch(new RegExp(`^<sip:[+]2@127[.]0[.]0[.]1:\\d+;transport=${kind};ob>$`));
      expect(header(reInvite, "Contact")).not.toBe(header(invite, "Contact"));
      // Its own side of the call: what the re-INVITE calls From is whom it asks.
      const asked = {
        ...reInvite,
        headers: reInvite.headers.map(
          ([name, value]) => [name, name === "To" ? (header(invite, "To") ?? "") : value] as const,
        ),
      };
      again.ask(asked, "BYE", { isSentToContact: true });
      expect(await ended).toMatchObject({ by: "peer" });
      expect(errors).toEqual([]);
    });
  },
);
