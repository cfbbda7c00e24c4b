import { levelDbfsOf } from "@parley/audio/level";
import { describe, expect, it } from "vitest";
import { randomFrom, voiceLike } from "../testing/voice-like.ts";
import { USUAL_TURN_SETTINGS } from "../turn-settings.ts";
import { aboveMusicDb, type MusicWatch, NO_MUSIC, watchMusic } from "./hold-music.ts";
import { tonalityOf } from "./tonality.ts";

const WINDOW = 256;
const SECOND = 8_000;

/** Notes of a quarter of a second, each fading out. */
function music(seconds: number): Int16Array {
  const notesHz = [220, 330, 262, 392, 440];
  return Int16Array.from({ length: seconds * SECOND }, (_, at) => {
    const note = Math.floor(at / 2_000);
    const hz = notesHz[note % notesHz.length] ?? 220;
    return 6_000 * Math.exp(-(at % 2_000) / 1_800) * Math.sin((2 * Math.PI * hz * at) / SECOND);
  });
}

function noise(seconds: number): Int16Array {
  const random = randomFrom(3);
  return Int16Array.from({ length: seconds * SECOND }, () => (random() - 0.5) * 4_000);
}

function watch(sound: Int16Array, isSpeech = false, before: MusicWatch = NO_MUSIC): MusicWatch {
  let state = before;
  for (let at = 0; at + WINDOW <= sound.length; at += WINDOW) {
    const window = sound.subarray(at, at + WINDOW);
    const levelDbfs = levelDbfsOf(window);
    state = watchMusic(
      state,
      { levelDbfs, tonality: tonalityOf(window), isSpeech: isSpeech && levelDbfs > -45, durationMs: WINDOW / 8 },
      USUAL_TURN_SETTINGS,
    );
  }
  return state;
}

describe("music on hold", () => {
  it("is recognized after 5 s of it, and not before", () => {
    expect(watch(music(4)).isOn).toBe(false);
    expect(watch(music(6)).isOn).toBe(true);
  });

  it("is over at the first gap in it", () => {
    const playing = watch(music(6));
    expect(watch(new Int16Array(SECOND / 10), false, playing).isOn).toBe(true);
    expect(watch(new Int16Array(SECOND / 2), false, playing).isOn).toBe(false);
  });

  it("is not line noise, silence, or a person speaking", () => {
    expect(watch(noise(12)).isOn).toBe(false);
    expect(watch(new Int16Array(12 * SECOND)).isOn).toBe(false);
    expect(watch(voiceLike(12, 5), true).isOn).toBe(false);
  });

  it("does not drown out a person who speaks louder than it", () => {
    const playing = watch(music(6));
    expect(aboveMusicDb(playing, playing.levelDbfs + 10)).toBeCloseTo(10);
    expect(aboveMusicDb(NO_MUSIC, -60)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("tonality", () => {
  it("is high for a note, low for noise, and zero for silence", () => {
    expect(tonalityOf(music(1).subarray(0, WINDOW))).toBeGreaterThan(0.9);
    expect(tonalityOf(noise(1).subarray(0, WINDOW))).toBeLessThan(0.6);
    expect(tonalityOf(new Int16Array(WINDOW))).toBe(0);
  });
});
