import { durationMsOf } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { LegMedia } from "@parley/telephony/carrier";

/** This many measurements are compared: audio that was lost for good must not count as late for the rest of the call. */
const COMPARED = 10;

interface FollowedLine {
  readonly reader: RingReader;
  writtenMs: number;
  /** How far the audio was behind the clock at the last measurements, from an arbitrary beginning. */
  behindMs: number[];
}

/**
 * Measures how late the audio of calls is. Every line has 20 ms of audio written to its ring every 20 ms, by whichever
 * thread carries it, so the clock and the ring drift apart exactly by the lateness of that thread.
 */
export class MediaLateness {
  #lines = new Map<SharedArrayBuffer, FollowedLine>();

  /** The lateness of the latest line, in milliseconds. A line that has no audio is not late. */
  measure(lines: Iterable<Pick<LegMedia, "played">>, nowMs: number): number {
    const followed = new Map<SharedArrayBuffer, FollowedLine>();
    let latestMs = 0;
    for (const { played } of lines) {
      const line = this.#lines.get(played) ?? { reader: new RingReader(played), writtenMs: 0, behindMs: [] };
      followed.set(played, line);
      const writtenMs = durationMsOf(line.reader.writtenPosition);
      const isFlowing = writtenMs > line.writtenMs;
      line.writtenMs = writtenMs;
      line.behindMs = isFlowing ? [...line.behindMs.slice(1 - COMPARED), nowMs - writtenMs] : [];
      if (isFlowing) latestMs = Math.max(latestMs, nowMs - writtenMs - Math.min(...line.behindMs));
    }
    this.#lines = followed;
    return latestMs;
  }
}
