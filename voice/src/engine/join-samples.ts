/** Concatenates pieces of audio. A single piece is returned unchanged. */
export function joinSamples(pieces: readonly Int16Array[]): Int16Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const joined = new Int16Array(countSamples(pieces));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

export function countSamples(pieces: readonly Int16Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
