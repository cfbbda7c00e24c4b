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

const seconds = (count: number, next: (index: number) => number) =>
  Int16Array.from({ length: count * SECOND }, (_, at) => next(at));

/** Falls by 3 dB an octave, over six of them. */
function pink(count: number, seed: number): Int16Array {
  const random = randomFrom(seed);
  const octaves = Array.from({ length: 6 }, () => 0);
  return seconds(count, (at) => {
    for (const [octave] of octaves.entries()) if (at % 2 ** octave === 0) octaves[octave] = random() - 0.5;
    return octaves.reduce((sum, each) => sum + 3_000 * each, 0);
  });
}

/** Falls by 6 dB an octave; in gusts, it is wind. */
function brown(count: number, seed: number, isInGusts: boolean): Int16Array {
  const random = randomFrom(seed);
  let level = 0;
  return seconds(count, (at) => {
    level = 0.98 * level + random() - 0.5;
    return 2_500 * level * (isInGusts ? 1.1 + Math.sin(at / 5_000) : 1);
  });
}

/** Rolling noise, the note of the engine, and a hiss. */
function car(count: number, seed: number): Int16Array {
  const random = randomFrom(seed);
  const rolling = brown(count, seed, false);
  let phase = 0;
  return seconds(count, (at) => {
    phase += (2 * Math.PI * (85 + 10 * Math.sin(at / SECOND))) / SECOND;
    return (rolling[at] as number) + 700 * Math.sin(phase) + 400 * Math.sin(2 * phase) + 600 * (random() - 0.5);
  });
}

function babble(count: number, people: number, seed: number): Int16Array {
  const voices = Array.from({ length: people }, (_, person) => voiceLike(count, 31 * seed + person, 4_000));
  return seconds(count, (at) => voices.reduce((sum, voice) => sum + (voice[at] as number), 0));
}

/** `speechShare` is how many of the audible windows speech detection takes for speech. */
function watch(sound: Int16Array, speechShare = 0, before: MusicWatch = NO_MUSIC): MusicWatch {
  const random = randomFrom(11);
  let state = before;
  for (let at = 0; at + WINDOW <= sound.length; at += WINDOW) {
    const window = sound.subarray(at, at + WINDOW);
    const levelDbfs = levelDbfsOf(window);
    state = watchMusic(
      state,
      {
        ...{ levelDbfs, tonality: tonalityOf(window), durationMs: WINDOW / 8 },
        isSpeech: levelDbfs > -45 && random() < speechShare,
      },
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
    expect(watch(new Int16Array(SECOND / 10), 0, playing).isOn).toBe(true);
    expect(watch(new Int16Array(SECOND / 2), 0, playing).isOn).toBe(false);
  });

  it("is not line noise, silence, or a person speaking", () => {
    expect(watch(noise(12)).isOn).toBe(false);
    expect(watch(new Int16Array(12 * SECOND)).isOn).toBe(false);
    expect(watch(voiceLike(12, 5), 1).isOn).toBe(false);
  });

  it.each([
    ["pink noise", pink],
    ["brown noise", (count: number, seed: number) => brown(count, seed, false)],
    ["wind", (count: number, seed: number) => brown(count, seed, true)],
    ["a car", car],
  ] as const)("is not %s, which speech detection takes for no speech at all", (_, noiseOf) => {
    for (const seed of [1, 2, 3]) {
      const sound = noiseOf(15, seed);
      expect(levelDbfsOf(sound)).toBeGreaterThan(-40);
      expect(watch(sound).isOn).toBe(false);
    }
  });

  it.each([2, 3, 5, 8])("is not the babble of %i people, of which detection hears the half as speech", (people) => {
    for (const seed of [1, 2, 3]) expect(watch(babble(15, people, seed), 0.5).isOn).toBe(false);
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
