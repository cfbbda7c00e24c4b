import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { bestCorrelation } from "../testing/best-correlation.ts";
import { speechLike } from "../testing/speech-like.ts";
import { OpusDecoder, OpusEncoder } from "./opus.ts";

const FRAME = 160;
const speech = speechLike(6_000, 7);

async function packetsOf(samples: Int16Array): Promise<readonly Uint8Array[]> {
  const encoder = new OpusEncoder();
  await encoder.ready;
  const out = new Uint8Array(768);
  const packets = Array.from({ length: Math.floor(samples.length / FRAME) }, (_, index) => {
    const length = encoder.encode(samples.subarray(index * FRAME, (index + 1) * FRAME), out, 12);
    return out.slice(12, 12 + length);
  });
  encoder.close();
  return packets;
}

/** Decodes what arrives. Packets that do not are left out, as on a network, and what is restored of them is used. */
async function hear(packets: readonly Uint8Array[], arrives: (index: number) => boolean, restores = true) {
  const decoder = new OpusDecoder();
  await decoder.ready;
  const heard = new Int16Array(packets.length * FRAME);
  let lost = 0;
  for (const [index, packet] of packets.entries()) {
    if (!arrives(index)) {
      lost += 1;
      continue;
    }
    decoder.decode(packet, index * FRAME, restores ? lost : 0, (samples, timestamp) => heard.set(samples, timestamp));
    lost = 0;
  }
  decoder.close();
  return heard;
}

function likeness(heard: Int16Array): number {
  return bestCorrelation(speech, heard, { start: 8_000, count: 32_000, lagMin: 0, lagMax: 200 }).correlation;
}

describe("Opus", () => {
  it("carries speech in less than half of what G.711 takes", async () => {
    const packets = await packetsOf(speech);
    const bytes = packets.reduce((sum, { length }) => sum + length, 0) / packets.length;
    expect(bytes).toBeLessThan(80);
    expect(likeness(await hear(packets, () => true))).toBeGreaterThan(0.9);
  });

  it("restores lost packets from the copies in those that follow", async () => {
    const packets = await packetsOf(speech);
    const arrives = (index: number) => index % 10 !== 5;
    const [restored, silent] = [await hear(packets, arrives), await hear(packets, arrives, false)];
    const [all, withCopies, without] = [await hear(packets, () => true), restored, silent].map(likeness);
    console.log(`likeness: all packets ${all}, one in ten lost ${withCopies} with copies, ${without} without`);
    expect(withCopies).toBeGreaterThan((without ?? 0) + 0.01);
    expect(withCopies).toBeGreaterThan((all ?? 0) - 0.05);
  });

  it("refuses what is not Opus, and goes on", async () => {
    const packets = await packetsOf(speech.subarray(0, 3_200));
    const random = createRandom(3);
    const decoder = new OpusDecoder();
    await decoder.ready;
    let refused = 0;
    for (let count = 0; count < 2_000; count += 1) {
      const noise = Uint8Array.from({ length: 1 + Math.floor(random.next() * 300) }, () =>
        Math.floor(random.next() * 256),
      );
      if (!decoder.decode(noise, count * FRAME, count % 7, () => undefined)) refused += 1;
    }
    expect(refused).toBeGreaterThan(0);
    expect(decoder.decode(new Uint8Array(0), 0, 0, () => undefined)).toBe(false);
    const [packet = new Uint8Array()] = packets;
    expect(decoder.decode(packet, 0, 0, () => undefined)).toBe(true);
    decoder.close();
  });

  it("makes and hears nothing before the library is there and after the end", async () => {
    const encoder = new OpusEncoder();
    const decoder = new OpusDecoder();
    expect(encoder.encode(new Int16Array(FRAME), new Uint8Array(400), 0)).toBe(0);
    encoder.close();
    decoder.close();
    await Promise.all([encoder.ready, decoder.ready]);
    expect(encoder.encode(new Int16Array(FRAME), new Uint8Array(400), 0)).toBe(0);
    expect(decoder.decode(new Uint8Array(3), 0, 0, () => expect.unreachable())).toBe(true);
  });
});
