import { setTimeout } from "node:timers/promises";
import { describe, expect } from "vitest";
import { hearClearly } from "./audio/hear-clearly.ts";
import { CALLER_PHRASE, WE_SAY } from "./audio/phrases.ts";
import { lineTest as test } from "./line-test.ts";
import {
  answers,
  confirmsByeLate,
  forks,
  hangsUpAfter,
  neverConfirmsBye,
  repeatsAnswer,
  soundsEarly,
} from "./peers/answering-callees.ts";
import { wantsPassword401, wantsPassword407 } from "./peers/distrustful-callees.ts";
import { answersUnusably, refuses } from "./peers/refusing-callees.ts";
import { AUDIO, faxSdp } from "./peers/sipp-sdp.ts";
import type { PlacedLeg } from "./placed-leg.ts";

const CREDENTIALS = { username: "alice", password: "s3cret" };

/** The callees echo our audio, so that returning packets show that it flows both ways. */
async function untilAudioFlows({ leg }: PlacedLeg): Promise<void> {
  while (((await leg.statistics())?.packetsReceived ?? 0) < 10) await setTimeout(20);
}

describe.concurrent("trunks of IPv4 and IPv6 side by side", () => {
  test("carry calls at the same time, each with addresses of its own family", async ({ dualLine: line, peers }) => {
    const [four, six] = [await peers.sipp(answers()), await peers.sipp(answers(), { host: "::1" })];
    line.addTrunk(four.port, {}, "1");
    line.addTrunk(six.port, { sip: { host: "::1" } }, "49");
    const [byFour, bySix] = [await line.place({ to: "+15550001" }), await line.place({ to: "+4930123" })];
    await Promise.all([byFour.until("answered"), bySix.until("answered")]);
    await Promise.all([untilAudioFlows(byFour), untilAudioFlows(bySix)]);
    const invites = line.messages.map(String).filter((text) => text.startsWith("INVITE"));
    const toSix = invites.find((text) => text.includes("+4930123")) ?? "";
    expect(toSix).toMatch(/^Via: SIP\/2\.0\/UDP \[::1\]:\d+;/m);
    expect(toSix).toMatch(/^Contact: <sip:[^>]*@\[::1\]:\d+>/m);
    expect(toSix).toContain("c=IN IP6 ::1\r\n");
    expect(invites.find((text) => text.includes("+15550001"))).toContain("c=IN IP4 127.0.0.1\r\n");
    await Promise.all([byFour.leg.hangup(), bySix.leg.hangup()]);
    expect([await four.finished, await six.finished]).toMatchObject([{ code: 0 }, { code: 0 }]);
  });

  test("replace each other within one call", async ({ dualLine: line, peers }) => {
    const [four, six] = [
      await peers.sipp(refuses(503, "Service Unavailable")),
      await peers.sipp(answers(), { host: "::1" }),
    ];
    line.addTrunk(four.port);
    line.addTrunk(six.port, { sip: { host: "::1" } });
    const placed = await line.place();
    await placed.until("answered");
    await untilAudioFlows(placed);
    await placed.leg.hangup();
    expect(placed.journal.ends).toMatchObject([{ code: 503 }, { cause: "hangup" }]);
    expect(await six.finished).toMatchObject({ code: 0 });
  });

  test("are distinguished if the machine has only one of them", async ({ line }) => {
    const trunk = line.addTrunk(5060, { sip: { host: "2001:db8::1" } });
    const placed = await line.place();
    expect(await placed.ended()).toMatchObject({ cause: "unavailable", code: null, by: "network" });
    expect(placed.journal.attempts).toEqual([]);
    expect(line.carrier.health(trunk.id).trouble).toContain("2001:db8::1");
  });
});

describe.concurrent("a callee that answers", () => {
  test.for(["udp", "tcp"] as const)(
    "over %s hears us and is heard, until we hang up",
    async (transport, { line, peers }) => {
      const callee = await peers.sipp(answers(), { transport });
      line.addTrunk(callee.port, { sip: { transport } });
      const placed = await line.place();
      await placed.until("answered");
      expect(placed.journal.answers).toMatchObject([{ dialId: placed.dialId, trunkId: "trunk-1" }]);
      placed.audio.say(WE_SAY);
      expect(await hearClearly(placed.audio, CALLER_PHRASE)).toBeGreaterThan(0.99);
      const statistics = await placed.leg.statistics();
      expect(statistics?.packetsReceived).toBeGreaterThan(50);
      expect(statistics?.packetsLost).toBe(0);
      await placed.leg.hangup();
      expect(await placed.ended()).toMatchObject({ cause: "hangup", code: null, by: "us" });
      expect(placed.events.map(({ type }) => type)).toEqual(["ringing", "answered", "ended"]);
      expect(await callee.finished).toMatchObject({ code: 0 });
    },
  );

  test("may hang up", async ({ line, peers }) => {
    const callee = await peers.sipp(hangsUpAfter(300));
    line.addTrunk(callee.port);
    const placed = await line.place();
    expect(await placed.ended()).toMatchObject({ cause: "hangup", code: null, by: "callee" });
    expect(placed.events.map(({ type }) => type)).toEqual(["ringing", "answered", "ended"]);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("may repeat its answer, and is acknowledged twice and answered once", async ({ line, peers }) => {
    const callee = await peers.sipp(repeatsAnswer());
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    await line.traced("> ACK", 2);
    await placed.leg.hangup();
    expect(placed.events.filter(({ type }) => type === "answered")).toHaveLength(1);
    expect(placed.journal.answers).toHaveLength(1);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("may be two phones, and the second is hung up on", async ({ line, peers }) => {
    const callee = await peers.sipp(forks());
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    await line.traced("> BYE", 1);
    placed.audio.say(WE_SAY);
    expect(await hearClearly(placed.audio, CALLER_PHRASE)).toBeGreaterThan(0.99);
    await placed.leg.hangup();
    expect(placed.events.filter(({ type }) => type === "answered")).toHaveLength(1);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("may be slow to confirm that it is over", async ({ line, peers }) => {
    const callee = await peers.sipp(confirmsByeLate(1_200));
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "us" });
    expect(line.trace.filter((each) => each === "> BYE").length).toBeGreaterThanOrEqual(2);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("may vanish without a confirmation, and the leg still ends", async ({ hurriedLine: line, peers }) => {
    const callee = await peers.sipp(neverConfirmsBye());
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({
      cause: "lost",
      by: "network",
      reason: expect.stringContaining("did not confirm"),
    });
    expect(await callee.finished).toMatchObject({ code: 0 });
  });
});

describe.concurrent("an answer that allows no audio", () => {
  test.for([
    ["describes nothing", null],
    ["offers a codec that we do not have", AUDIO.replace("RTP/AVP 0 101", "RTP/AVP 18 101")],
    ["refuses our audio", AUDIO.replace("[media_port]", "0")],
    ["is no description at all", "<html>hello</html>"],
    ["describes a picture", faxSdp(1)],
  ] as const)("%s: the callee is hung up on, and the call says why", async ([, sdp], { line, peers }) => {
    const callee = await peers.sipp(answersUnusably(sdp));
    line.addTrunk(callee.port);
    const placed = await line.place();
    expect(await placed.ended()).toMatchObject({
      cause: "rejected",
      code: null,
      reason: expect.stringMatching(/\w/),
      sentence: "The phone was answered, but in an audio format that we cannot use.",
    });
    expect(placed.events.map(({ type }) => type)).toEqual(["ringing", "ended"]);
    expect(line.refusals).toMatchObject([{ what: "bad_media", detail: expect.stringMatching(/\w/) }]);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });
});

describe.concurrent("a carrier that requires a password", () => {
  test.for([
    ["s3cret", "is satisfied with the right one"],
    ["wrong", "refuses the wrong one"],
  ] as const)("(%s, after a 401) %s", async ([password], { line, peers }) => {
    const callee = await peers.sipp(wantsPassword401("alice", "s3cret"));
    line.addTrunk(callee.port, { sip: { credentials: { ...CREDENTIALS, password } } });
    const placed = await line.place();
    if (password === "s3cret") {
      await placed.until("answered");
      await placed.leg.hangup();
      expect(placed.journal.attempts).toHaveLength(1);
    } else {
      expect(await placed.ended()).toMatchObject({
        cause: "rejected",
        code: 403,
        sentence: "The carrier refused the call.",
      });
      expect(placed.events.map(({ type }) => type)).toEqual(["ended"]);
    }
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test.for([
    ["s3cret", "is satisfied with the right one"],
    ["wrong", "refuses the wrong one"],
  ] as const)("(%s, after a 407) %s", async ([password], { line, peers }) => {
    const uri = "sip:+15550001@trunk.test;user=phone";
    const callee = await peers.sipp(wantsPassword407("alice", "s3cret", uri));
    line.addTrunk(callee.port, {
      sip: {
        host: "trunk.test",
        port: null,
        outboundProxy: `sip:127.0.0.1:${callee.port}`,
        credentials: { ...CREDENTIALS, password },
      },
    });
    const placed = await line.place();
    if (password === "s3cret") {
      await placed.until("answered");
      await placed.leg.hangup();
    } else {
      expect(await placed.ended()).toMatchObject({
        cause: "rejected",
        code: 407,
        sentence: "The carrier did not accept our credentials.",
      });
    }
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("gets none if we have none", async ({ line, peers }) => {
    const challenge = 'WWW-Authenticate: Digest realm="trunk.test", nonce="1", qop="auth", algorithm=MD5';
    const callee = await peers.sipp(refuses(401, "Unauthorized", [challenge]));
    line.addTrunk(callee.port);
    const placed = await line.place();
    expect(await placed.ended()).toMatchObject({ cause: "rejected", code: 401 });
    expect(line.trace.filter((each) => each === "> INVITE")).toHaveLength(1);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });
});

describe.concurrent("audio before the answer", () => {
  test.for([
    [false, "as it comes"],
    [true, "acknowledged by PRACK"],
  ] as const)("is heard, reliable: %s, %s", async ([isReliable], { line, peers }) => {
    const callee = await peers.sipp(soundsEarly({ isReliable, earlyMs: 5_000 }));
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("early_media");
    placed.audio.say(WE_SAY);
    expect(await hearClearly(placed.audio, CALLER_PHRASE, { phrasesMin: 1 })).toBeGreaterThan(0.99);
    expect(placed.events.map(({ type }) => type)).not.toContain("answered");
    await placed.until("answered");
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "us" });
    expect(await callee.finished).toMatchObject({ code: 0 });
  });
});
