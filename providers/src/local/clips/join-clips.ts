import { samplesIn } from "@parley/audio/frame";
import { LEAD_MS, TAIL_MS } from "../finish-clip.ts";

/** Sound and the pause that is to follow it. */
export interface JoinedClip {
  readonly samples: Int16Array;
  readonly gapMs: number;
}

/** Clips one after the other. The silence in which each is set is cut away inside, so that the gaps are those asked for. */
export function joinClips(clips: readonly JoinedClip[], sampleRateHz: number): Int16Array {
  const lead = samplesIn(LEAD_MS, sampleRateHz);
  const tail = samplesIn(TAIL_MS, sampleRateHz);
  const pieces = clips.map(({ samples }, index) =>
    samples.subarray(
      index === 0 ? 0 : Math.min(lead, samples.length),
      index === clips.length - 1 ? samples.length : Math.max(lead, samples.length - tail),
    ),
  );
  const gaps = clips.map(({ gapMs }, index) => (index === clips.length - 1 ? 0 : samplesIn(gapMs, sampleRateHz)));
  const joined = new Int16Array(pieces.reduce((sum, { length }, index) => sum + length + (gaps[index] ?? 0), 0));
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    joined.set(piece, at);
    at += piece.length + (gaps[index] ?? 0);
  }
  return joined;
}
