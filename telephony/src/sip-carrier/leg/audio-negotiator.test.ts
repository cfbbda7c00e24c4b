import { describe, expect, it } from "vitest";
import type { MediaTerms } from "../../sdp/media-terms.ts";
import type { LocalMedia } from "../../sdp/offer-answer.ts";
import { AudioNegotiator } from "./audio-negotiator.ts";

const LOCAL: LocalMedia = {
  address: "10.0.0.1",
  port: 20_000,
  originId: "42",
  codecs: ["PCMU", "PCMA"],
  srtp: "off",
  srtpKeys: [],
};

function answer(formats: string, direction = "sendrecv", version = 1): string {
  const lines = ["v=0", `o=- 9 ${version} IN IP4 10.0.0.2`, "s=-", "c=IN IP4 10.0.0.2", "t=0 0"];
  return [...lines, `m=audio 4000 RTP/AVP ${formats}`, `a=${direction}`, ""].join("\r\n");
}

function negotiate(local: Partial<LocalMedia> = {}) {
  const terms: (readonly [MediaTerms, boolean])[] = [];
  const unusable: string[] = [];
  const negotiator = new AudioNegotiator({
    local: { ...LOCAL, ...local },
    onTerms: (agreed, isFinal) => void terms.push([agreed, isFinal]),
    onUnusable: (reason) => void unusable.push(reason),
  });
  return { negotiator, terms, unusable };
}

function versionOf(sdp: string): string | undefined {
  return /^o=- 42 (\d+) /m.exec(sdp)?.[1];
}

describe("negotiating audio", () => {
  it("offers our codecs and takes what the ringing and the answer say", () => {
    const { negotiator, terms } = negotiate();
    expect(negotiator.firstOffer).toContain("m=audio 20000 RTP/AVP 0 8 101");
    expect(negotiator.takeEarly(answer("0"))).toBe(true);
    expect(negotiator.takeFinal(answer("8"))).toEqual({ ok: true });
    expect(terms.map(([agreed, isFinal]) => [agreed.codec.name, isFinal])).toEqual([
      ["PCMU", false],
      ["PCMA", true],
    ]);
  });

  it("takes a wideband codec from ringing to answer, offers it first afterwards, and follows a change to another", () => {
    const { negotiator, terms } = negotiate({ codecs: ["G722", "OPUS", "PCMU"] });
    expect(negotiator.firstOffer).toContain("m=audio 20000 RTP/AVP 9 96 0 101 97");
    const opus = answer("96 97", "sendrecv").replace(
      "a=sendrecv",
      "a=rtpmap:96 opus/48000/2\r\na=rtpmap:97 telephone-event/48000\r\na=sendrecv",
    );
    expect(negotiator.takeEarly(opus)).toBe(true);
    expect(negotiator.takeFinal(opus)).toEqual({ ok: true });
    expect(negotiator.currentOffer()).toContain("m=audio 20000 RTP/AVP 96 9 0 101 97");
    expect(negotiator.answerOffer(answer("9", "sendrecv", 2))).toMatchObject({
      sdp: expect.stringContaining("m=audio 20000 RTP/AVP 9\r\n"),
    });
    expect(terms.map(([agreed, isFinal]) => [agreed.codec.name, agreed.telephoneEvent?.clockRateHz, isFinal])).toEqual([
      ["opus", 48_000, false],
      ["opus", 48_000, true],
      ["G722", undefined, true],
    ]);
  });

  it("ignores unusable early media, and lets the answer decide", () => {
    const { negotiator, terms, unusable } = negotiate();
    expect(negotiator.takeEarly(answer("18"))).toBe(false);
    expect(unusable).toHaveLength(1);
    expect(terms).toEqual([]);
    expect(negotiator.takeFinal(answer("0"))).toEqual({ ok: true });
  });

  it("keeps the terms that the peer changed while it rang, when the answer contains nothing new", () => {
    const { negotiator, terms } = negotiate();
    negotiator.takeEarly(answer("0"));
    negotiator.answerOffer(answer("8", "sendrecv", 2).replace("4000", "4444"));
    expect(negotiator.takeFinal(answer("0"))).toEqual({ ok: true });
    expect(terms.map(([agreed, isFinal]) => [agreed.codec.name, agreed.remote?.port, isFinal])).toEqual([
      ["PCMU", 4_000, false],
      ["PCMA", 4_444, false],
      ["PCMA", 4_444, true],
    ]);
  });

  it("raises the version of our description with each that differs, and only then", () => {
    const { negotiator } = negotiate();
    negotiator.takeFinal(answer("0"));
    expect(negotiator.currentOffer()).toBe(negotiator.firstOffer);
    expect(versionOf(negotiator.currentOffer())).toBe("1");
    const held = negotiator.answerOffer(answer("0", "sendonly", 2));
    expect("sdp" in held && [versionOf(held.sdp), held.sdp.includes("a=recvonly")]).toEqual(["2", true]);
    const full = negotiator.currentOffer();
    expect([versionOf(full), full.includes("a=sendrecv")]).toEqual(["3", true]);
    expect(negotiator.currentOffer()).toBe(full);
  });

  it("offers the codec in use first, so that a refresh does not change it", () => {
    const { negotiator, terms } = negotiate();
    negotiator.takeFinal(answer("8 0"));
    expect(negotiator.currentOffer()).toContain("RTP/AVP 8 0 101");
    negotiator.acceptAnswer(answer("8"));
    expect(terms.at(-1)?.[0].codec.name).toBe("PCMA");
  });

  it("refuses an offer that cannot be read or spoken, and stays as it was", () => {
    const { negotiator, terms, unusable } = negotiate();
    negotiator.takeFinal(answer("0"));
    expect(negotiator.answerOffer("nonsense")).toEqual({ refuse: 488 });
    expect(negotiator.answerOffer(answer("18"))).toEqual({ refuse: 488 });
    negotiator.acceptAnswer("nonsense");
    expect(unusable).toHaveLength(3);
    expect(terms).toHaveLength(1);
    expect(versionOf(negotiator.currentOffer())).toBe("1");
  });
});
