import { decodeAlaw, encodeAlaw } from "@parley/audio/g711";
import { speechLike } from "@parley/telephony/rtp/testing/speech-like";
import { expect, test } from "vitest";
import { isToneIn, makeTestTone } from "./probe-call.ts";

function overTheTelephone(samples: Int16Array, gain: number): Int16Array {
  const coded = new Uint8Array(samples.length);
  encodeAlaw(
    samples.map((sample) => Math.round(sample * gain)),
    coded,
  );
  const heard = new Int16Array(samples.length);
  decodeAlaw(coded, heard);
  return heard;
}

test("the tone is recognized after a telephone line, even a quiet one, and at any offset", () => {
  const tone = makeTestTone(500);
  expect(isToneIn(overTheTelephone(tone, 1))).toBe(true);
  expect(isToneIn(overTheTelephone(tone, 0.05))).toBe(true);
  const late = new Int16Array(8_000);
  late.set(tone, 2_345);
  expect(isToneIn(late)).toBe(true);
});

test("neither silence, nor speech, nor a short beep is taken for it", () => {
  expect(isToneIn(new Int16Array(24_000))).toBe(false);
  expect(isToneIn(makeTestTone(150))).toBe(false);
  for (let seed = 1; seed <= 5; seed += 1) expect(isToneIn(speechLike(4_000, seed))).toBe(false);
});
