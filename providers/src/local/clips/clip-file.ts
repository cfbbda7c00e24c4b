import { createHash } from "node:crypto";

/**
 * A clip as a file, all numbers with the lowest byte first:
 *
 *     0               8        12       16                                  48
 *     +---------------+--------+--------+-----------------------------------+----------------- - -
 *     | "PARLCLP1"    | rate   | samples| SHA-256 of the samples            | samples, 16 bit
 *     +---------------+--------+--------+-----------------------------------+----------------- - -
 *
 * The digest tells a whole file from one that a crash or a bad disk left.
 */
const MAGIC = Buffer.from("PARLCLP1", "latin1");
const RATE_AT = 8;
const COUNT_AT = 12;
const DIGEST_AT = 16;
export const CLIP_HEADER_BYTES = 48;

export function encodeClip(samples: Int16Array, sampleRateHz: number): Uint8Array {
  const file = Buffer.alloc(CLIP_HEADER_BYTES + 2 * samples.length);
  MAGIC.copy(file);
  file.writeUInt32LE(sampleRateHz, RATE_AT);
  file.writeUInt32LE(samples.length, COUNT_AT);
  for (const [index, sample] of samples.entries()) file.writeInt16LE(sample, CLIP_HEADER_BYTES + 2 * index);
  digestOf(file).copy(file, DIGEST_AT);
  return file;
}

/** Null when it is not a whole clip at this rate. */
export function decodeClip(bytes: Uint8Array, sampleRateHz: number): Int16Array | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < CLIP_HEADER_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  const count = file.readUInt32LE(COUNT_AT);
  if (file.readUInt32LE(RATE_AT) !== sampleRateHz || file.length !== CLIP_HEADER_BYTES + 2 * count) return null;
  if (!file.subarray(DIGEST_AT, CLIP_HEADER_BYTES).equals(digestOf(file))) return null;
  return Int16Array.from({ length: count }, (_, index) => file.readInt16LE(CLIP_HEADER_BYTES + 2 * index));
}

function digestOf(file: Buffer): Buffer {
  return createHash("sha256").update(file.subarray(CLIP_HEADER_BYTES)).digest();
}
