import { createCipheriv, randomBytes } from "node:crypto";
import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { KeyStream } from "./key-stream.ts";

const key = randomBytes(16);
const salt = randomBytes(14);

/** The counter mode of OpenSSL, from the initial vector that RFC 3711 section 4.1.1 describes. */
function expectedStream(ssrc: number, index: number, length: number): Buffer {
  const vector = BigInt(`0x${salt.toString("hex")}0000`) ^ (BigInt(ssrc) << 64n) ^ (BigInt(index) << 16n);
  const bytes = Buffer.from(vector.toString(16).padStart(32, "0"), "hex");
  return createCipheriv("aes-128-ctr", key, bytes).update(Buffer.alloc(length));
}

describe("the key stream", () => {
  it("is that of OpenSSL for packets of any length, source and order, also when it was computed ahead", () => {
    const random = createRandom(411);
    for (const packetsAhead of [1, 8]) {
      const stream = new KeyStream(key, salt, packetsAhead);
      let index = 2 ** 32 - 20;
      for (let round = 0; round < 400; round++) {
        index += random.pick([1, 1, 1, 1, 1, 2, -1, -3, 70_000]);
        const ssrc = random.next() < 0.95 ? 0xdeadbeef : 7;
        const length = random.pick([160, 160, 160, 4, 80, 320, 2_048]);
        const bytes = Buffer.alloc(length + 12);
        stream.apply(bytes, 12, 12 + length, ssrc, index);
        expect(bytes.subarray(12).equals(expectedStream(ssrc, index, length)), `${index}, ${length} bytes`).toBe(true);
        expect(bytes.subarray(0, 12).equals(Buffer.alloc(12))).toBe(true);
      }
    }
  });

  it("is not made for what no packet is", () => {
    expect(() => new KeyStream(key, salt, 8).apply(Buffer.alloc(2_049), 0, 2_049, 1, 1)).toThrow(RangeError);
  });
});
