import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { HmacSha1 } from "./hmac-sha1.ts";

describe("HMAC-SHA1", () => {
  it("signs messages of every length, with and without a trailer, as OpenSSL does", () => {
    for (let length = 0; length < 300; length++) {
      const [key, bytes] = [randomBytes(length % 65), randomBytes(length + 20)];
      const trailer = length % 3 === 0 ? new Uint8Array(0) : randomBytes(4);
      const signature = Buffer.alloc(20);
      new HmacSha1(key).sign(bytes, length, trailer, signature);
      const expected = createHmac("sha1", key).update(bytes.subarray(0, length)).update(trailer).digest();
      expect(signature.toString("hex"), `${length} bytes`).toBe(expected.toString("hex"));
    }
  });

  it("refuses a key that is longer than a block", () => {
    expect(() => new HmacSha1(Buffer.alloc(65))).toThrow(RangeError);
  });
});
