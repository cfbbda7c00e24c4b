/** So much is kept ahead of what is heard: it hides how unevenly pieces arrive, and is how late one hears them. */
const LEAD_S = 0.35;
/** A piece that comes later than this before its turn would be heard as a click. */
const SAFE_S = 0.02;
/** Whoever has fallen behind by more goes on with what is said now. */
const AHEAD_MAX_S = 1.5;

/**
 * When the next piece of live sound is to be played, by the clock of the sound; null for one that is left out because
 * too much waits already. `untilS` is where the pieces before it end.
 */
export function placePiece(untilS: number, nowS: number): number | null {
  if (untilS < nowS + SAFE_S) return nowS + LEAD_S;
  return untilS - nowS > AHEAD_MAX_S ? null : untilS;
}
