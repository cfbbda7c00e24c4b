import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { isRtcp } from "./packet.ts";
import { middleOfNtp, ntpOf, readRtcp, writeRtcp } from "./rtcp-packet.ts";

const block = {
  ssrc: 0xcafe0001,
  fractionLost: 12,
  cumulativeLost: -3,
  highestSequence: 0x0002_fffe,
  jitter: 77,
  lastSenderReport: 0x89abcdef,
  delaySinceLast: 65_536,
};
const sender = { ntpSeconds: 3_900_000_000, ntpFraction: 0x8000_0000, rtpTimestamp: 160, packets: 5, octets: 800 };

describe("an RTCP packet", () => {
  it("is read as it was written, with report, name and goodbye", () => {
    const out = Buffer.alloc(256, 0xee);
    const length = writeRtcp(out, { ssrc: 0xdeadbeef, sender, block, cname: "leg@parley", saysGoodbye: true });
    expect(length % 4).toBe(0);
    expect(isRtcp(out, length)).toBe(true);
    expect(readRtcp(out, length)).toEqual({
      ssrc: 0xdeadbeef,
      sender,
      blocks: [block],
      cname: "leg@parley",
      goodbyes: [0xdeadbeef],
    });
  });

  it("is a receiver report while nothing was sent", () => {
    const out = Buffer.alloc(256);
    const length = writeRtcp(out, { ssrc: 1, sender: null, block: null, cname: "a", saysGoodbye: false });
    expect(out[1]).toBe(201);
    expect(readRtcp(out, length)).toEqual({ ssrc: 1, sender: null, blocks: [], cname: "a", goodbyes: [] });
  });

  it("returns the readable part when the end is cut off", () => {
    const out = Buffer.alloc(256);
    const length = writeRtcp(out, { ssrc: 7, sender, block, cname: "leg@parley", saysGoodbye: true });
    const report = readRtcp(out, length - 12);
    expect([report?.ssrc, report?.blocks.length, report?.goodbyes]).toEqual([7, 1, []]);
    expect(readRtcp(Buffer.from("hello, this is no RTCP"))).toBeNull();
  });

  it("can be any bytes at all", () => {
    const random = createRandom(3551);
    const out = Buffer.alloc(256);
    const length = writeRtcp(out, { ssrc: 7, sender, block, cname: "leg@parley", saysGoodbye: true });
    for (let round = 0; round < 20_000; round++) {
      const bytes = Buffer.from(out.subarray(0, random.wholeBetween(0, length)));
      for (let flips = random.wholeBetween(0, 6); flips > 0 && bytes.length > 0; flips--) {
        bytes[random.wholeBetween(0, bytes.length - 1)] = random.wholeBetween(0, 255);
      }
      readRtcp(bytes);
    }
  });

  it("carries time as seconds since 1900", () => {
    expect(ntpOf(500)).toEqual({ ntpSeconds: 2_208_988_800, ntpFraction: 2 ** 31 });
    expect(middleOfNtp(0x1234_5678, 0x9abc_def0)).toBe(0x5678_9abc);
  });
});
