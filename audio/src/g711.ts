/**
 * ITU-T G.711, both laws, by tables.
 *
 * The standard speaks of 14-bit (mu-law) and 13-bit (A-law) uniform PCM; our samples are the 16-bit form whose lowest
 * bits it never sees. A negative sample on a decision value is coded as in the ITU-T's own software (G.191, Software
 * Tools Library): magnitude is the one's complement, so that the two polarities mirror each other sample for sample and
 * -1 is as quiet as 0. On the wire the mu-law code is inverted and every second bit of the A-law code is, as the
 * standard says, so that silence is not a run of zeros.
 */

/** Silence on the wire: the code of a sample of 0. */
export const MULAW_SILENCE = 0xff;
export const ALAW_SILENCE = 0xd5;

/** A negative sample has a code of its own below zero, so 0x7F and 0x55 are also (almost) silent. */
const SIGN = 0x80;
const ALAW_EVEN_BITS = 0x55;
/** Moves the mu-law decision values onto powers of two, in 14-bit steps. */
const MULAW_BIAS = 33;
const MULAW_MAGNITUDE_MAX = 0x1fff;

// The two lowest bits of a sample cannot change its mu-law code, nor the four lowest its A-law code.
const MULAW_SHIFT = 2;
const ALAW_SHIFT = 4;
const MULAW_INDEX = 0x3fff;
const ALAW_INDEX = 0x0fff;

const mulawCodes = Uint8Array.from({ length: MULAW_INDEX + 1 }, (_, index) => mulawCodeOf((index << 18) >> 18));
const alawCodes = Uint8Array.from({ length: ALAW_INDEX + 1 }, (_, index) => alawCodeOf((index << 20) >> 20));
const mulawSamples = Int16Array.from({ length: 256 }, (_, code) => mulawSampleOf(code));
const alawSamples = Int16Array.from({ length: 256 }, (_, code) => alawSampleOf(code));

/** Writes one byte per sample into `out` from `outStart`, which is where an RTP payload begins. */
export function encodeMulaw(samples: Int16Array, out: Uint8Array, outStart = 0): void {
  requireRoom(samples.length, out.length - outStart);
  for (let index = 0; index < samples.length; index++) {
    out[outStart + index] = mulawCodes[((samples[index] as number) >> MULAW_SHIFT) & MULAW_INDEX] as number;
  }
}

export function encodeAlaw(samples: Int16Array, out: Uint8Array, outStart = 0): void {
  requireRoom(samples.length, out.length - outStart);
  for (let index = 0; index < samples.length; index++) {
    out[outStart + index] = alawCodes[((samples[index] as number) >> ALAW_SHIFT) & ALAW_INDEX] as number;
  }
}

/** Decodes `count` bytes from `codesStart` on, by default all that follow, to the beginning of `out`. */
export function decodeMulaw(
  codes: Uint8Array,
  out: Int16Array,
  codesStart = 0,
  count: number = codes.length - codesStart,
): void {
  requireRoom(count, Math.min(out.length, codes.length - codesStart));
  for (let index = 0; index < count; index++) {
    out[index] = mulawSamples[codes[codesStart + index] as number] as number;
  }
}

export function decodeAlaw(
  codes: Uint8Array,
  out: Int16Array,
  codesStart = 0,
  count: number = codes.length - codesStart,
): void {
  requireRoom(count, Math.min(out.length, codes.length - codesStart));
  for (let index = 0; index < count; index++) {
    out[index] = alawSamples[codes[codesStart + index] as number] as number;
  }
}

function requireRoom(samples: number, room: number): void {
  if (samples > room) throw new RangeError(`${samples} samples do not fit in ${room}`);
}

/** From a 14-bit sample. */
function mulawCodeOf(sample: number): number {
  const magnitude = Math.min((sample < 0 ? ~sample : sample) + MULAW_BIAS, MULAW_MAGNITUDE_MAX);
  // The biased magnitude has 6 to 13 bits: how many is the segment, the four after the leading one are the interval.
  const segment = 32 - Math.clz32(magnitude) - 6;
  const interval = (magnitude >> (segment + 1)) & 0x0f;
  const code = ~((segment << 4) | interval) & 0x7f;
  return sample < 0 ? code : code | SIGN;
}

/** From a 12-bit sample, that is 13-bit PCM without the bit that never decides. */
function alawCodeOf(sample: number): number {
  const magnitude = sample < 0 ? ~sample : sample;
  const segment = Math.max(0, 32 - Math.clz32(magnitude) - 4);
  const interval = (segment === 0 ? magnitude : magnitude >> (segment - 1)) & 0x0f;
  const code = (segment << 4) | interval;
  return (sample < 0 ? code : code | SIGN) ^ ALAW_EVEN_BITS;
}

/** The middle of the interval, as 16-bit PCM. */
function mulawSampleOf(code: number): number {
  const inverted = ~code & 0x7f;
  const segment = inverted >> 4;
  const interval = inverted & 0x0f;
  const magnitude = (((2 * interval + MULAW_BIAS) << segment) - MULAW_BIAS) << MULAW_SHIFT;
  return code & SIGN ? magnitude : -magnitude;
}

function alawSampleOf(code: number): number {
  const plain = code ^ ALAW_EVEN_BITS;
  const segment = (plain >> 4) & 0x07;
  const interval = plain & 0x0f;
  const middle = (segment === 0 ? interval : interval + 16) * 2 + 1;
  const magnitude = (middle << Math.max(0, segment - 1)) << (ALAW_SHIFT - 1);
  return plain & SIGN ? magnitude : -magnitude;
}
