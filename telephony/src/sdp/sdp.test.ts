import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerReOffer, type LocalMedia, makeOffer, takeAnswer } from "./offer-answer.ts";
import { parseSdp, writeSdp } from "./sdp-text.ts";
import { isOnHold, type SessionDescription } from "./session-description.ts";

const KEY_A = Buffer.alloc(30, 1).toString("base64");
const KEY_B = Buffer.alloc(30, 2).toString("base64");
const LOCAL: LocalMedia = {
  address: "203.0.113.1",
  port: 40_000,
  originId: "77",
  codecs: ["PCMU", "PCMA"],
  srtp: "off",
  srtpKeys: [],
};
const SECURE: LocalMedia = { ...LOCAL, srtp: "required", srtpKeys: [KEY_A, KEY_B] };

function sdp(...lines: string[]): string {
  return [
    "v=0",
    "o=gw 99999999999999999999 3 IN IP4 192.0.2.5",
    "s=-",
    "c=IN IP4 192.0.2.5",
    "t=0 0",
    ...lines,
    "",
  ].join("\r\n");
}

function parsed(text: string): SessionDescription {
  const outcome = parseSdp(text);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.description;
}

function audioOf(text: string) {
  const media = parsed(text).media[0];
  if (media === undefined) throw new Error("no media");
  return media;
}

describe("our offer", () => {
  it("names both codecs, key presses, 20 ms, and is short", () => {
    expect(writeSdp(makeOffer(LOCAL))).toBe(
      [
        "v=0",
        "o=- 77 1 IN IP4 203.0.113.1",
        "s=-",
        "c=IN IP4 203.0.113.1",
        "t=0 0",
        "m=audio 40000 RTP/AVP 0 8 101",
        "a=rtpmap:101 telephone-event/8000",
        "a=fmtp:101 0-15",
        "a=ptime:20",
        "a=sendrecv",
        "",
      ].join("\r\n"),
    );
  });

  it("is read back as it was", () => {
    for (const local of [LOCAL, SECURE, { ...LOCAL, address: "2001:db8::1" }]) {
      const offer = makeOffer(local, 5, "sendonly");
      expect(parsed(writeSdp(offer))).toEqual(offer);
    }
  });

  it("demands encryption only where it is required", () => {
    expect(writeSdp(makeOffer(SECURE))).toContain(`m=audio 40000 RTP/SAVP 0 8 101`);
    expect(writeSdp(makeOffer(SECURE))).toContain(`a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY_A}`);
    expect(writeSdp(makeOffer({ ...SECURE, srtp: "optional" }))).toContain("RTP/AVP");
  });
});

describe("reading a description", () => {
  it("passes over what browsers add", () => {
    const audio = audioOf(
      sdp(
        "a=ice-lite",
        "m=audio 5004 UDP/TLS/RTP/SAVPF 111 0",
        "a=rtpmap:111 opus/48000/2",
        "a=fmtp:111 useinbandfec=1",
        "a=ice-ufrag:abcd",
        "a=candidate:1 1 UDP 2130706431 10.0.1.1 8998 typ host",
        "a=fingerprint:sha-256 AA:BB",
        "a=rtcp:5006 IN IP4 192.0.2.9",
        "a=rtcp-mux",
      ),
    );
    expect(audio.codecs).toMatchObject([
      { name: "opus", clockRateHz: 48_000, channels: 2, parameters: "useinbandfec=1" },
      { name: "PCMU" },
    ]);
    expect(audio).toMatchObject({ rtcp: { port: 5_006, address: "192.0.2.9" }, rtcpMux: true });
  });

  it.each([
    ["a=sendonly", true],
    ["a=inactive", true],
    ["a=recvonly", false],
    ["a=sendrecv", false],
    ["c=IN IP4 0.0.0.0", true],
  ])("knows hold by %s", (line, held) => {
    expect(isOnHold(audioOf(sdp("m=audio 5004 RTP/AVP 0", line)))).toBe(held);
  });

  it("takes the direction and packet length of the session where the medium says none", () => {
    const text = sdp("a=sendonly", "a=ptime:30", "m=audio 5004 RTP/AVP 0", "m=audio 5006 RTP/AVP 0", "a=recvonly");
    expect(parsed(text).media).toMatchObject([
      { direction: "sendonly", ptimeMs: 30 },
      { direction: "recvonly", ptimeMs: 30 },
    ]);
  });

  it.each([
    ["", /v=0/],
    ["v=1\r\n", /v=0/],
    ["v=0\r\ns=-\r\n", /origin/],
    [sdp("m=audio"), /m=/],
    [sdp("m=audio 70000 RTP/AVP 0"), /m=/],
    [sdp("nonsense"), /form/],
    [sdp(...Array<string>(600).fill("a=x")), /lines/],
    [sdp(...Array<string>(20).fill("m=audio 0 RTP/AVP 0")), /media/],
    [`${sdp()}a=${"x".repeat(70_000)}`, /64 KiB/],
  ])("refuses %#", (text, reason) => {
    expect(parseSdp(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  it("returns a value for any text, and writes back what it parsed", () => {
    const good = [
      sdp("m=audio 5004 RTP/AVP 0 8 101", "a=rtpmap:101 telephone-event/8000", "a=ptime:20", "a=sendrecv"),
      writeSdp(makeOffer(SECURE)),
    ];
    const edit = fc.record({ at: fc.nat(400), length: fc.nat(10), put: fc.string({ maxLength: 6 }) });
    fc.assert(
      fc.property(fc.constantFrom(...good), fc.array(edit, { maxLength: 4 }), (text, edits) => {
        let mutated = text;
        for (const { at, length, put } of edits) mutated = mutated.slice(0, at) + put + mutated.slice(at + length);
        const outcome = parseSdp(mutated);
        if (outcome.ok) expect(parseSdp(writeSdp(outcome.description)).ok).toBe(true);
        for (const local of [LOCAL, SECURE]) {
          if (!outcome.ok) continue;
          takeAnswer(makeOffer(local), local, outcome.description);
          const answered = answerReOffer(local, 1, outcome.description);
          if (answered.ok) expect(answered.answer.media).toHaveLength(outcome.description.media.length);
        }
      }),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.string(), (text) => typeof parseSdp(text).ok === "boolean"));
  });
});

describe("the peer's answer", () => {
  const take = (text: string, local = LOCAL) => takeAnswer(makeOffer(local), local, parsed(text));

  it("decides codec, key presses, address and packet length", () => {
    const text = sdp("m=audio 5004 RTP/AVP 8 96", "a=rtpmap:96 telephone-event/8000", "a=ptime:30", "a=rtcp:5010");
    expect(take(text)).toEqual({
      ok: true,
      terms: {
        remote: { address: "192.0.2.5", port: 5_004 },
        remoteRtcp: { address: "192.0.2.5", port: 5_010 },
        codec: expect.objectContaining({ name: "PCMA", payloadType: 8 }),
        telephoneEvent: expect.objectContaining({ payloadType: 96 }),
        ptimeMs: 30,
        sends: true,
        receives: true,
        rtcpMux: false,
        srtp: null,
      },
    });
  });

  it.each([
    [10, 10],
    [40, 40],
    [60, 20],
    [25, 20],
    [0, 20],
  ])("may request packets of %i ms and gets %i", (asked, given) => {
    expect(take(sdp("m=audio 5004 RTP/AVP 0", `a=ptime:${asked}`))).toMatchObject({ terms: { ptimeMs: given } });
  });

  it("may lack key presses", () => {
    expect(take(sdp("m=audio 5004 RTP/AVP 0"))).toMatchObject({ ok: true, terms: { telephoneEvent: null } });
  });

  it.each([
    ["a=sendonly", false, true],
    ["a=recvonly", true, false],
    ["a=inactive", false, false],
    ["c=IN IP4 0.0.0.0", false, true],
  ])("with %s decides who speaks", (line, sends, receives) => {
    expect(take(sdp("m=audio 5004 RTP/AVP 0", line))).toMatchObject({ ok: true, terms: { sends, receives } });
  });

  it.each([
    ["refuses the audio", sdp("m=audio 0 RTP/AVP 0")],
    ["has no medium", sdp()],
    ["takes a codec nobody offered", sdp("m=audio 5004 RTP/AVP 18")],
    ["is encrypted without a key", sdp("m=audio 5004 RTP/SAVP 0")],
  ])("cannot be accepted when it %s", (_, text) => {
    expect(take(text).ok).toBe(false);
  });

  it("brings the key of the peer where encryption was agreed", () => {
    const crypto = (tag: number, suite: string, key = KEY_B) => `a=crypto:${tag} ${suite} inline:${key}|2^20`;
    const secure = (line: string) => take(sdp("m=audio 5004 RTP/SAVP 0", line), SECURE);
    expect(secure(crypto(1, "AES_CM_128_HMAC_SHA1_80"))).toMatchObject({
      ok: true,
      terms: { srtp: { suite: "AES_CM_128_HMAC_SHA1_80", ownKey: KEY_A, peerKey: KEY_B } },
    });
    expect(secure(crypto(2, "AES_CM_128_HMAC_SHA1_32"))).toMatchObject({ terms: { srtp: { ownKey: KEY_B } } });
    expect(secure(crypto(2, "AES_CM_128_HMAC_SHA1_80")).ok).toBe(false);
    expect(secure(crypto(1, "AES_CM_128_HMAC_SHA1_80", "c2hvcnQ=")).ok).toBe(false);
    expect(secure("a=sendrecv").ok).toBe(false);
    const optional = { ...SECURE, srtp: "optional" } as const;
    expect(take(sdp("m=audio 5004 RTP/AVP 0"), optional)).toMatchObject({ ok: true, terms: { srtp: null } });
    expect(take(sdp("m=audio 5004 RTP/AVP 0", crypto(1, "AES_CM_128_HMAC_SHA1_80")), optional)).toMatchObject({
      terms: { srtp: { peerKey: KEY_B } },
    });
  });
});

describe("an offer of the peer inside the call", () => {
  const answer = (text: string, local = LOCAL) => answerReOffer(local, 4, parsed(text));

  it("for hold is answered with the counterpart, the next version and the same codec order", () => {
    const outcome = answer(sdp("m=audio 5004 RTP/AVP 8 0 96", "a=rtpmap:96 telephone-event/8000", "a=sendonly"));
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(writeSdp(outcome.answer).split("\r\n")).toEqual(
      expect.arrayContaining(["o=- 77 5 IN IP4 203.0.113.1", "m=audio 40000 RTP/AVP 8 0 96", "a=recvonly"]),
    );
    expect(outcome.terms).toMatchObject({ sends: false, receives: true, codec: { name: "PCMA" } });
  });

  it("for old-style hold is answered as a continuing call, but nothing is sent", () => {
    const outcome = answer(sdp("m=audio 5004 RTP/AVP 0", "c=IN IP4 0.0.0.0"));
    expect(outcome).toMatchObject({ ok: true, terms: { remote: null, sends: false, receives: true } });
  });

  it("for another address and codec moves the call there", () => {
    const outcome = answer(sdp("m=audio 6000 RTP/AVP 18 8", "c=IN IP4 198.51.100.9"));
    expect(outcome).toMatchObject({
      ok: true,
      terms: { remote: { address: "198.51.100.9", port: 6_000 }, codec: { name: "PCMA" } },
    });
    if (outcome.ok) expect(outcome.answer.media[0]?.formats).toEqual(["8"]);
  });

  it("with other media beside audio rejects those and keeps their order", () => {
    const outcome = answer(sdp("m=video 7000 RTP/AVP 96", "m=audio 6000 RTP/AVP 0", "m=image 6002 udptl t38"));
    if (!outcome.ok) throw new Error(outcome.reason);
    const lines = writeSdp(outcome.answer)
      .split("\r\n")
      .filter((line) => line.startsWith("m="));
    expect(lines).toEqual(["m=video 0 RTP/AVP 96", "m=audio 40000 RTP/AVP 0", "m=image 0 udptl t38"]);
  });

  it.each([
    ["fax", sdp("m=image 6000 udptl t38"), LOCAL, /T\.38/],
    ["no audio", sdp("m=audio 0 RTP/AVP 0"), LOCAL, /no audio/],
    ["no codec of ours", sdp("m=audio 6000 RTP/AVP 18"), LOCAL, /codec/],
    ["plain audio where encryption is required", sdp("m=audio 6000 RTP/AVP 0"), SECURE, /required/],
    [
      "encryption we do not want",
      sdp("m=audio 6000 RTP/SAVP 0", `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY_B}`),
      LOCAL,
      /not supported/,
    ],
  ])("for %s is refused with a reason", (_, text, local, reason) => {
    expect(answer(text, local)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  it("with encryption is answered with our own key under the peer's tag", () => {
    const outcome = answer(
      sdp(
        "m=audio 6000 RTP/SAVP 0",
        "a=crypto:4 F8_128_HMAC_SHA1_80 inline:AAAA",
        `a=crypto:7 AES_CM_128_HMAC_SHA1_32 inline:${KEY_A}`,
      ),
      SECURE,
    );
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(writeSdp(outcome.answer)).toContain(`a=crypto:7 AES_CM_128_HMAC_SHA1_32 inline:${KEY_B}`);
    expect(outcome.terms.srtp).toEqual({ suite: "AES_CM_128_HMAC_SHA1_32", ownKey: KEY_B, peerKey: KEY_A });
  });
});

describe("G.722", () => {
  const local: LocalMedia = { ...LOCAL, codecs: ["G722", "PCMA"] };

  it("is offered under its permanent number, with the clock rate of 8,000 that RFC 3551 section 4.5.2 keeps", () => {
    expect(writeSdp(makeOffer(local))).toContain("m=audio 40000 RTP/AVP 9 8 101\r\na=rtpmap:101 telephone-event/8000");
  });

  it("is used when the answer names it, with or without its rtpmap, and not when it was not offered", () => {
    for (const lines of [["m=audio 5000 RTP/AVP 9"], ["m=audio 5000 RTP/AVP 9", "a=rtpmap:9 G722/8000"]]) {
      const answer = parsed(sdp(...lines));
      expect(takeAnswer(makeOffer(local), local, answer)).toMatchObject({
        ok: true,
        terms: { codec: { name: "G722" } },
      });
      expect(takeAnswer(makeOffer(LOCAL), LOCAL, answer)).toMatchObject({ ok: false });
    }
  });

  it("may be changed to and from inside the call", () => {
    const offer = parsed(sdp("m=audio 5000 RTP/AVP 0 9 101", "a=rtpmap:101 telephone-event/8000"));
    expect(answerReOffer(local, 1, offer)).toMatchObject({
      ok: true,
      answer: { media: [{ formats: ["9", "101"] }] },
      terms: { codec: { name: "G722", payloadType: 9 } },
    });
  });
});

describe("Opus", () => {
  const local: LocalMedia = { ...LOCAL, codecs: ["OPUS", "PCMU"] };

  it("is offered with two channels, its clock, what we can hear, and telephone events at either rate", () => {
    const lines = writeSdp(makeOffer(local)).split("\r\n");
    expect(lines).toContain("m=audio 40000 RTP/AVP 96 0 101 97");
    expect(lines).toContain("a=rtpmap:96 opus/48000/2");
    expect(lines).toContain("a=fmtp:96 maxplaybackrate=8000;sprop-maxcapturerate=8000;useinbandfec=1");
    expect(lines).toContain("a=rtpmap:97 telephone-event/48000");
  });

  it("is used under the number of the answer, with the telephone events of its clock", () => {
    const events = ["a=rtpmap:101 telephone-event/8000", "a=rtpmap:97 telephone-event/48000"];
    const answer = parsed(sdp("m=audio 5000 RTP/AVP 96 101 97", "a=rtpmap:96 OPUS/48000/2", ...events));
    expect(takeAnswer(makeOffer(local), local, answer)).toMatchObject({
      ok: true,
      terms: { codec: { payloadType: 96 }, telephoneEvent: { payloadType: 97, clockRateHz: 48_000 } },
    });
    const narrow = parsed(sdp("m=audio 5000 RTP/AVP 0 101 97", ...events));
    expect(takeAnswer(makeOffer(local), local, narrow)).toMatchObject({
      ok: true,
      terms: { codec: { name: "PCMU" }, telephoneEvent: { payloadType: 101 } },
    });
    const [offered] = events;
    const plain = parsed(sdp("m=audio 5000 RTP/AVP 96 101", "a=rtpmap:96 opus/48000/2", offered ?? ""));
    expect(takeAnswer(makeOffer(local), local, plain)).toMatchObject({
      ok: true,
      terms: { telephoneEvent: { payloadType: 101, clockRateHz: 8_000 } },
    });
  });

  it("of a peer is answered under its number and with our own parameters", () => {
    const offer = parsed(
      sdp("m=audio 5000 RTP/AVP 111 0", "a=rtpmap:111 opus/48000/2", "a=fmtp:111 stereo=1;maxaveragebitrate=64000"),
    );
    const outcome = answerReOffer(local, 1, offer);
    expect(outcome).toMatchObject({ ok: true, terms: { codec: { payloadType: 111 } } });
    if (outcome.ok) expect(writeSdp(outcome.answer)).toContain("a=fmtp:111 maxplaybackrate=8000;");
  });
});
