import { samplesIn } from "@parley/audio/frame";
import { rmsOf } from "@parley/audio/level";

/** Recognizers lose their way in longer sound, and drop its beginning. */
const PIECE_MAX_MS = 14_000;
/** A cut is looked for from here on, so that pieces keep enough around each word to understand it. */
const PIECE_MIN_MS = 7_000;
const PAUSE_MS = 200;
const STEP_MS = 20;

/** Cuts long speech where it is quietest, so that no word is cut in two. */
export function cutAtPauses(samples: Int16Array): Int16Array[] {
  const pieces: Int16Array[] = [];
  let rest = samples;
  while (rest.length > samplesIn(PIECE_MAX_MS)) {
    const at = quietestIn(rest, samplesIn(PIECE_MIN_MS), samplesIn(PIECE_MAX_MS));
    pieces.push(rest.subarray(0, at));
    rest = rest.subarray(at);
  }
  return [...pieces, rest];
}

/** The middle of the quietest moment. */
function quietestIn(samples: Int16Array, from: number, to: number): number {
  const [pause, step] = [samplesIn(PAUSE_MS), samplesIn(STEP_MS)];
  let quietest = { at: to, level: Number.POSITIVE_INFINITY };
  for (let at = from; at + pause <= to; at += step) {
    const level = rmsOf(samples.subarray(at, at + pause));
    if (level < quietest.level) quietest = { at: at + Math.floor(pause / 2), level };
  }
  return quietest.at;
}
