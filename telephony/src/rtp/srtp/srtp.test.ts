import { randomBytes } from "node:crypto";
import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { writeRtpHeader } from "../packet.ts";
import { SrtcpReceiver, SrtcpSender } from "../rtcp-exchange.ts";
import { ReplayWindow } from "./replay-window.ts";
import { SrtpReceiver, SrtpSender } from "./srtp.ts";
import { SrtpCipher } from "./srtp-cipher.ts";
import { deriveRtcpKeys, deriveRtpKeys, isSameKeying, keyingOf, type SrtpKeying } from "./srtp-keys.ts";

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}

/** RFC 3711 appendix B.3. */
const keying: SrtpKeying = {
  suite: "AES_CM_128_HMAC_SHA1_80",
  masterKey: hex("E1F97A0D3E018BE0D64FA32C06DE4139"),
  masterSalt: hex("0EC675AD498AFEEBB6960B3AABE6"),
};

function packet(sequence: number, ssrc = 0xcafebabe, payloadBytes = 160): { bytes: Buffer; length: number } {
  const bytes = Buffer.alloc(12 + payloadBytes + 16, sequence & 0xff);
  writeRtpHeader(bytes, 0, false, sequence & 0xffff, sequence * 160, ssrc);
  return { bytes, length: 12 + payloadBytes };
}

describe("SRTP", () => {
  it("derives the keys of RFC 3711 appendix B.3", () => {
    const { encryptionKey, salt, authenticationKey } = deriveRtpKeys(keying);
    expect(encryptionKey).toEqual(hex("C61E7A93744F39EE10734AFE3FF7A087"));
    expect(salt).toEqual(hex("30CBBC08863D8C85D49DB34A9AE1"));
    expect(authenticationKey).toEqual(hex("CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4"));
  });

  it("computes the key stream of RFC 3711 appendix B.2", () => {
    const cipher = new SrtpCipher({
      encryptionKey: hex("2B7E151628AED2A6ABF7158809CF4F3C"),
      salt: hex("F0F1F2F3F4F5F6F7F8F9FAFBFCFD"),
      authenticationKey: Buffer.alloc(20),
    });
    const stream = Buffer.alloc(48);
    cipher.apply(stream, 0, 48, 0, 0);
    expect(stream).toEqual(
      hex("E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB 41E95B3BB0A2E8DD477901E4FCA894C0"),
    );
  });

  it("creates the same packets as other implementations", () => {
    const rtp = Buffer.concat([hex("800f1234decafbadcafebabe"), Buffer.alloc(16, 0xab), Buffer.alloc(10)]);
    expect(new SrtpSender(keying).protect(rtp, 28)).toBe(38);
    expect(rtp).toEqual(hex("800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb"));
    const rtcp = Buffer.concat([hex("81c8000bcafebabe"), Buffer.alloc(16, 0xab), Buffer.alloc(14)]);
    expect(new SrtcpSender(keying, 1).protect(rtcp, 24)).toBe(38);
    expect(rtcp).toEqual(hex("81c8000bcafebabe7128035be487b9bdbef89041f977a5a880000001993e08cd54d6c1230798"));
  });

  it.each(["AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"] as const)("%s decrypts what it encrypted", (suite) => {
    const sender = new SrtpSender({ ...keying, suite });
    const receiver = new SrtpReceiver({ ...keying, suite });
    for (let sequence = 65_000; sequence < 65_536 * 2 + 700; sequence += 13) {
      const { bytes, length } = packet(sequence);
      const plain = Buffer.from(bytes.subarray(0, length));
      const protectedLength = sender.protect(bytes, length);
      expect(protectedLength - length).toBe(suite === "AES_CM_128_HMAC_SHA1_32" ? 4 : 10);
      expect(bytes.subarray(12, length).equals(plain.subarray(12))).toBe(false);
      if (receiver.unprotect(bytes, protectedLength) !== length) expect.unreachable(`${sequence} was dropped`);
      expect(bytes.subarray(0, length).equals(plain)).toBe(true);
    }
    expect(sender.state.rollover).toBe(2);
    expect(receiver.counts).toEqual({ unauthentic: 0, replayed: 0 });
  });

  it("takes packets in any order around the wrap of the sequence, each once", () => {
    const random = createRandom(3711);
    const sender = new SrtpSender(keying);
    const receiver = new SrtpReceiver(keying);
    const sent = Array.from({ length: 200 }, (_, index) => {
      const { bytes, length } = packet(65_436 + index);
      return Buffer.from(bytes.subarray(0, sender.protect(bytes, length)));
    });
    for (let at = 30; at < 200; at += 30) sent.splice(at - random.wholeBetween(5, 25), 0, ...sent.splice(at, 1));
    const lengths = sent.map((bytes) => receiver.unprotect(Buffer.from(bytes), bytes.length));
    expect(lengths.every((length) => length === 172)).toBe(true);
    for (const bytes of sent) expect(receiver.unprotect(Buffer.from(bytes), bytes.length)).toBe(-1);
    expect(receiver.counts.unauthentic + receiver.counts.replayed).toBe(200);
  });

  it("continues counting when a re-INVITE brings a new key", () => {
    const newKeying = { ...keying, masterKey: randomBytes(16) };
    let sender = new SrtpSender(keying);
    let receiver = new SrtpReceiver(keying);
    for (const sequence of [65_535, 65_536, 65_537]) {
      const { bytes, length } = packet(sequence);
      expect(receiver.unprotect(bytes, sender.protect(bytes, length))).toBe(length);
    }
    sender = new SrtpSender(newKeying, sender.state);
    receiver = new SrtpReceiver(newKeying, receiver);
    const { bytes, length } = packet(65_538);
    expect(receiver.unprotect(bytes, sender.protect(bytes, length))).toBe(length);
    expect(sender.state).toEqual({ rollover: 1, lastSequence: 2 });
  });

  it("drops and counts packets that were altered or encrypted with another key", () => {
    const receiver = new SrtpReceiver(keying);
    const { bytes, length } = packet(5);
    const protectedLength = new SrtpSender(keying).protect(bytes, length);
    for (const at of [1, 3, 9, 40, protectedLength - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      expect(receiver.unprotect(changed, protectedLength)).toBe(-1);
    }
    expect(receiver.counts.unauthentic).toBe(5);
    expect(receiver.rollovers().size).toBe(0);
    expect(receiver.unprotect(Buffer.alloc(9), 9)).toBe(-1);
    expect(receiver.unprotect(bytes, protectedLength)).toBe(length);
  });

  it("tolerates any bytes", () => {
    const random = createRandom(80);
    const rtp = new SrtpReceiver(keying);
    const rtcp = new SrtcpReceiver(keying);
    for (let round = 0; round < 2_000; round++) {
      const bytes = Buffer.from(Array.from({ length: random.wholeBetween(0, 60) }, () => random.wholeBetween(0, 255)));
      if (bytes.length > 0) bytes[0] = 0x80 | ((bytes[0] as number) & 0x3f);
      expect(rtp.unprotect(bytes, bytes.length)).toBe(-1);
      expect(rtcp.unprotect(bytes, bytes.length)).toBe(-1);
    }
  });
});

describe("SRTCP", () => {
  it("decrypts what it encrypted, once, and reads packets that are only authenticated", () => {
    const sender = new SrtcpSender(keying);
    const receiver = new SrtcpReceiver(keying);
    for (let index = 0; index < 5; index++) {
      const bytes = Buffer.concat([hex("81c80001cafebabe"), Buffer.alloc(40, index), Buffer.alloc(14)]);
      const again = Buffer.alloc(62);
      const length = sender.protect(bytes, 48);
      bytes.copy(again);
      expect(receiver.unprotect(bytes, length)).toBe(48);
      expect(bytes.subarray(8, 48)).toEqual(Buffer.alloc(40, index));
      expect(receiver.unprotect(again, length)).toBe(-1);
    }
    expect(sender.nextIndex).toBe(5);
    expect(receiver.counts).toEqual({ unauthentic: 0, replayed: 5 });
    const signedOnly = Buffer.concat([hex("81c80001cafebabe"), Buffer.alloc(40, 9), hex("00000063"), Buffer.alloc(10)]);
    signedOnly.set(new SrtpCipher(deriveRtcpKeys(keying)).sign(signedOnly, 52).subarray(0, 10), 52);
    expect(receiver.unprotect(signedOnly, 62)).toBe(48);
    expect(signedOnly.subarray(8, 48)).toEqual(Buffer.alloc(40, 9));
  });
});

describe("the replay window", () => {
  it("rejects packets that were seen or are too old to tell", () => {
    const window = new ReplayWindow();
    for (const index of [5, 200, 150]) window.add(index);
    expect([5, 150, 72, 73, 199, 201].map((index) => window.isNew(index))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});

describe("the keys of an a=crypto line", () => {
  it("are thirty bytes or nothing", () => {
    const inline = Buffer.concat([keying.masterKey, keying.masterSalt]).toString("base64");
    const read = keyingOf("AES_CM_128_HMAC_SHA1_80", inline);
    expect(read && isSameKeying(read, keying)).toBe(true);
    expect(keyingOf("AES_CM_128_HMAC_SHA1_80", "c2hvcnQ=")).toBeNull();
  });
});
