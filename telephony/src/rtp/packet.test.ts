import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { createRtpHeader, isRtcp, readRtpPacket, rtpHeaderBytes, writeRtpHeader } from "./packet.ts";

function packet(payload: readonly number[]): Buffer {
  const bytes = Buffer.alloc(12 + payload.length);
  writeRtpHeader(bytes, 0, true, 0xfffe, 0x89abcdef, 0xdeadbeef);
  bytes.set(payload, 12);
  return bytes;
}

describe("an RTP packet", () => {
  it("is read as it was written", () => {
    const header = createRtpHeader();
    const bytes = packet([1, 2, 3]);
    expect(bytes.subarray(0, 12).toString("hex")).toBe("8080fffe89abcdefdeadbeef");
    expect(readRtpPacket(bytes, bytes.length, header)).toBe(true);
    expect(header).toEqual({
      marker: true,
      payloadType: 0,
      sequence: 0xfffe,
      timestamp: 0x89abcdef,
      ssrc: 0xdeadbeef,
      payloadStart: 12,
      payloadLength: 3,
    });
  });

  it("returns its payload without contributing sources, extension and padding", () => {
    const header = createRtpHeader();
    const bytes = Buffer.from([
      ...[0x80 | 0x20 | 0x10 | 2, 8, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3],
      ...[0, 0, 0, 9, 0, 0, 0, 9],
      ...[0xbe, 0xde, 0, 1, 7, 7, 7, 7],
      ...[0xaa, 0xbb, 0, 0, 3],
    ]);
    expect(readRtpPacket(bytes, bytes.length, header)).toBe(true);
    expect([header.payloadStart, header.payloadLength, header.payloadType]).toEqual([28, 2, 8]);
    expect(rtpHeaderBytes(bytes, bytes.length)).toBe(28);
  });

  it("is refused when padding, sources or extension reach beyond it", () => {
    const header = createRtpHeader();
    for (const [at, value] of [
      [0, 0xa0],
      [0, 0x8f],
      [0, 0x90],
      [0, 0x40],
    ] as const) {
      const bytes = packet([0xff, 0xff, 0xff, 0xff, 0xff]);
      bytes[at] = value;
      expect(readRtpPacket(bytes, bytes.length, header)).toBe(false);
    }
    expect(readRtpPacket(packet([]), 11, header)).toBe(false);
  });

  it("is distinguished from RTCP that arrives on the same port", () => {
    for (const packetType of [200, 201, 202, 203, 204]) {
      const bytes = Buffer.from([0x80, packetType, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
      expect(isRtcp(bytes)).toBe(true);
      expect(readRtpPacket(bytes, bytes.length, createRtpHeader())).toBe(false);
    }
    expect(isRtcp(packet([1]))).toBe(false);
  });

  it("can be any bytes at all and is never read beyond its end", () => {
    const random = createRandom(3550);
    const header = createRtpHeader();
    for (let round = 0; round < 20_000; round++) {
      const bytes = Buffer.alloc(random.wholeBetween(0, 64));
      for (let index = 0; index < bytes.length; index++) bytes[index] = random.wholeBetween(0, 255);
      if (bytes.length > 0 && random.next() < 0.7) bytes[0] = 0x80 | ((bytes[0] as number) & 0x3f);
      if (!readRtpPacket(bytes, bytes.length, header)) continue;
      expect(header.payloadLength).toBeGreaterThanOrEqual(0);
      expect(header.payloadStart + header.payloadLength).toBeLessThanOrEqual(bytes.length);
    }
  });
});
