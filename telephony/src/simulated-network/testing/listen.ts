import { BeepDetector } from "@parley/audio/detect/beep-detector";
import { FaxDetector } from "@parley/audio/detect/fax-detector";
import { ToneTracker } from "@parley/audio/detect/tone-tracker";
import { durationMsOf, framesOf, samplesIn } from "@parley/audio/frame";
import { rmsAt, rmsOf } from "@parley/audio/level";

/** A stretch of audio, in milliseconds from the beginning of the recording. */
export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

/** Where a recording is louder than a level, pauses shorter than `gapMs` bridged. */
export function loudStretches(samples: Int16Array, levelDbfs = -45, gapMs = 600): readonly Stretch[] {
  const found: { startMs: number; endMs: number }[] = [];
  let atMs = 0;
  for (const frame of framesOf(samples)) {
    const endMs = atMs + durationMsOf(frame.length);
    const last = found.at(-1);
    if (rmsOf(frame) >= rmsAt(levelDbfs)) {
      if (last !== undefined && atMs - last.endMs < gapMs) last.endMs = endMs;
      else found.push({ startMs: atMs, endMs });
    }
    atMs = endMs;
  }
  return found;
}

/** The beeps and fax signs in a recording, in order, as the detectors of a real call hear them. */
export function signsIn(samples: Int16Array): readonly string[] {
  const signs: string[] = [];
  const tones = new ToneTracker();
  new BeepDetector(tones, ({ frequencyHz }) => signs.push(`beep ${Math.round(frequencyHz / 10) * 10}`));
  const fax = new FaxDetector(tones, ({ type }) => signs.push(type));
  for (const frame of framesOf(samples)) {
    tones.push(frame);
    fax.check(frame.length);
  }
  return signs;
}

export function fromMs(samples: Int16Array, startMs: number, endMs = Number.POSITIVE_INFINITY): Int16Array {
  return samples.subarray(samplesIn(startMs), Math.min(samples.length, samplesIn(endMs)));
}
