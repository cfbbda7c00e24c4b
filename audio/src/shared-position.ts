/**
 * A count of samples that one thread publishes and others read, without locks and without BigInt (whose every load
 * would allocate). It lies in two words that overlap by two bits:
 *
 *     high word   position / 2^30
 *     low word    position mod 2^32
 *
 * The writer stores the high word first. A reader that falls between the two stores sees the overlap disagree and
 * trusts the low word, so it gets the count before or after the store, never a mix.
 */
export const POSITION_WORDS = 2;

const OVERLAP_BITS = 30;
const OVERLAP_SPAN = 2 ** OVERLAP_BITS;

export function publishPosition(words: Int32Array, at: number, position: number): void {
  Atomics.store(words, at, Math.floor(position / OVERLAP_SPAN));
  // Bitwise operators take a number modulo 2^32, which is the low word.
  Atomics.store(words, at + 1, position | 0);
}

export function readPosition(words: Int32Array, at: number): number {
  const high = Atomics.load(words, at);
  const low = Atomics.load(words, at + 1);
  // Signed, from -2 to 1: the high word may be read before the low word's next turn, or stored before it.
  const behind = (((high - (low >>> OVERLAP_BITS)) & 3) << 30) >> 30;
  return (high - behind) * OVERLAP_SPAN + (low & (OVERLAP_SPAN - 1));
}
