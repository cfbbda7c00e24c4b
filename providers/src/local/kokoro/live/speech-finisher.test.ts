import { expect, test } from "vitest";
import { activeSpeechLevelDbfs, SPEECH_LEVEL_DBFS } from "../../finish-clip.ts";
import { SpeechFinisher } from "./speech-finisher.ts";

const RATE_HZ = 8_000;
const silence = (ms: number) => new Float32Array(ms * 8);
/** The level at which the voice is decoded. */
const buzz = (ms: number, level = 0.075) =>
  Float32Array.from({ length: ms * 8 }, (_, at) => level * Math.sin((2 * Math.PI * 200 * at) / RATE_HZ));

function finish(chunks: readonly Float32Array[]) {
  const finisher = new SpeechFinisher(-25.8, RATE_HZ);
  const pieces = [...chunks.map((chunk) => finisher.add(chunk)), finisher.end()];
  return { samples: Int16Array.from(pieces.flatMap((piece) => [...piece])), pieces, finisher };
}

test("speech gets 30 ms of silence before and 80 ms after it, whatever the network left", () => {
  for (const [before, after] of [
    [300, 500],
    [0, 0],
    [35, 90],
  ] as const) {
    const { samples, finisher } = finish([silence(before), buzz(400), silence(after)]);
    expect(samples.length / 8).toBe(30 + 400 + 80);
    expect(samples.findIndex((sample) => Math.abs(sample) > 300) / 8).toBeCloseTo(30, 0);
    expect(finisher.skippedSamples / 8).toBe(before - 30);
  }
});

test("pauses within the speech stay as long as they are", () => {
  const { samples } = finish([buzz(200), silence(300), buzz(200)]);
  expect(samples.length / 8).toBe(30 + 700 + 80);
});

test("the result does not depend on how the audio was cut into chunks", () => {
  const whole = new Float32Array([...silence(100), ...buzz(300), ...silence(200), ...buzz(100), ...silence(150)]);
  const chunks = Array.from({ length: 23 }, (_, at) => whole.subarray(at * 303, (at + 1) * 303));
  expect(finish(chunks).samples).toEqual(finish([whole]).samples);
});

test("audio is returned as it arrives, up to a window", () => {
  const { pieces } = finish([buzz(103), buzz(100)]);
  expect(pieces[0]?.length).toBe((30 + 100) * 8);
});

test("it has the common level, and a shout stays below clipping", () => {
  const { samples } = finish([silence(50), buzz(1_000), silence(50)]);
  expect(Math.abs(activeSpeechLevelDbfs(samples, RATE_HZ) - SPEECH_LEVEL_DBFS)).toBeLessThan(1.5);
  const loudest = finish([buzz(100, 4)]).samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
  expect(loudest).toBeLessThan(32_767 * 0.9);
});

test("silence produces no audio", () => {
  expect(finish([silence(500)]).samples.length).toBe(0);
});
