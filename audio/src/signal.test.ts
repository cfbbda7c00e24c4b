import { describe, expect, it } from "vitest";
import { BUSY, CONGESTION, FAX_ANSWER, RINGBACK, SPECIAL_INFORMATION, VOICEMAIL_BEEP } from "./call-signals.ts";
import { DTMF_KEYS, dtmfFrequenciesOf, dtmfSignal } from "./dtmf.ts";
import { levelDbfsOf } from "./level.ts";
import { renderSignal, type Signal, SignalPlayer, signalDurationMs } from "./signal.ts";
import { fitSine } from "./testing/sine-fit.ts";

/** The rhythm of a signal as a listener would write it down: tone and pause in milliseconds. */
function rhythmOf(samples: Int16Array): number[] {
  const lengths: number[] = [];
  let wasLoud: boolean | undefined;
  for (let start = 0; start < samples.length; start += 40) {
    const isLoud = levelDbfsOf(samples.subarray(start, start + 40)) > -40;
    if (isLoud === wasLoud) lengths.push((lengths.pop() ?? 0) + 5);
    else lengths.push(5);
    wasLoud = isLoud;
  }
  return lengths;
}

describe("the signals of the network", () => {
  it.each<[string, Signal, number[]]>([
    ["American ringing", RINGBACK.us, [2000, 4000, 2000]],
    ["British ringing", RINGBACK.uk, [400, 200, 400, 2000, 400]],
    ["European ringing", RINGBACK.eu, [1000, 4000, 1000]],
    ["American busy", BUSY.us, [500, 500, 500]],
    ["British busy", BUSY.uk, [375, 375, 375]],
    ["American reorder", CONGESTION.us, [250, 250, 250]],
    ["British congestion", CONGESTION.uk, [400, 350, 225, 525, 400]],
  ])("%s has its rhythm", (_, signal, rhythm) => {
    const total = rhythm.reduce((sum, ms) => sum + ms, 0);
    expect(rhythmOf(renderSignal(signal, total))).toEqual(rhythm);
  });

  it("the special information tones rise and follow each other without a pause", () => {
    const signal = SPECIAL_INFORMATION.intercept;
    const samples = renderSignal(signal, signalDurationMs(signal));
    expect(rhythmOf(samples)).toEqual([930]);
    expect(fitSine(samples.subarray(0, 2192), 913.8, 8000).residueRms).toBeLessThan(1);
    expect(fitSine(samples.subarray(2192, 4384), 1370.6, 8000).residueRms).toBeLessThan(1);
    expect(fitSine(samples.subarray(4384, 7424), 1776.7, 8000).residueRms).toBeLessThan(1);
  });

  it("a fax that answers reverses its phase every 450 ms", () => {
    const samples = renderSignal(FAX_ANSWER, 3300);
    const before = samples.subarray(1600, 3600);
    const after = samples.subarray(3600, 5600);
    // 2,000 samples are 525 whole periods, so that without a reversal both halves would be equal.
    for (const [index, sample] of before.entries())
      expect(Math.abs(sample + (after[index] ?? 0))).toBeLessThanOrEqual(1);
  });
});

describe("a signal that is played frame by frame", () => {
  it("is the same as in one piece, whatever the frames", () => {
    const whole = renderSignal(RINGBACK.uk, 3100);
    const player = new SignalPlayer(RINGBACK.uk);
    const joined = new Int16Array(whole.length);
    for (let start = 0; start < joined.length; start += 93) player.fill(joined.subarray(start, start + 93));
    expect(joined).toEqual(whole);
  });

  it("reports when it is over, and is silent from then on", () => {
    const player = new SignalPlayer(VOICEMAIL_BEEP);
    const frame = new Int16Array(3000);
    expect(player.fill(frame)).toBe(3000);
    expect(player.fill(frame)).toBe(200);
    expect(Math.max(...frame.subarray(200))).toBe(0);
    expect(player.fill(frame)).toBe(0);
  });

  it("refuses a signal without duration", () => {
    expect(() => new SignalPlayer({ steps: [], repeats: true, levelDbfs: -10 })).toThrow(RangeError);
    const instant = { steps: [{ frequenciesHz: [400], durationMs: 0 }], repeats: true, levelDbfs: -10 };
    expect(() => new SignalPlayer(instant)).toThrow(RangeError);
  });
});

describe("keys of a telephone", () => {
  it("are the pairs of Q.23", () => {
    expect(dtmfFrequenciesOf("1")).toEqual([697, 1209]);
    expect(dtmfFrequenciesOf("#")).toEqual([941, 1477]);
    expect(dtmfFrequenciesOf("d")).toEqual([941, 1633]);
    expect(new Set(Array.from(DTMF_KEYS, (key) => String(dtmfFrequenciesOf(key)))).size).toBe(16);
  });

  it("are refused when they are not on a telephone", () => {
    expect(["x", "", "12", " "].map(dtmfFrequenciesOf)).toEqual([null, null, null, null]);
    expect(() => dtmfSignal("12w")).toThrow('"w" is not a key');
  });

  it("last for the requested time, with a gap between them", () => {
    const signal = dtmfSignal("12", { keyMs: 60, gapMs: 40, levelDbfs: -12 });
    expect(rhythmOf(renderSignal(signal, 200))).toEqual([60, 40, 60, 40]);
  });
});
