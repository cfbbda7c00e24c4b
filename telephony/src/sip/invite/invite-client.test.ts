import { describe, expect, it } from "vitest";
import type { HeaderLine } from "../message/message.ts";
import { header, headerList } from "../message/read-headers.ts";
import { branchOf } from "../message/via.ts";
import { ACCEPTING_MEDIA, type AgentRig, answered, OUR_SDP, THEIR_SDP, useAgentRig } from "../testing/agent-rig.ts";

const rigs = useAgentRig();
const { open } = rigs;

const CHALLENGE = 'Digest realm="r", nonce="n1", qop="auth", algorithm=MD5';
const CREDENTIALS = { username: "alice", password: "s3cret" };

describe("a call that is answered", () => {
  it("tries, rings, is answered, acknowledged along the route and hung up", async () => {
    const { peer, clock, place } = open();
    const { client, events, types } = await place();
    const invite = peer.request("INVITE");
    peer.reply(invite, 100);
    peer.reply(invite, 180);
    const routes = [["Record-Route", "<sip:10.0.0.2;lr;n=2>, <sip:10.0.0.2:5060;lr;n=1>"]] as const;
    peer.reply(invite, 200, { sdp: THEIR_SDP, headers: routes });
    await clock.advance(10);
    expect(types()).toEqual(["trying", "provisional", "answered"]);
    expect(events[2]).toEqual({ type: "answered", sdp: THEIR_SDP });
    const ack = peer.request("ACK");
    expect(ack.uri).toBe("sip:callee@10.0.0.2:5060");
    expect(headerList(ack, "Route")).toEqual(["<sip:10.0.0.2:5060;lr;n=1>", "<sip:10.0.0.2;lr;n=2>"]);
    expect(header(ack, "CSeq")).toBe("1 ACK");
    expect(branchOf(ack.essentials.via)).not.toBe(branchOf(invite.essentials.via));
    peer.on("BYE", (bye) => peer.reply(bye, 200));
    const ended = client.hangup();
    await clock.advance(10);
    await ended;
    expect(events.at(-1)).toMatchObject({ type: "ended", by: "us", isConfirmed: true });
    expect(peer.summary()).toEqual(["INVITE", "ACK", "BYE"]);
  });

  it("is written down before it is acknowledged", async () => {
    const { peer, clock, place } = open();
    let finish: () => void = () => undefined;
    const committed: unknown[] = [];
    const { types } = await place({
      commitAnswer: (record) => {
        committed.push(JSON.parse(JSON.stringify(record)));
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    });
    peer.reply(peer.request("INVITE"), 200, { sdp: THEIR_SDP });
    await clock.advance(600);
    peer.reply(peer.request("INVITE"), 200, { sdp: THEIR_SDP });
    await clock.advance(600);
    expect(peer.requests("ACK")).toEqual([]);
    expect(types()).toEqual([]);
    expect(committed).toMatchObject([{ kind: "dialog", inviteCSeq: 1, dialog: { remoteTag: "them", localCSeq: 1 } }]);
    finish();
    await clock.advance(5);
    expect(peer.requests("ACK")).toHaveLength(1);
    expect(types()).toEqual(["answered"]);
  });

  it.each(["rejects", "hangs"])("is ended again when writing it down %s", async (how) => {
    const { peer, clock, place, errors } = open();
    const { last } = await place({
      commitAnswer: () => (how === "hangs" ? new Promise(() => undefined) : Promise.reject(new Error("no database"))),
    });
    peer.on("BYE", (bye) => peer.reply(bye, 200));
    peer.reply(peer.request("INVITE"), 200, { sdp: THEIR_SDP });
    await clock.advance(20_010);
    expect(peer.summary()).toEqual(["INVITE", "ACK", "BYE"]);
    expect(last()).toMatchObject({ type: "failed", origin: "commit" });
    expect(errors.splice(0)).toHaveLength(how === "rejects" ? 1 : 0);
  });

  it("may come from an old phone without a tag", async () => {
    const { peer, clock, place, network } = open();
    const { client, types, last } = await place();
    const invite = peer.request("INVITE");
    peer.on("BYE", (bye) => peer.reply(bye, 200));
    network.dropWhere((text) => text.includes(";tag=old"));
    peer.reply(invite, 200, { sdp: THEIR_SDP, toTag: "old" });
    const tagged = network.sent.at(-1)?.bytes.toString() ?? "";
    peer.send(Buffer.from(tagged.replace(";tag=old", "")), { transport: "udp", address: "10.0.0.1", port: 5060 });
    await clock.advance(10);
    expect(types()).toContain("answered");
    const ended = client.hangup();
    await clock.advance(10);
    await ended;
    expect(last()).toMatchObject({ type: "ended", isConfirmed: true });
  });

  it.each([
    ["our tag", /(From: [^\r]*);tag=\w+/, "$1"],
    ["our number", /CSeq: 1 INVITE/, "CSeq: 77 INVITE"],
    ["the Call-ID", /Call-ID: \w+/, "Call-ID: spoilt"],
  ])("may come with a damaged %s: it is acknowledged with our values, and can be ended", async (_, pattern, spoilt) => {
    const { peer, clock, place, network } = open();
    const { client, types, last } = await place();
    peer.on("BYE", (bye) => peer.reply(bye, 200));
    network.dropWhere((text) => text.startsWith("SIP/2.0 200"));
    peer.reply(peer.request("INVITE"), 200, { sdp: THEIR_SDP });
    const answer = network.sent.at(-1)?.bytes.toString() ?? "";
    network.dropWhere(null);
    peer.send(Buffer.from(answer.replace(pattern, spoilt)), { transport: "udp", address: "10.0.0.1", port: 5060 });
    await clock.advance(10);
    expect(types()).toEqual(["answered"]);
    const [ack, invite] = [peer.request("ACK"), peer.request("INVITE")];
    expect([header(ack, "From"), header(ack, "CSeq")]).toEqual([header(invite, "From"), "1 ACK"]);
    expect(header(ack, "Call-ID")).toBe(header(invite, "Call-ID"));
    const ended = client.hangup();
    await clock.advance(10);
    expect(last()).toMatchObject({ type: "ended", isConfirmed: true });
    await ended;
  });

  it("acknowledges the answer again whenever it is repeated", async () => {
    const rigged = open();
    const { types } = await answered(rigged);
    const { peer, clock } = rigged;
    for (let repeat = 0; repeat < 3; repeat += 1) peer.reply(peer.request("INVITE"), 200, { sdp: THEIR_SDP });
    await clock.advance(10);
    expect(peer.requests("ACK")).toHaveLength(4);
    expect(types().filter((type) => type === "answered")).toHaveLength(1);
  });

  it("ends the call of a second phone that answered too", async () => {
    const rigged = open();
    const { events } = await answered(rigged);
    const { peer, clock } = rigged;
    peer.on("BYE", (bye) => peer.reply(bye, 200));
    peer.reply(peer.request("INVITE"), 200, { sdp: THEIR_SDP, toTag: "other" });
    peer.reply(peer.request("INVITE"), 200, { sdp: THEIR_SDP, toTag: "other" });
    await clock.advance(10);
    const to = (method: string) => peer.requests(method).map((request) => header(request, "To")?.split("tag=")[1]);
    expect(to("ACK")).toEqual(["them", "other", "other"]);
    expect(to("BYE")).toEqual(["other"]);
    expect(events.at(-1)?.type).toBe("answered");
  });

  it.each(["10.0.0.2:0", "0.0.0.0:5060", "[::]:5060"])(
    "is acknowledged and ended where the INVITE went when its Contact is %s, where nothing can be sent",
    async (place) => {
      const rig = open();
      const { peer, clock } = rig;
      peer.on("BYE", (bye) => peer.reply(bye, 200));
      const { client, last } = await answered(rig, {}, [["Contact", `<sip:callee@${place}>`]]);
      expect(peer.requests("ACK")).toHaveLength(1);
      const ended = client.hangup();
      await clock.advance(10);
      await ended;
      expect(last()).toMatchObject({ type: "ended", isConfirmed: true });
    },
  );

  it("takes the description from the ringing where the answer has none", async () => {
    const { peer, clock, place } = open();
    const { events, types } = await place();
    peer.reply(peer.request("INVITE"), 183, { sdp: THEIR_SDP });
    peer.reply(peer.request("INVITE"), 183, { sdp: THEIR_SDP });
    peer.reply(peer.request("INVITE"), 200);
    await clock.advance(10);
    expect(types()).toEqual(["provisional", "early_media", "provisional", "answered"]);
    expect(events.at(-1)).toEqual({ type: "answered", sdp: THEIR_SDP });
  });

  it("arrives through a network that loses, doubles and reorders", async () => {
    let answeredCalls = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const { peer, clock, network, place } = open({ seed, trunk: { noResponseMs: 30_000 } });
      network.setConditions({ lossRate: 0.3, duplicateRate: 0.2, delayMinMs: 5, delayMaxMs: 400 });
      let ackedAtMs = 0;
      peer.on("ACK", () => {
        ackedAtMs ||= clock.now();
      });
      peer.on("BYE", (bye) => peer.reply(bye, 200));
      let isAnswering = false;
      peer.on("INVITE", (invite) => {
        if (isAnswering) return;
        isAnswering = true;
        // The peer repeats its answer until the ACK comes, as every phone does.
        const repeat = (leftMs: number): void => {
          if (ackedAtMs > 0 || leftMs <= 0) return;
          peer.reply(invite, 200, { sdp: THEIR_SDP });
          clock.setTimer(1_000, () => repeat(leftMs - 1_000));
        };
        peer.reply(invite, 180);
        repeat(32_000);
      });
      const { client, types, last } = await place();
      await clock.advance(33_000);
      // With three in ten lost an INVITE may die of seven losses, but only very rarely.
      if (types().at(-1) === "failed") continue;
      answeredCalls += 1;
      expect(
        types().filter((type) => type === "answered"),
        `seed ${seed}`,
      ).toHaveLength(1);
      expect(ackedAtMs, `seed ${seed}`).toBeGreaterThan(0);
      const ended = client.hangup();
      await clock.advance(33_000);
      await ended;
      expect(last()?.type).toBe("ended");
      await clock.advance(33_000);
    }
    expect(answeredCalls).toBeGreaterThanOrEqual(38);
  });
});

describe("a proxy that invents phone after phone", () => {
  const PHONES = 200;

  async function ringEverywhere(): Promise<Awaited<ReturnType<AgentRig["place"]>>> {
    const { peer, clock, place } = open({ trunk: { offersReliableRinging: true } });
    const placed = await place();
    const reliable = [
      ["Require", "100rel"],
      ["RSeq", "1"],
    ] as const;
    for (let phone = 0; phone < PHONES; phone += 1)
      peer.reply(peer.request("INVITE"), 180, { toTag: `ringing-${phone}`, headers: reliable });
    await clock.advance(10);
    return placed;
  }

  it("is followed to a few of them only", async () => {
    await ringEverywhere();
    const acknowledged = new Set(rigs.rig.peer.requests("PRACK").map((request) => header(request, "To")));
    expect(acknowledged.size).toBe(16);
  });

  it("does not keep out the phone that answers", async () => {
    const { types } = await ringEverywhere();
    rigs.rig.peer.reply(rigs.rig.peer.request("INVITE"), 200, { toTag: "the callee", sdp: THEIR_SDP });
    await rigs.rig.clock.advance(10);
    expect(types().at(-1)).toBe("answered");
    expect(header(rigs.rig.peer.request("ACK"), "To")).toContain("tag=the callee");
  });

  it("has a limited number of answers ended, and the call with the first continues", async () => {
    const { types } = await ringEverywhere();
    for (let phone = 0; phone < PHONES; phone += 1)
      rigs.rig.peer.reply(rigs.rig.peer.request("INVITE"), 200, { toTag: `answered-${phone}`, sdp: THEIR_SDP });
    await rigs.rig.clock.advance(10);
    const ended = new Set(rigs.rig.peer.requests("BYE").map((request) => header(request, "To")));
    expect(ended.size).toBe(15);
    expect(types().filter((type) => type === "answered" || type === "failed")).toEqual(["answered"]);
  });
});

describe("a call that is refused", () => {
  it.each(["udp", "tcp"] as const)("and still answered is acknowledged and ended, over %s", async (kind) => {
    const { peer, clock, place } = open({ kind });
    const { types } = await place();
    const invite = peer.request("INVITE");
    peer.on("BYE", (bye) => peer.reply(bye, 200));
    peer.reply(invite, 486, { toTag: "busy" });
    await clock.advance(1_000);
    expect(types()).toEqual(["failed"]);
    const answer = () => peer.reply(invite, 200, { toTag: "other", sdp: THEIR_SDP });
    answer();
    await clock.advance(500);
    answer();
    await clock.advance(10);
    const toOther = (method: string) =>
      peer.requests(method).filter((request) => header(request, "To")?.endsWith("tag=other"));
    expect(toOther("ACK")).toHaveLength(2);
    expect(toOther("BYE")).toHaveLength(1);
    expect(types()).toEqual(["failed"]);
  });

  it("by one trunk machine and answered too late does not become the call that is sent again", async () => {
    const { peer, clock, place } = open({ trunk: { credentials: CREDENTIALS } });
    const { types } = await place();
    peer.on("BYE", (bye) => peer.reply(bye, 200));
    peer.reply(peer.request("INVITE"), 401, { headers: [["WWW-Authenticate", CHALLENGE]] });
    await clock.advance(10);
    peer.reply(peer.request("INVITE"), 200, { toTag: "late", sdp: THEIR_SDP });
    await clock.advance(10);
    expect(header(peer.request("BYE"), "To")).toContain("tag=late");
    peer.reply(peer.request("INVITE", 1), 200, { toTag: "callee", sdp: THEIR_SDP });
    await clock.advance(10);
    expect(types()).toEqual(["answered"]);
    expect(peer.requests("BYE")).toHaveLength(1);
  });

  it("says with which code and for which reason", async () => {
    const { peer, clock, place } = open();
    const { events } = await place();
    const headers = [
      ["Reason", 'SIP;cause=603, Q.850;cause=21;text="call rejected"'],
      ["Retry-After", "30"],
    ] as const;
    peer.reply(peer.request("INVITE"), 603, { headers, reason: "Declined by analytics" });
    await clock.advance(10);
    expect(events).toEqual([
      {
        type: "failed",
        status: 603,
        reason: "Declined by analytics",
        origin: "peer",
        reasonHeader: { protocol: "Q.850", cause: 21, text: "call rejected" },
        retryAfterS: 30,
        unanswered: null,
      },
    ]);
    expect(peer.requests("ACK")).toHaveLength(1);
    expect(branchOf(peer.request("ACK").essentials.via)).toBe(branchOf(peer.request("INVITE").essentials.via));
  });

  it("gives up on a silent trunk after its time limit, and sends nothing more", async () => {
    const { clock, place, peer } = open({ trunk: { noResponseMs: 4_000 } });
    const { events } = await place();
    await clock.advance(3_900);
    expect(events).toEqual([]);
    await clock.advance(100);
    expect(events).toMatchObject([{ type: "failed", origin: "timeout", status: null }]);
    await clock.advance(60_000);
    expect(peer.summary()).toEqual(["INVITE", "INVITE", "INVITE", "INVITE"]);
  });

  it.each([100, 180, 183])("waits as long as it may ring once the trunk said %i", async (status) => {
    const { clock, place, peer } = open();
    const { types } = await place();
    await clock.advance(3_500);
    peer.reply(peer.request("INVITE"), status);
    await clock.advance(50_000);
    expect(types()).not.toContain("failed");
  });

  it("gives up when an answered challenge gets no response", async () => {
    const { clock, place, peer } = open({ trunk: { credentials: { username: "u", password: "p" } } });
    const { events } = await place();
    await clock.advance(3_000);
    peer.reply(peer.request("INVITE"), 407, { headers: [["Proxy-Authenticate", 'Digest realm="r", nonce="n"']] });
    await clock.advance(3_900);
    expect(events).toEqual([]);
    await clock.advance(200);
    expect(events).toMatchObject([{ type: "failed", origin: "timeout" }]);
  });

  it("does not report a silent trunk as an unanswered phone", async () => {
    const { clock, place } = open();
    const { events } = await place({ ringTimeoutMs: 2_000 });
    await clock.advance(5_000);
    expect(events).toMatchObject([{ type: "failed", origin: "timeout" }]);
  });

  it("reports immediately when nothing could be sent", async () => {
    const { place } = open({ kind: "tcp", trunk: { port: 5999 } });
    const { events } = await place();
    expect(events).toMatchObject([{ type: "failed", origin: "transport", reason: "connection refused" }]);
  });
});

describe("a call we abandon", () => {
  it("is cancelled while it rings, in the same branch and with the same number", async () => {
    const { peer, clock, place } = open();
    const { client, events } = await place();
    const invite = peer.request("INVITE");
    peer.on("CANCEL", (cancel) => {
      peer.reply(cancel, 200);
      peer.reply(invite, 487);
    });
    peer.reply(invite, 180);
    await clock.advance(5);
    const ended = client.hangup();
    await clock.advance(10);
    await ended;
    const cancel = peer.request("CANCEL");
    expect(branchOf(cancel.essentials.via)).toBe(branchOf(invite.essentials.via));
    expect(cancel.essentials.cseq).toEqual({ number: 1, method: "CANCEL" });
    expect(cancel.uri).toBe(invite.uri);
    expect(peer.requests("ACK")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: "failed", status: 487, origin: "canceled" });
  });

  it("is not cancelled before the first response, but right after it", async () => {
    const { peer, clock, place } = open();
    const { client } = await place();
    client.hangup().catch(() => undefined);
    await clock.advance(400);
    expect(peer.requests("CANCEL")).toEqual([]);
    peer.reply(peer.request("INVITE"), 100);
    await clock.advance(10);
    expect(peer.requests("CANCEL")).toHaveLength(1);
  });

  it("is acknowledged and ended when the answer crossed our CANCEL", async () => {
    const { peer, clock, place } = open();
    const { client, types, last } = await place();
    const invite = peer.request("INVITE");
    peer.on("CANCEL", (cancel) => {
      peer.reply(cancel, 200);
      peer.reply(invite, 200, { sdp: THEIR_SDP });
    });
    peer.on("BYE", (bye) => peer.reply(bye, 200));
    peer.reply(invite, 180);
    await clock.advance(5);
    const ended = client.hangup();
    await clock.advance(10);
    await ended;
    expect(peer.summary()).toEqual(["INVITE", "CANCEL", "ACK", "BYE"]);
    expect(types()).not.toContain("answered");
    expect(last()).toMatchObject({ type: "failed", origin: "canceled" });
  });

  it("ends after 32 s even when the peer never settles it", async () => {
    const { peer, clock, place } = open();
    const { client, last } = await place();
    peer.reply(peer.request("INVITE"), 180);
    await clock.advance(5);
    const ended = client.hangup();
    await clock.advance(32_000);
    await ended;
    expect(last()).toMatchObject({ type: "failed", origin: "canceled" });
  });

  it("is cancelled automatically when it is not answered in time", async () => {
    const { peer, clock, place } = open();
    const { last } = await place({ ringTimeoutMs: 20_000 });
    const invite = peer.request("INVITE");
    peer.on("CANCEL", () => peer.reply(invite, 487));
    peer.reply(invite, 180);
    await clock.advance(19_000);
    expect(peer.requests("CANCEL")).toEqual([]);
    await clock.advance(1_100);
    expect(last()).toMatchObject({ type: "failed", origin: "no_answer" });
  });

  it("is not sent again when the challenge comes after we gave up", async () => {
    const { peer, clock, place } = open({ trunk: { credentials: CREDENTIALS } });
    const { client, last } = await place();
    client.hangup().catch(() => undefined);
    peer.reply(peer.request("INVITE"), 401, { headers: [["WWW-Authenticate", CHALLENGE]] });
    await clock.advance(10);
    expect(peer.requests("INVITE")).toHaveLength(1);
    expect(last()).toMatchObject({ type: "failed", origin: "canceled" });
  });
});

describe("a challenge", () => {
  it("is answered with a higher number and in a new branch, and again by BYE", async () => {
    const { peer, clock, place } = open({ trunk: { credentials: CREDENTIALS } });
    const { client, types } = await place();
    peer.reply(peer.request("INVITE"), 407, { headers: [["Proxy-Authenticate", CHALLENGE]] });
    await clock.advance(10);
    const second = peer.request("INVITE", 1);
    expect(second.essentials.cseq.number).toBe(2);
    expect(branchOf(second.essentials.via)).not.toBe(branchOf(peer.request("INVITE").essentials.via));
    expect(header(second, "Proxy-Authorization")).toContain(`uri="${second.uri}"`);
    peer.reply(second, 200, { sdp: THEIR_SDP });
    await clock.advance(10);
    expect(types()).toEqual(["answered"]);
    let byes = 0;
    peer.on("BYE", (bye) => {
      byes += 1;
      if (byes === 1) peer.reply(bye, 407, { headers: [["Proxy-Authenticate", CHALLENGE.replace("n1", "n2")]] });
      else peer.reply(bye, 200);
    });
    const ended = client.hangup();
    await clock.advance(20);
    await ended;
    expect(header(peer.request("BYE", 0), "Proxy-Authorization")).toContain('nonce="n1"');
    expect(header(peer.request("BYE", 1), "Proxy-Authorization")).toContain('nonce="n2"');
    expect(header(peer.request("BYE", 1), "CSeq")).toBe("4 BYE");
  });

  it("that is repeated means that the password is wrong", async () => {
    const { peer, clock, place } = open({ trunk: { credentials: CREDENTIALS } });
    const { events } = await place();
    peer.on("INVITE", (invite) => peer.reply(invite, 401, { headers: [["WWW-Authenticate", CHALLENGE]] }));
    peer.reply(peer.request("INVITE"), 401, { headers: [["WWW-Authenticate", CHALLENGE]] });
    await clock.advance(100);
    expect(peer.requests("INVITE")).toHaveLength(2);
    expect(events).toMatchObject([{ type: "failed", status: 401, origin: "peer", unanswered: null }]);
  });

  it.each([
    ["401", 401, [["WWW-Authenticate", CHALLENGE]]],
    ["407", 407, [["Proxy-Authenticate", CHALLENGE]]],
    ["422", 422, [["Min-SE", "1800"]]],
  ] as const)(
    "that comes after it rang is a refusal, because no phone may ring twice: %s",
    async (_, status, headers) => {
      const { peer, clock, place } = open({ trunk: { credentials: CREDENTIALS, sessionExpiresS: 180 } });
      const { events } = await place();
      peer.reply(peer.request("INVITE"), 180, { toTag: "far" });
      await clock.advance(10);
      peer.reply(peer.request("INVITE"), status, { toTag: "far", headers });
      await clock.advance(100);
      expect(peer.requests("INVITE")).toHaveLength(1);
      const unanswered = status === 422 ? null : "phone_rang";
      expect(events).toMatchObject([{ type: "provisional" }, { type: "failed", status, origin: "peer", unanswered }]);
    },
  );

  it("without a password to answer it is a refusal", async () => {
    const { peer, clock, place } = open();
    const { events } = await place();
    peer.reply(peer.request("INVITE"), 401, { headers: [["WWW-Authenticate", CHALLENGE]] });
    await clock.advance(100);
    expect(events).toMatchObject([{ type: "failed", status: 401, unanswered: "no_credentials" }]);
  });

  it("that we cannot answer says nothing about the password", async () => {
    const { peer, clock, place } = open({ trunk: { credentials: CREDENTIALS } });
    const { events } = await place();
    const unknown: HeaderLine = ["WWW-Authenticate", 'Digest realm="r", nonce="n", algorithm=AKAv1-MD5'];
    peer.reply(peer.request("INVITE"), 401, { headers: [unknown] });
    await clock.advance(100);
    expect(events).toMatchObject([{ type: "failed", status: 401, unanswered: "not_supported" }]);
  });
});

describe("ringing that requires acknowledgement", () => {
  const reliable = (rseq: number) =>
    [
      ["Require", "100rel"],
      ["RSeq", String(rseq)],
    ] as const;

  it("is acknowledged once, in order, and its description counts", async () => {
    const { peer, clock, place } = open();
    const { types, events } = await place();
    const invite = peer.request("INVITE");
    peer.on("PRACK", (prack) => peer.reply(prack, 200));
    peer.reply(invite, 183, { headers: reliable(7), sdp: THEIR_SDP });
    peer.reply(invite, 183, { headers: reliable(7), sdp: THEIR_SDP });
    peer.reply(invite, 180, { headers: reliable(9) });
    peer.reply(invite, 180, { headers: reliable(8) });
    await clock.advance(20);
    expect(peer.requests("PRACK").map((prack) => header(prack, "RAck"))).toEqual(["7 1 INVITE", "8 1 INVITE"]);
    expect(peer.requests("PRACK").map((prack) => header(prack, "CSeq"))).toEqual(["2 PRACK", "3 PRACK"]);
    expect(types()).toEqual(["provisional", "early_media", "provisional"]);
    peer.reply(invite, 200, { sdp: OUR_SDP });
    await clock.advance(20);
    expect(events.at(-1)).toEqual({ type: "answered", sdp: THEIR_SDP });
    expect(header(peer.request("ACK"), "CSeq")).toBe("1 ACK");
  });

  it("accepts a new offer of the peer before the answer, but not while our offer is open", async () => {
    const { peer, clock, place } = open();
    const offers: string[] = [];
    await place({
      media: {
        ...ACCEPTING_MEDIA,
        answerOffer: (offer) => {
          offers.push(offer);
          return { sdp: OUR_SDP };
        },
      },
    });
    const invite = peer.request("INVITE");
    peer.on("PRACK", (prack) => peer.reply(prack, 200));
    peer.reply(invite, 180);
    await clock.advance(10);
    peer.ask(invite, "UPDATE", { sdp: THEIR_SDP });
    await clock.advance(10);
    peer.reply(invite, 183, { headers: reliable(1), sdp: THEIR_SDP });
    await clock.advance(10);
    peer.ask(invite, "UPDATE", { sdp: THEIR_SDP });
    peer.ask(invite, "INVITE", { sdp: THEIR_SDP });
    await clock.advance(10);
    expect(peer.responses().map(({ status }) => status)).toEqual([491, 200, 491]);
    expect(offers).toHaveLength(1);
  });
});
