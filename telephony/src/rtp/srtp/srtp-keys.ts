import { createCipheriv } from "node:crypto";

/** RFC 4568 section 6.2. The suite with the short tag shortens it for RTP only; RTCP keeps 80 bits. */
export type SrtpSuite = "AES_CM_128_HMAC_SHA1_80" | "AES_CM_128_HMAC_SHA1_32";

/** What an `a=crypto` line agrees on for one direction. */
export interface SrtpKeying {
  suite: SrtpSuite;
  masterKey: Uint8Array;
  masterSalt: Uint8Array;
}

/** The keys that really encrypt and sign, one set for RTP and one for RTCP. */
export interface PacketKeys {
  encryptionKey: Buffer;
  authenticationKey: Buffer;
  salt: Buffer;
}

const MASTER_KEY_BYTES = 16;
const MASTER_SALT_BYTES = 14;
const AUTHENTICATION_KEY_BYTES = 20;
export const SRTCP_TAG_BYTES = 10;

/** RFC 3711 section 4.3.2. */
const RTP_LABELS = { encryption: 0x00, authentication: 0x01, salt: 0x02 };
const RTCP_LABELS = { encryption: 0x03, authentication: 0x04, salt: 0x05 };

export function rtpTagBytes(suite: SrtpSuite): number {
  return suite === "AES_CM_128_HMAC_SHA1_32" ? 4 : 10;
}

/** RFC 4568 section 6.1: key and salt are concatenated, then written in base64. Null when they are not that long. */
export function keyingOf(suite: SrtpSuite, inlineBase64: string): SrtpKeying | null {
  const bytes = Buffer.from(inlineBase64, "base64");
  if (bytes.length !== MASTER_KEY_BYTES + MASTER_SALT_BYTES) return null;
  return {
    suite,
    masterKey: bytes.subarray(0, MASTER_KEY_BYTES),
    masterSalt: bytes.subarray(MASTER_KEY_BYTES),
  };
}

export function isSameKeying(a: SrtpKeying, b: SrtpKeying): boolean {
  return (
    a.suite === b.suite &&
    Buffer.compare(a.masterKey, b.masterKey) === 0 &&
    Buffer.compare(a.masterSalt, b.masterSalt) === 0
  );
}

export function deriveRtpKeys(keying: SrtpKeying): PacketKeys {
  return derive(keying, RTP_LABELS);
}

export function deriveRtcpKeys(keying: SrtpKeying): PacketKeys {
  return derive(keying, RTCP_LABELS);
}

function derive(keying: SrtpKeying, labels: typeof RTP_LABELS): PacketKeys {
  return {
    encryptionKey: deriveOne(keying, labels.encryption, MASTER_KEY_BYTES),
    authenticationKey: deriveOne(keying, labels.authentication, AUTHENTICATION_KEY_BYTES),
    salt: deriveOne(keying, labels.salt, MASTER_SALT_BYTES),
  };
}

/**
 * RFC 3711 section 4.3.1 with a key derivation rate of zero, which is what RFC 4568 leaves when no rate is given: the
 * label is added to the salt above the 48 bits of the index, and the result counts an AES key stream.
 */
function deriveOne({ masterKey, masterSalt }: SrtpKeying, label: number, bytes: number): Buffer {
  const counter = Buffer.alloc(16);
  counter.set(masterSalt);
  counter[7] = (counter[7] as number) ^ label;
  return createCipheriv("aes-128-ctr", masterKey, counter).update(Buffer.alloc(bytes));
}
