import { samplesIn } from "@parley/audio/frame";
import { expect, test } from "vitest";
import { gapsMsOf, newClause, playedClauseOf, type SpokenClause, skipLead } from "./clause-speaker.ts";

function clip(silentMs: number, level = 5_000): Int16Array {
  const samples = new Int16Array(samplesIn(500)).fill(level);
  return samples.fill(20, 0, samplesIn(silentMs));
}

test("silence before a reply is trimmed to 5 ms", () => {
  expect(skipLead(clip(30))).toHaveLength(samplesIn(475));
  expect(skipLead(clip(30))[samplesIn(5)]).toBe(5_000);
});

test("audio that starts immediately, late or never is unchanged", () => {
  for (const sound of [clip(0), clip(4), clip(100), clip(500)]) expect(skipLead(sound)).toBe(sound);
});

test("a soft onset counts as audio", () => {
  const soft = clip(30).fill(80, samplesIn(10), samplesIn(30));
  expect(skipLead(soft)).toHaveLength(samplesIn(495));
});

const clauseOf = (...stretches: readonly (readonly [startMs: number, durationMs: number])[]): SpokenClause => ({
  ...newClause("Hello there.", true),
  pieces: stretches.map(([startMs, durationMs]) => ({
    samples: samplesIn(durationMs),
    offset: 0,
    startMs,
    playedSamples: samplesIn(durationMs),
    isOver: true,
  })),
});

test("a clause whose pieces follow each other has no gap, and one that ran dry has one", () => {
  expect(gapsMsOf(clauseOf([1_000, 300], [1_300, 1_000]))).toBe(0);
  expect(gapsMsOf(clauseOf([1_000, 300], [1_460, 1_000], [2_500, 100]))).toBe(200);
});

test("words are timed where they are heard, after the trimmed silence", () => {
  const clause = { ...clauseOf([1_000, 900]), skippedMs: 25 };
  clause.wordTimes = [
    { startMs: 30, endMs: 400 },
    { startMs: 450, endMs: 900 },
  ];
  expect(playedClauseOf(clause).wordTimes).toEqual([
    { startMs: 5, endMs: 375 },
    { startMs: 425, endMs: 875 },
  ]);
});
