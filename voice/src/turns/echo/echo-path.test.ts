import { decodeMulaw, encodeMulaw } from "@parley/audio/g711";
import { levelDbfsOf } from "@parley/audio/level";
import { describe, expect, it } from "vitest";
import { randomFrom, voiceLike } from "../testing/voice-like.ts";
import { USUAL_TURN_SETTINGS } from "../turn-settings.ts";
import { isEcho } from "./echo-guard.ts";
import { EchoPath, type EchoReading } from "./echo-path.ts";

const WINDOW = 256;

interface LineOptions {
  /** The delay of our echo; if it changes, by the time of the call at which it does. */
  readonly lagMs?: number | ((atMs: number) => number);
  readonly lossDb?: number;
  readonly isInverted?: boolean;
  readonly noise?: number;
  readonly callee?: Int16Array;
}

function throughLine(
  played: Int16Array,
  { lagMs = 180, lossDb = 18, isInverted, noise = 0, callee }: LineOptions,
): Int16Array {
  const gain = 10 ** (-lossDb / 20) * (isInverted ? -1 : 1);
  const random = randomFrom(7);
  const lagAt = typeof lagMs === "number" ? () => lagMs : lagMs;
  const heard = Int16Array.from(played, (_, at) => {
    const echo = (played[at - Math.round(lagAt(at / 8) * 8)] ?? 0) * gain;
    return echo + (callee?.[at] ?? 0) + (random() - 0.5) * 2 * noise;
  });
  const coded = new Uint8Array(heard.length);
  encodeMulaw(heard, coded);
  decodeMulaw(coded, heard);
  return heard;
}

interface Heard {
  readonly atMs: number;
  readonly levelDbfs: number;
  readonly reading: EchoReading;
  readonly isOurs: boolean;
}

function listen(played: Int16Array, heard: Int16Array): { path: EchoPath; windows: Heard[] } {
  const path = new EchoPath(WINDOW);
  const windows: Heard[] = [];
  for (let at = 0; at + WINDOW <= played.length; at += WINDOW) {
    const window = heard.subarray(at, at + WINDOW);
    const reading = path.hear(window, played.subarray(at, at + WINDOW));
    const levelDbfs = levelDbfsOf(window);
    const isOurs = isEcho(reading.mark, levelDbfs, USUAL_TURN_SETTINGS);
    windows.push({ atMs: (at + WINDOW) / 8, levelDbfs, reading, isOurs });
  }
  return { path, windows };
}

const played = voiceLike(6, 1);

describe("the lag and the loss of a line are learned from the greeting", () => {
  it.each([
    { name: "180 ms later and 18 dB quieter", options: {}, lagMs: 180, lossDb: 18 },
    { name: "40 ms later", options: { lagMs: 40 }, lagMs: 40, lossDb: 18 },
    { name: "over half a second later", options: { lagMs: 560 }, lagMs: 560, lossDb: 18 },
    { name: "nearly as loud", options: { lossDb: 6 }, lagMs: 180, lossDb: 6 },
    { name: "upside down", options: { isInverted: true }, lagMs: 180, lossDb: 18 },
    { name: "behind noise", options: { noise: 150 }, lagMs: 180, lossDb: 18 },
  ])("$name", ({ options, lagMs, lossDb }) => {
    const { path, windows } = listen(played, throughLine(played, options));
    expect(path.lagMs).toBeCloseTo(lagMs, -1);
    expect(Math.abs((path.lossDb ?? 0) - lossDb)).toBeLessThan(2);
    const known = windows.findIndex(({ reading }) => reading.lineEchoes === true);
    expect(windows[known]?.atMs).toBeLessThan(2_000);
    const afterwards = windows.slice(known).filter(({ levelDbfs }) => levelDbfs > -45);
    expect(afterwards.length).toBeGreaterThan(40);
    expect(afterwards.every(({ isOurs }) => isOurs)).toBe(true);
  });

  it("a line that does not echo is known to be clear after 1.5 s of our voice", () => {
    const { windows } = listen(played, throughLine(played, { lossDb: 120, noise: 60 }));
    const known = windows.find(({ reading }) => reading.lineEchoes !== null);
    expect(known?.reading.lineEchoes).toBe(false);
    expect(windows.every(({ isOurs }) => !isOurs)).toBe(true);
  });

  it("a callee who speaks over us is not mistaken for our echo, with an echo or without", () => {
    const callee = new Int16Array(played.length);
    callee.set(voiceLike(3, 99).subarray(0, 3 * 8_000), 3 * 8_000);
    for (const lossDb of [18, 120]) {
      const { windows } = listen(played, throughLine(played, { lossDb, callee }));
      const spoken = windows.filter(({ atMs, levelDbfs }) => atMs > 3_100 && levelDbfs > -22);
      expect(spoken.length).toBeGreaterThan(30);
      expect(spoken.filter(({ isOurs }) => isOurs).length / spoken.length).toBeLessThan(0.1);
    }
  });

  it("silence after our voice is not another voice", () => {
    const spoken = new Int16Array(played.length + 8_000);
    spoken.set(played);
    const { windows } = listen(spoken, throughLine(spoken, { noise: 20 }));
    const lastEcho = windows.findLastIndex(({ levelDbfs }) => levelDbfs > -45);
    expect(windows.slice(lastEcho, lastEcho + 5).every(({ isOurs }) => isOurs)).toBe(true);
  });
});

/** The windows of a call in which only our voice came back. */
function echoesIn(windows: readonly Heard[], fromMs: number, callee?: Int16Array): Heard[] {
  const isAlone = ({ atMs }: Heard) => {
    const around = callee?.subarray(atMs * 8 - 2 * WINDOW, atMs * 8) ?? new Int16Array(0);
    return around.every((value) => value === 0);
  };
  return windows.filter((window) => window.atMs > fromMs && window.levelDbfs > -45 && isAlone(window));
}

/** The longest stretch that was not attributed to our voice. */
function longestLeakMs(windows: readonly Heard[], fromMs: number): number {
  let longest = 0;
  let leak = 0;
  for (const { atMs, levelDbfs, isOurs } of windows) {
    leak = atMs > fromMs && levelDbfs > -45 && !isOurs ? leak + 1 : 0;
    longest = Math.max(longest, leak);
  }
  return (longest * WINDOW) / 8;
}

describe("a line whose buffers grow and shrink during the call", () => {
  const long = voiceLike(40, 5);
  /** As measured on a busy machine: steps of 20 ms, sometimes of 5, mostly downwards. */
  const STEPS_MS = [406, 386, 366, 371, 346, 326, 286, 306, 291, 311, 271, 251, 276, 256, 241, 261];
  const wander = (atMs: number) => STEPS_MS[Math.min(STEPS_MS.length - 1, Math.floor(atMs / 2_300))] as number;

  it("stays known to echo, and no more than a moment of our voice is attributed to the callee", () => {
    const { windows, path } = listen(long, throughLine(long, { lagMs: wander }));
    const back = echoesIn(windows, 2_000);
    expect(back.length).toBeGreaterThan(500);
    expect(back.filter(({ isOurs }) => !isOurs).length / back.length).toBeLessThan(0.01);
    // Speech is believed after 64 ms.
    expect(longestLeakMs(windows, 2_000)).toBeLessThanOrEqual(64);
    expect(path.lagMs).toBeCloseTo(wander(40_000), -1);
    expect(Math.abs((path.lossDb ?? 0) - 18)).toBeLessThan(2);
  });

  it("is not forgotten while the callee speaks, nor is the callee mistaken for us", () => {
    const callee = new Int16Array(long.length);
    for (const [index, second] of [8, 14, 20, 26, 32].entries()) callee.set(voiceLike(2, 70 + index), second * 8_000);
    const { windows } = listen(long, throughLine(long, { lagMs: wander, callee }));
    const back = echoesIn(windows, 2_000, callee);
    expect(back.length).toBeGreaterThan(350);
    expect(back.filter(({ isOurs }) => !isOurs).length / back.length).toBeLessThan(0.02);
    const spoken = windows.filter(({ atMs, levelDbfs }) => callee[atMs * 8 - 128] !== 0 && levelDbfs > -22);
    expect(spoken.length).toBeGreaterThan(100);
    expect(spoken.filter(({ isOurs }) => isOurs).length / spoken.length).toBeLessThan(0.1);
  });

  it("is known to echo even when the first steps fall into the greeting", () => {
    const steps = [315, 355, 320, 380, 420, 400, 340, 380, 315];
    const lagMs = (atMs: number) => steps[Math.min(steps.length - 1, Math.floor(atMs / 350))] as number;
    const { windows } = listen(played, throughLine(played, { lagMs }));
    expect(windows.some(({ reading }) => reading.lineEchoes === false)).toBe(false);
    expect(windows.find(({ reading }) => reading.lineEchoes === true)?.atMs).toBeLessThan(2_000);
    expect(longestLeakMs(windows, 2_000)).toBeLessThanOrEqual(64);
  });

  it("is known to echo soon after a phone is switched to its loudspeaker, even if it was clear before", () => {
    const isLoud = (atMs: number) => atMs >= 8_000;
    const { windows } = listen(long, throughLine(long, { lagMs: (atMs) => (isLoud(atMs) ? 240 : 100_000) }));
    expect(windows.findLast(({ atMs }) => atMs < 8_000)?.reading.lineEchoes).toBe(false);
    expect(windows.find(({ reading }) => reading.lineEchoes === true)?.atMs).toBeLessThan(10_500);
  });
});
