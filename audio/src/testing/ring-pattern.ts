/**
 * The sample that belongs at a position. A ring of any usual length holds a different value at the same place a round
 * later, so that a torn frame shows.
 */
export function patternAt(position: number): number {
  return ((Math.imul(position, 0x9e3779b1) >>> 15) & 0xffff) - 0x8000;
}

/** The first position of a piece of audio that does not match its pattern, or null. */
export function firstTornPosition(samples: Int16Array, count: number, position: number): number | null {
  for (let index = 0; index < count; index++) {
    if (samples[index] !== patternAt(position + index)) return position + index;
  }
  return null;
}
