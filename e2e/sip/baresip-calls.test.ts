import { describe, expect } from "vitest";
import { hearClearly } from "./audio/hear-clearly.ts";
import { likeness } from "./audio/likeness.ts";
import { CALLEE_PHRASE, CALLEE_SAYS, CALLER_PHRASE } from "./audio/phrases.ts";
import { talkBothWays } from "./audio/talk-both-ways.ts";
import { lineTest as test } from "./line-test.ts";

const WAYS = (["udp", "tcp", "tls"] as const).flatMap((transport) =>
  (["off", "required"] as const).map((srtp) => ({ transport, srtp })),
);

describe.concurrent("a third-party telephone", () => {
  test("that dies in the middle of a call is noticed, and the leg ends", async ({ hurriedLine: line, peers }) => {
    const callee = await peers.baresip({ says: CALLEE_SAYS });
    // With a hurried clock the session timer would notice first.
    line.addTrunk(callee.port, { sip: { sessionExpiresS: null } });
    const placed = await line.place();
    await placed.until("answered");
    await callee.kill();
    await placed.until("audio_missing");
    expect(await placed.ended()).toMatchObject({
      cause: "media_timeout",
      by: "network",
      sentence: "No more audio arrived from the phone.",
    });
  });

  test.for(WAYS)("hears us and is heard over $transport, SRTP $srtp", async ({ transport, srtp }, { line, peers }) => {
    const encryption = srtp === "required" ? "srtp-mand" : null;
    const callee = await peers.baresip({ transport, encryption, says: CALLEE_SAYS });
    line.addTrunk(callee.port, { srtp, sip: { transport } });
    const placed = await talkBothWays(line, callee);
    // A check that cannot fail is useless: no one hears what was not said to them.
    expect(likeness(CALLER_PHRASE, placed.audio.heard())).toBeLessThan(0.3);
    expect((await placed.leg.statistics())?.packetsLost).toBe(0);
  });

  test.for(["tcp", "tls"] as const)(
    "hangs up over %s, and we learn of it over the connection that we opened, without a certificate of our own",
    async (transport, { uncertifiedLine: line, peers }) => {
      const callee = await peers.baresip({ transport, says: CALLEE_SAYS });
      line.addTrunk(callee.port, { sip: { transport } });
      const placed = await line.place();
      await placed.until("answered");
      await callee.tells("CALL_ESTABLISHED", 1);
      await callee.command("hangup");
      expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "callee" });
      expect(line.carrier.listening.tls).toBe(0);
      const contact = /^Contact: <sip:\S+@127\.0\.0\.1:(\d+);transport=(tcp|tls);ob>\r$/m;
      const [, port, how] = contact.exec(line.messages[0]?.toString() ?? "") ?? [];
      expect(how).toBe(transport);
      expect(Number(port)).not.toBe(line.carrier.listening.tcp);
    },
  );

  test("that supports optional encryption gets it if we offer it", async ({ line, peers }) => {
    const callee = await peers.baresip({ encryption: "srtp", says: CALLEE_SAYS });
    line.addTrunk(callee.port, { srtp: "optional" });
    const placed = await line.place();
    await placed.until("answered");
    const clearest = await hearClearly(placed.audio, CALLEE_PHRASE);
    await placed.leg.hangup();
    expect(clearest).toBeGreaterThan(0.99);
  });

  test("that insists on encryption refuses us if we offer none", async ({ line, peers }) => {
    const callee = await peers.baresip({ encryption: "srtp-mand", says: CALLEE_SAYS });
    line.addTrunk(callee.port, { srtp: "off" });
    const placed = await line.place();
    expect(await placed.ended()).toMatchObject({ cause: "rejected", code: 488 });
  });

  test("with an untrusted certificate is not called", async ({ distrustfulLine: line, peers }) => {
    const callee = await peers.baresip({ transport: "tls", says: CALLEE_SAYS });
    line.addTrunk(callee.port, { sip: { transport: "tls" } });
    const placed = await line.place();
    expect(await placed.ended()).toMatchObject({
      cause: "unavailable",
      by: "network",
      reason: expect.stringMatching(/certificate/i),
    });
    expect(callee.events.map(({ type }) => type)).toEqual([]);
  });

  test("with A-law only is spoken to in A-law", async ({ line, peers }) => {
    const callee = await peers.baresip({ codecs: ["PCMA"], says: CALLEE_SAYS });
    line.addTrunk(callee.port, { codecs: ["PCMU", "PCMA"] });
    await talkBothWays(line, callee);
  });

  test("sees the keys that we press, and we see its", async ({ line, peers }) => {
    const callee = await peers.baresip({ says: CALLEE_SAYS });
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    placed.leg.sendDtmf("12#");
    await callee.tells("CALL_DTMF_END", 3);
    const pressed = callee.events.filter(({ type }) => type === "CALL_DTMF_START").map(({ param }) => param);
    expect(pressed).toEqual(["1", "2", "#"]);
    await callee.command("sndcode", "9*0");
    await placed.untilCount(3, ({ type }) => type === "dtmf");
    expect(placed.events.flatMap((event) => (event.type === "dtmf" ? [event.key] : []))).toEqual(["9", "*", "0"]);
    await placed.leg.hangup();
  });

  test("rings until it is answered, may put us on hold, and may hang up", async ({ line, peers }) => {
    const callee = await peers.baresip({ answers: "manual", says: CALLEE_SAYS });
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("ringing");
    await callee.command("accept");
    await placed.until("answered");
    await callee.command("hold");
    await line.traced("< ACK", 1);
    await callee.command("resume");
    await line.traced("< ACK", 2);
    // Its own recording ends with the first hold, so that only our side can tell what comes after it.
    expect(await hearClearly(placed.audio, CALLEE_PHRASE)).toBeGreaterThan(0.99);
    await callee.command("hangup");
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "callee" });
    expect(placed.events.map(({ type }) => type)).toEqual(["ringing", "answered", "ended"]);
  });
});
