import { describe, expect, it } from "vitest";
import type { MediaNegotiation } from "../invite/invite-events.ts";
import { header, headerNumber } from "../message/read-headers.ts";
import { ACCEPTING_MEDIA, answered, OUR_SDP, THEIR_SDP, useAgentRig } from "../testing/agent-rig.ts";

const rigs = useAgentRig();
const { open } = rigs;

const statuses = () => rigs.rig.peer.responses().map(({ status }) => status);

describe("the end of a call", () => {
  it("is accepted from the peer, with its reason, and reported once however often BYE is repeated", async () => {
    const { peer, clock } = open();
    const { events } = await answered(rigs.rig);
    peer.ask(peer.request("INVITE"), "BYE", { headers: [["Reason", "Q.850;cause=16"]] });
    await clock.advance(10);
    expect(events.at(-1)).toMatchObject({ type: "ended", by: "peer", isConfirmed: true, reasonHeader: { cause: 16 } });
    const sent = rigs.rig.network.sent.findLast(({ bytes }) => bytes.toString().startsWith("BYE"));
    if (sent !== undefined) peer.send(sent.bytes, { transport: "udp", address: "10.0.0.1", port: 5060 });
    await clock.advance(10);
    expect(statuses()).toEqual([200, 200]);
    expect(events.filter(({ type }) => type === "ended")).toHaveLength(1);
  });

  it("comes after 32 s when our BYE is not answered", async () => {
    const { peer, clock } = open();
    const { client, last } = await answered(rigs.rig);
    const ended = client.hangup();
    await clock.advance(31_000);
    expect(last()?.type).toBe("answered");
    await clock.advance(1_100);
    await ended;
    expect(last()).toMatchObject({ type: "ended", by: "us", isConfirmed: false });
    expect(peer.requests("BYE")).toHaveLength(11);
  });

  it("is settled when both ends hang up simultaneously", async () => {
    const { peer, clock } = open();
    const { client, events } = await answered(rigs.rig);
    const ended = client.hangup();
    peer.ask(peer.request("INVITE"), "BYE");
    await clock.advance(5);
    await ended;
    expect(events.filter(({ type }) => type === "ended")).toHaveLength(1);
    expect(statuses()).toEqual([200]);
  });
});

describe("a request inside the call that cannot be read", () => {
  const damages: readonly (readonly [string, (bye: string) => string])[] = [
    ["a CSeq of another method", (bye) => bye.replace(/CSeq: (\d+) BYE/, "CSeq: $1 INVITE")],
    ["two From", (bye) => bye.replace(/(From: .*\r\n)/, "$1$1")],
    ["a Max-Forwards of 999", (bye) => bye.replace("Max-Forwards: 70", "Max-Forwards: 999")],
    ["a Request-URI that is none", (bye) => bye.replace(/^BYE \S+/, "BYE :::")],
    ["a body that is cut off", (bye) => bye.replace("Content-Length: 0", "Content-Length: 99")],
    ["a header without a name", (bye) => bye.replace("Max-Forwards: 70", ": 70")],
  ];
  const ours = { transport: "udp", address: "10.0.0.1", port: 5060 } as const;

  it.each(damages)("is answered with 400 and the reason, and the call continues: %s", async (_, damage) => {
    const { peer, clock } = open();
    const { last, client } = await answered(rigs.rig);
    rigs.rig.network.dropWhere((text) => text.startsWith("BYE"));
    peer.ask(peer.request("INVITE"), "BYE");
    const bye = rigs.rig.network.sent.at(-1)?.bytes.toString() ?? "";
    rigs.rig.network.dropWhere(null);
    expect(damage(bye)).not.toBe(bye);
    peer.received.length = 0;
    peer.send(Buffer.from(damage(bye)), ours);
    await clock.advance(10);
    const replies = rigs.rig.network.sent.filter(
      ({ from, bytes }) => from.includes("10.0.0.1") && /^SIP/.test(String(bytes)),
    );
    expect(replies.map(({ bytes }) => String(bytes).split("\r\n", 1)[0])).toEqual([
      expect.stringMatching(/^SIP\/2\.0 400 Bad Request: \S/),
    ]);
    expect(String(replies[0]?.bytes)).toContain(/branch=[^;\r]*/.exec(bye)?.[0]);
    expect(last()?.type).toBe("answered");
    client.abandon();
  });

  it.each<readonly [string, (bye: string) => string]>([
    ["no CSeq", (bye) => bye.replace(/CSeq: .*\r\n/, "")],
    ["a From that is no address", (bye) => bye.replace(/From: .*\r\n/, "From: <<<\r\n")],
  ])("is not answered where the answer would be as damaged: %s", async (_, damage) => {
    const { peer, clock, network } = open();
    const { last, client } = await answered(rigs.rig);
    network.dropWhere((text) => text.startsWith("BYE"));
    peer.ask(peer.request("INVITE"), "BYE");
    const bye = network.sent.at(-1)?.bytes.toString() ?? "";
    network.dropWhere(null);
    expect(damage(bye)).not.toBe(bye);
    peer.send(Buffer.from(damage(bye)), ours);
    await clock.advance(10);
    expect(statuses()).toEqual([]);
    expect(last()?.type).toBe("answered");
    client.abandon();
  });

  it("is not answered when it is an ACK, or when it names an unknown call", async () => {
    const { peer, clock, network } = open();
    const { client } = await answered(rigs.rig);
    const before = network.sent.filter(({ from }) => from.includes("10.0.0.1")).length;
    const { callId } = peer.request("INVITE").essentials;
    for (const [method, id] of [
      ["ACK", callId],
      ["BYE", "another"],
    ])
      peer.send(
        Buffer.from(
          `${method} sip:us@10.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bKx\r\nCall-ID: ${id}\r\n\r\n`,
        ),
        ours,
      );
    await clock.advance(10);
    expect(network.sent.filter(({ from }) => from.includes("10.0.0.1"))).toHaveLength(before);
    client.abandon();
  });
});

describe("an offer of the peer inside the call", () => {
  const ask = (sdp?: string, headers: readonly (readonly [string, string])[] = []) =>
    rigs.rig.peer.ask(rigs.rig.peer.request("INVITE"), "INVITE", sdp === undefined ? { headers } : { sdp, headers });

  it("is answered, and the answer repeated until it is acknowledged", async () => {
    const { peer, clock } = open();
    const offers: string[] = [];
    const media: MediaNegotiation = {
      ...ACCEPTING_MEDIA,
      answerOffer: (offer) => {
        offers.push(offer);
        return { sdp: "answer" };
      },
    };
    await answered(rigs.rig, { media });
    const invite = ask(THEIR_SDP);
    await clock.advance(600);
    expect(statuses()).toEqual([200, 200]);
    const [answer] = peer.responses();
    if (answer === undefined) throw new Error("no answer");
    expect(answer.body.toString()).toBe("answer");
    expect(offers).toEqual([THEIR_SDP]);
    peer.acknowledge(invite, answer);
    await clock.advance(60_000);
    expect(statuses()).toEqual([200, 200]);
  });

  it("that is empty gets our description, and the peer's comes with the ACK", async () => {
    const { peer, clock } = open();
    const taken: string[] = [];
    await answered(rigs.rig, { media: { ...ACCEPTING_MEDIA, acceptAnswer: (sdp) => taken.push(sdp) } });
    const invite = ask();
    await clock.advance(10);
    const answer = peer.responses()[0];
    if (answer === undefined) throw new Error("no answer");
    expect(answer.body.toString()).toBe(OUR_SDP);
    peer.acknowledge(invite, answer, THEIR_SDP);
    await clock.advance(10);
    expect(taken).toEqual([THEIR_SDP]);
  });

  it("that we cannot accept is refused and the call continues", async () => {
    const { clock } = open();
    const { last } = await answered(rigs.rig, { media: { ...ACCEPTING_MEDIA, answerOffer: () => ({ refuse: 488 }) } });
    ask(THEIR_SDP);
    await clock.advance(10);
    expect(statuses()).toEqual([488]);
    expect(last()?.type).toBe("answered");
  });

  it("ends the call when our answer is never acknowledged", async () => {
    const { peer, clock } = open();
    const { last } = await answered(rigs.rig);
    ask(THEIR_SDP);
    await clock.advance(32_010);
    expect(last()).toMatchObject({ type: "ended", by: "network" });
    expect(peer.requests("BYE").length).toBeGreaterThan(0);
  });

  it("that collides with our own is asked to wait", async () => {
    const { clock } = open();
    const { client } = await answered(rigs.rig);
    const result = client.offer(OUR_SDP);
    ask(THEIR_SDP);
    await clock.advance(10);
    expect(statuses()).toEqual([491]);
    rigs.rig.peer.reply(rigs.rig.peer.request("INVITE", 1), 200, { sdp: THEIR_SDP });
    await clock.advance(10);
    expect(await result).toMatchObject({ kind: "accepted", sdp: THEIR_SDP });
  });

  it("by UPDATE is answered immediately", async () => {
    const { peer, clock } = open();
    await answered(rigs.rig);
    peer.ask(peer.request("INVITE"), "UPDATE", { sdp: THEIR_SDP });
    peer.ask(peer.request("INVITE"), "UPDATE", {
      headers: [
        ["Session-Expires", "60"],
        ["Supported", "timer"],
      ],
    });
    await clock.advance(10);
    expect(statuses()).toEqual([200, 422]);
    expect(headerNumber(peer.responses()[1] ?? { headers: [] }, "Min-SE")).toBe(90);
  });
});

describe("our offer inside the call", () => {
  it("is acknowledged, also when its answer is repeated, and follows the peer where it moved", async () => {
    const { peer, clock } = open();
    const { client } = await answered(rigs.rig);
    const result = client.offer(OUR_SDP);
    await clock.advance(10);
    const moved = [["Contact", "<sip:moved@10.0.0.2:5060>"]] as const;
    for (let repeat = 0; repeat < 2; repeat += 1)
      peer.reply(peer.request("INVITE", 1), 200, { sdp: THEIR_SDP, headers: moved });
    await clock.advance(10);
    expect(await result).toMatchObject({ kind: "accepted" });
    expect(peer.requests("ACK").map((ack) => header(ack, "CSeq"))).toEqual(["1 ACK", "2 ACK", "2 ACK"]);
    expect(peer.request("ACK", 1).uri).toBe("sip:moved@10.0.0.2:5060");
  });

  it("is tried again after 2.1 to 4 s when the peer offered at the same time", async () => {
    const { peer, clock } = open();
    const { client } = await answered(rigs.rig);
    const result = client.offer(OUR_SDP);
    await clock.advance(10);
    peer.reply(peer.request("INVITE", 1), 491);
    await clock.advance(2_090);
    expect(peer.requests("INVITE")).toHaveLength(2);
    await clock.advance(2_000);
    peer.reply(peer.request("INVITE", 2), 488);
    await clock.advance(10);
    expect(await result).toEqual({ kind: "refused", status: 488 });
  });

  it("shows that the peer forgot the call", async () => {
    const { peer, clock } = open();
    const { client, last } = await answered(rigs.rig);
    const result = client.offer(OUR_SDP);
    await clock.advance(10);
    peer.reply(peer.request("INVITE", 1), 481);
    await clock.advance(10);
    expect(await result).toMatchObject({ kind: "gone" });
    expect(last()).toMatchObject({ type: "ended", by: "network", isConfirmed: true });
    expect(peer.requests("BYE")).toEqual([]);
  });
});

describe("the session timer", () => {
  const allowsUpdate = ["Allow", "INVITE, ACK, BYE, UPDATE"] as const;

  it("is refreshed by us with UPDATE where the peer knows it", async () => {
    const { peer, clock } = open();
    const { last } = await answered(rigs.rig, {}, [["Session-Expires", "180;refresher=uac"], allowsUpdate]);
    peer.on("UPDATE", (update) => peer.reply(update, 200, { headers: [["Session-Expires", "180;refresher=uac"]] }));
    await clock.advance(600_000);
    expect(peer.requests("UPDATE").length).toBe(6);
    expect(header(peer.request("UPDATE"), "Session-Expires")).toBe("180;refresher=uac");
    expect(last()?.type).toBe("answered");
  });

  it("is refreshed by INVITE with the same description where the peer does not", async () => {
    const { peer, clock } = open();
    await answered(rigs.rig, {}, [["Session-Expires", "100;refresher=uac"]]);
    peer.on("INVITE", (invite) =>
      peer.reply(invite, 200, { sdp: THEIR_SDP, headers: [["Session-Expires", "100;refresher=uac"]] }),
    );
    await clock.advance(50_100);
    expect(peer.requests("INVITE")).toHaveLength(2);
    expect(peer.request("INVITE", 1).body.toString()).toBe(OUR_SDP);
    expect(peer.requests("ACK")).toHaveLength(2);
  });

  it("falls back to INVITE when the peer refuses the UPDATE it allowed", async () => {
    const { peer, clock } = open();
    await answered(rigs.rig, {}, [["Session-Expires", "100;refresher=uac"], allowsUpdate]);
    peer.on("UPDATE", (update) => peer.reply(update, 501));
    await clock.advance(50_100);
    expect(peer.requests("INVITE")).toHaveLength(2);
  });

  it("ends the call when the peer that should refresh is gone", async () => {
    const { peer, clock } = open();
    const { last } = await answered(rigs.rig, {}, [["Session-Expires", "180;refresher=uas"]]);
    await clock.advance(147_000);
    expect(last()?.type).toBe("answered");
    await clock.advance(1_100);
    expect(last()).toMatchObject({ type: "ended", by: "network", reason: "the session timer ran out" });
    expect(peer.requests("BYE")).toHaveLength(1);
  });

  it("continues as long as the peer refreshes", async () => {
    const { peer, clock } = open();
    const { last } = await answered(rigs.rig, {}, [["Session-Expires", "180;refresher=uas"]]);
    for (let minute = 0; minute < 10; minute += 1) {
      await clock.advance(90_000);
      const headers = [
        ["Session-Expires", "180;refresher=uac"],
        ["Supported", "timer"],
      ] as const;
      peer.ask(peer.request("INVITE"), "UPDATE", { headers });
      await clock.advance(10);
    }
    expect(last()?.type).toBe("answered");
    const answer = peer.responses()[0];
    expect(answer && header(answer, "Session-Expires")).toBe("180;refresher=uac");
    expect(answer && header(answer, "Require")).toBe("timer");
  });

  it.each(["uas", "uac"])("is never shorter than 90 s, though the answer says 1 s and %s refreshes", async (who) => {
    const rig = open();
    const { last } = await answered(rig, {}, [["Session-Expires", `1;refresher=${who}`]]);
    await rig.clock.advance(40_000);
    expect(last()).toMatchObject({ type: "answered" });
    expect(rig.peer.requests("UPDATE").length + rig.peer.requests("INVITE").length).toBe(1);
  });

  it("detects a peer that vanished silently, even where it does not support timers", async () => {
    const { clock, peer } = open();
    const { last } = await answered(rigs.rig);
    await clock.advance(90_000 + 32_100);
    expect(last()).toMatchObject({ type: "ended", by: "network" });
    expect(peer.requests("BYE").length).toBeGreaterThan(0);
  });

  it("takes any refusal for a sign of life where no timer was agreed", async () => {
    const { peer, clock } = open();
    const { last } = await answered(rigs.rig);
    peer.on("INVITE", (invite) => peer.reply(invite, 500));
    await clock.advance(900_000);
    expect(last()?.type).toBe("answered");
  });

  it("takes the interval the peer can live with, at the start and later", async () => {
    const { peer, clock, place } = open({ trunk: { sessionExpiresS: 90 } });
    await place();
    peer.reply(peer.request("INVITE"), 422, { headers: [["Min-SE", "300"]] });
    await clock.advance(10);
    const second = peer.request("INVITE", 1);
    expect([header(second, "Session-Expires"), header(second, "Min-SE"), header(second, "CSeq")]).toEqual([
      "300",
      "300",
      "2 INVITE",
    ]);
    peer.reply(second, 200, { sdp: THEIR_SDP, headers: [["Session-Expires", "300;refresher=uac"], allowsUpdate] });
    peer.on("UPDATE", (update) => {
      if (headerNumber(update, "Session-Expires") === 300) peer.reply(update, 422, { headers: [["Min-SE", "600"]] });
      else peer.reply(update, 200, { headers: [["Session-Expires", "600;refresher=uac"]] });
    });
    await clock.advance(151_000);
    expect(peer.requests("UPDATE").map((update) => headerNumber(update, "Session-Expires"))).toEqual([300, 600]);
  });
});

describe("other requests inside the call", () => {
  it("are answered each in its way", async () => {
    const { peer, clock } = open();
    const { events } = await answered(rigs.rig);
    const invite = peer.request("INVITE");
    peer.ask(invite, "INFO", { headers: [["Content-Type", "application/dtmf-relay"]] });
    peer.ask(invite, "OPTIONS");
    peer.ask(invite, "MESSAGE");
    peer.ask(invite, "DANCE");
    peer.ask(invite, "REFER", { headers: [["Refer-To", "<sip:x@y>"]] });
    peer.ask(invite, "NOTIFY", { headers: [["Event", "presence"]] });
    peer.ask(invite, "PRACK");
    peer.ask(invite, "INFO", { headers: [["Require", "teleport, timer"]] });
    peer.ask(invite, "CANCEL");
    await clock.advance(10);
    expect(statuses()).toEqual([200, 200, 405, 501, 603, 489, 481, 420, 200]);
    expect(header(peer.responses()[7] ?? { headers: [] }, "Unsupported")).toBe("teleport");
    expect(events.at(-1)).toMatchObject({ type: "info", contentType: "application/dtmf-relay" });
  });

  it("of a stranger who knows the Call-ID but not the tags are rejected", async () => {
    const { peer, clock } = open();
    const { last } = await answered(rigs.rig);
    peer.ask(peer.request("INVITE"), "BYE", { toTag: "guess" });
    await clock.advance(10);
    expect(statuses()).toEqual([481]);
    expect(last()?.type).toBe("answered");
  });

  it("that are older than one before are refused", async () => {
    const { peer, clock, network } = open();
    await answered(rigs.rig);
    peer.ask(peer.request("INVITE"), "INFO");
    peer.ask(peer.request("INVITE"), "INFO");
    await clock.advance(10);
    const first = network.sent.find(({ bytes }) => bytes.toString().startsWith("INFO"))?.bytes.toString() ?? "";
    const replayed = Buffer.from(first.replace(/branch=[^;]*/, "branch=z9hG4bKnew"));
    peer.send(replayed, { transport: "udp", address: "10.0.0.1", port: 5060 });
    await clock.advance(10);
    expect(statuses()).toEqual([200, 200, 500]);
  });
});

describe("a transfer", () => {
  it("is followed to its end", async () => {
    const { peer, clock } = open();
    const { client, events } = await answered(rigs.rig);
    client.refer("sip:+15550002@10.0.0.2");
    await clock.advance(5);
    peer.reply(peer.request("REFER"), 202);
    for (const [status, state] of [
      ["SIP/2.0 100 Trying", "active;expires=60"],
      ["SIP/2.0 200 OK", "terminated;reason=noresource"],
    ] as const) {
      const headers = [
        ["Event", "refer;id=2"],
        ["Subscription-State", state],
        ["Content-Type", "message/sipfrag;version=2.0"],
      ] as const;
      askWithBody("NOTIFY", headers, status);
    }
    await clock.advance(10);
    expect(header(peer.request("REFER"), "Refer-To")).toBe("<sip:+15550002@10.0.0.2>");
    expect(events.filter(({ type }) => type === "transfer")).toEqual([
      { type: "transfer", status: 100, reason: "Trying", isFinal: false, isReported: true },
      { type: "transfer", status: 200, reason: "OK", isFinal: true, isReported: true },
    ]);
    expect(statuses()).toEqual([200, 200]);
  });

  it("that is refused, or never reported again, is over", async () => {
    const { peer, clock } = open({ trunk: { sessionExpiresS: null } });
    const { client, last } = await answered(rigs.rig);
    client.refer("sip:x@y");
    await clock.advance(5);
    peer.reply(peer.request("REFER"), 603, { reason: "Decline" });
    await clock.advance(5);
    expect(last()).toEqual({ type: "transfer", status: 603, reason: "Decline", isFinal: true, isReported: true });
    client.refer("sip:x@y");
    client.refer("sip:x@y");
    await clock.advance(5);
    expect(last()).toMatchObject({ status: 491, isFinal: true });
    peer.reply(peer.request("REFER", 1), 202);
    await clock.advance(180_000);
    expect(last()).toMatchObject({ type: "transfer", status: 408, isFinal: true, isReported: false });
  });

  function askWithBody(method: string, headers: readonly (readonly [string, string])[], body: string): void {
    rigs.rig.peer.ask(rigs.rig.peer.request("INVITE"), method, { headers, sdp: body });
  }
});
