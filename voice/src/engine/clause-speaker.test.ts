import { samplesIn } from "@parley/audio/frame";
import { expect, test } from "vitest";
import { skipLead } from "./clause-speaker.ts";

function clip(silentMs: number, level = 5_000): Int16Array {
  const samples = new Int16Array(samplesIn(500)).fill(level);
  return samples.fill(20, 0, samplesIn(silentMs));
}

test("nobody waits for the silence before a reply: 5 ms are left of it", () => {
  expect(skipLead(clip(30))).toHaveLength(samplesIn(475));
  expect(skipLead(clip(30))[samplesIn(5)]).toBe(5_000);
});

test("sound that begins at once, late or never is left as it is", () => {
  for (const sound of [clip(0), clip(4), clip(100), clip(500)]) expect(skipLead(sound)).toBe(sound);
});

test("a soft beginning is sound", () => {
  const soft = clip(30).fill(80, samplesIn(10), samplesIn(30));
  expect(skipLead(soft)).toHaveLength(samplesIn(495));
});
