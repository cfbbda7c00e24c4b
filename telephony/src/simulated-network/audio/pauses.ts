import { samplesIn } from "@parley/audio/frame";

/** Three dots in a line are a long pause, as in "It was ... last Tuesday." */
const PAUSE_MARK = /\s*(?:\.\.\.|…)\s*/;
export const PAUSE_MS = 900;

/** The pieces of a line between its pauses. There is at least one. */
export function piecesOf(text: string): readonly string[] {
  const pieces = text.split(PAUSE_MARK).filter((piece) => piece.trim() !== "");
  return pieces.length === 0 ? [text] : pieces;
}

export function joinWithPauses(pieces: readonly Int16Array[]): Int16Array {
  const pause = samplesIn(PAUSE_MS);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0) + pause * Math.max(0, pieces.length - 1);
  const joined = new Int16Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length + pause;
  }
  return joined;
}
