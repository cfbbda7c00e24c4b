import { decodeMulaw, encodeMulaw } from "@parley/audio/g711";
import { levelDbfsOf } from "@parley/audio/level";
import { describe, expect, it } from "vitest";
import { isEcho } from "./echo-guard.ts";
import { EchoPath, type EchoReading } from "./echo-path.ts";
import { randomFrom, voiceLike } from "./testing/voice-like.ts";
import { USUAL_TURN_SETTINGS } from "./turn-settings.ts";

const WINDOW = 256;

interface LineManner {
  readonly lagMs?: number;
  readonly lossDb?: number;
  readonly isInverted?: boolean;
  readonly noise?: number;
  readonly callee?: Int16Array;
}

function throughLine(
  played: Int16Array,
  { lagMs = 180, lossDb = 18, isInverted, noise = 0, callee }: LineManner,
): Int16Array {
  const gain = 10 ** (-lossDb / 20) * (isInverted ? -1 : 1);
  const random = randomFrom(7);
  const heard = Int16Array.from(played, (_, at) => {
    const echo = (played[at - lagMs * 8] ?? 0) * gain;
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
    { name: "180 ms later and 18 dB quieter", manner: {}, lagMs: 180, lossDb: 18 },
    { name: "40 ms later", manner: { lagMs: 40 }, lagMs: 40, lossDb: 18 },
    { name: "over half a second later", manner: { lagMs: 560 }, lagMs: 560, lossDb: 18 },
    { name: "nearly as loud", manner: { lossDb: 6 }, lagMs: 180, lossDb: 6 },
    { name: "upside down", manner: { isInverted: true }, lagMs: 180, lossDb: 18 },
    { name: "behind noise", manner: { noise: 150 }, lagMs: 180, lossDb: 18 },
  ])("$name", ({ manner, lagMs, lossDb }) => {
    const { path, windows } = listen(played, throughLine(played, manner));
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

  it("a callee who speaks over us is not taken for our echo, with an echo or without", () => {
    const callee = new Int16Array(played.length);
    callee.set(voiceLike(3, 99).subarray(0, 3 * 8_000), 3 * 8_000);
    for (const lossDb of [18, 120]) {
      const { windows } = listen(played, throughLine(played, { lossDb, callee }));
      const spoken = windows.filter(({ atMs, levelDbfs }) => atMs > 3_100 && levelDbfs > -22);
      expect(spoken.length).toBeGreaterThan(30);
      expect(spoken.filter(({ isOurs }) => isOurs).length / spoken.length).toBeLessThan(0.1);
    }
  });

  it("silence after our voice is not somebody else's", () => {
    const spoken = new Int16Array(played.length + 8_000);
    spoken.set(played);
    const { windows } = listen(spoken, throughLine(spoken, { noise: 20 }));
    const lastEcho = windows.findLastIndex(({ levelDbfs }) => levelDbfs > -45);
    expect(windows.slice(lastEcho, lastEcho + 5).every(({ isOurs }) => isOurs)).toBe(true);
  });
});
