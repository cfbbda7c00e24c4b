import { durationMsOf, FRAME_SAMPLES, framesOf } from "@parley/audio/frame";
import { levelDbfsOf } from "@parley/audio/level";
import { createRing, RingWriter } from "@parley/audio/ring";
import type { ScreenedWords, ScreeningDecision } from "../../ports/call-screening.ts";
import { createCallScreening } from "../create-call-screening.ts";

interface RecordedCall {
  /** What is heard, from the answer on. */
  readonly samples: Int16Array;
  /** What is recognized, and when it is known. */
  readonly words: readonly (ScreenedWords & { readonly knownMs: number })[];
  readonly settings?: Readonly<Record<string, number>>;
}

export type TimedDecision = ScreeningDecision & { readonly knownMs: number };

/** Anything louder is speech: sufficient if only speech and tones are on the line. */
const SPEECH_DBFS = -42;

/** Screens a recording as a call would, frame by frame, with speech detection by level alone. */
export function screenRecording({ samples, words, settings = {} }: RecordedCall): readonly TimedDecision[] {
  const ring = createRing();
  const writer = new RingWriter(ring);
  const decisions: TimedDecision[] = [];
  let endMs = 0;
  const watch = createCallScreening({ settings }).watch(ring, (decision) =>
    decisions.push({ ...decision, knownMs: endMs }),
  );
  const coming = words.toSorted((one, other) => one.knownMs - other.knownMs);
  for (const frame of framesOf(samples)) {
    writer.write(frame);
    endMs += durationMsOf(FRAME_SAMPLES);
    watch.hearWindow({ endMs, durationMs: durationMsOf(FRAME_SAMPLES), isSpeech: levelDbfsOf(frame) > SPEECH_DBFS });
    for (let next = coming[0]; next !== undefined && next.knownMs <= endMs; next = coming[0]) {
      watch.hearWords({ text: next.text, startMs: next.startMs, endMs: next.endMs });
      coming.shift();
    }
  }
  watch.stop();
  return decisions;
}
