import { FRAME_SAMPLES } from "@parley/audio/frame";
import { peakOf, rmsOf } from "@parley/audio/level";
import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { speechLike } from "../testing/speech-like.ts";
import { LossConcealer } from "./conceal-loss.ts";

interface Outcome {
  concealed: Int16Array;
  silenced: Int16Array;
  lostFrames: number;
}

/** Loses frames of a recording, at most `burst` in a row. */
function lose(speech: Int16Array, share: number, burst: number, seed: number): Outcome {
  const random = createRandom(seed);
  const concealer = new LossConcealer();
  const concealed = Int16Array.from(speech);
  const silenced = Int16Array.from(speech);
  let lostFrames = 0;
  let burstLeft = 0;
  for (let at = 0; at + FRAME_SAMPLES <= speech.length; at += FRAME_SAMPLES) {
    if (burstLeft === 0 && random.next() < share / burst) burstLeft = burst;
    if (burstLeft > 0) {
      burstLeft -= 1;
      lostFrames += 1;
      concealer.conceal(concealed, at, at + FRAME_SAMPLES);
      silenced.fill(0, at, at + FRAME_SAMPLES);
    } else concealer.accept(concealed, at, at + FRAME_SAMPLES);
  }
  return { concealed, silenced, lostFrames };
}

function errorRms(sent: Int16Array, heard: Int16Array): number {
  return rmsOf(sent.map((sample, index) => (sample - (heard[index] as number)) / 2));
}

describe("loss concealment", () => {
  it("is closer to the original than silence, for single and double losses", () => {
    const rows: string[] = [];
    const speeches = [1, 2, 3].map((seed) => speechLike(10_000, seed));
    for (const burst of [1, 2]) {
      for (const share of [0.02, 0.05, 0.1]) {
        let gainDb = 0;
        for (const [index, speech] of speeches.entries()) {
          const { concealed, silenced } = lose(speech, share, burst, index + 100);
          gainDb += (20 * Math.log10(errorRms(speech, silenced) / errorRms(speech, concealed))) / 3;
        }
        rows.push(`${share * 100} % in bursts of ${burst}: ${gainDb.toFixed(1)} dB less error than silence`);
        expect(gainDb).toBeGreaterThan(burst === 1 ? 1 : 0);
      }
    }
    console.log(rows.join("\n"));
  });

  it("keeps a steady voice steady through a lost packet", () => {
    const tone = Int16Array.from({ length: 1600 }, (_, index) =>
      Math.round(8000 * Math.sin((2 * Math.PI * index) / 64)),
    );
    const heard = Int16Array.from(tone);
    const concealer = new LossConcealer();
    concealer.accept(heard, 0, 800);
    concealer.conceal(heard, 800, 880);
    concealer.accept(heard, 880, 1600);
    expect(errorRms(tone, heard)).toBeLessThan(10);
  });

  it("falls silent after 60 ms and returns without a click", () => {
    const concealer = new LossConcealer();
    const heard = speechLike(400, 4);
    concealer.accept(heard, 0, 1600);
    concealer.conceal(heard, 1600, 2400);
    expect(peakOf(heard.subarray(2080, 2400))).toBe(0);
    expect(concealer.isConcealing).toBe(true);
    const back = new Int16Array(160).fill(8000);
    concealer.accept(back, 0, 160);
    expect(Math.abs(back[0] as number)).toBeLessThan(400);
    expect(back[60]).toBe(8000);
    expect(concealer.isConcealing).toBe(false);
    expect(concealer.concealedSamples).toBe(480);
  });

  it("produces silence when there is nothing to repeat", () => {
    const frame = new Int16Array(160).fill(5);
    new LossConcealer().conceal(frame, 0, 160);
    expect(peakOf(frame)).toBe(0);
  });
});
