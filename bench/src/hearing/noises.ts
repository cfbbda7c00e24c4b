import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { createRandom, type Random } from "@parley/audio/testing/random";
import { voiceRms } from "../speech/line-conditions.ts";

/** Background noise behind the callee, as long as needed; its level while audible is 1. */
export type Noise = (seconds: number, seed: number) => Float32Array;

/** Falls by 3 dB an octave. */
export function pinkNoise(seconds: number, seed: number): Float32Array {
  const random = createRandom(seed);
  const poles = [0.99886, 0.99332, 0.969, 0.8665, 0.55];
  const gains = [0.0555179, 0.0750759, 0.153852, 0.3104856, 0.5329522];
  const state = poles.map(() => 0);
  return normalized(
    samples(seconds, () => {
      const white = random.normal();
      for (const [index, pole] of poles.entries()) {
        state[index] = pole * (state[index] ?? 0) + (gains[index] ?? 0) * white;
      }
      return state.reduce((sum, each) => sum + each, 0.5362 * white);
    }),
  );
}

/** Falls by 6 dB an octave, all the time: a fan, a machine behind a wall, a road far away. */
export function brownNoise(seconds: number, seed: number): Float32Array {
  const random = createRandom(seed);
  let low = 0;
  return normalized(
    samples(seconds, () => {
      low = 0.98 * low + random.normal();
      return low;
    }),
  );
}

/** Falls by 6 dB an octave, like wind on a microphone. It comes in gusts. */
export function wind(seconds: number, seed: number): Float32Array {
  const random = createRandom(seed);
  let low = 0;
  let gust = 1;
  return normalized(
    samples(seconds, () => {
      low = 0.98 * low + random.normal();
      gust += 0.0004 * (random.normal() - (gust - 1) * 0.05);
      return low * Math.max(0.2, gust);
    }),
  );
}

/** The inside of a car: rolling noise below 100 Hz, the note of the engine, and a hiss of air. */
export function car(seconds: number, seed: number): Float32Array {
  const random = createRandom(seed);
  let roll = 0;
  let rumble = 0;
  let phase = 0;
  return normalized(
    samples(seconds, (index) => {
      roll = 0.93 * roll + random.normal();
      rumble = 0.95 * rumble + 0.05 * roll;
      phase += (2 * Math.PI * (85 + 10 * Math.sin(index / TELEPHONE_RATE_HZ))) / TELEPHONE_RATE_HZ;
      return 6 * rumble + 0.5 * Math.sin(phase) + 0.25 * Math.sin(2 * phase) + 0.15 * random.normal();
    }),
  );
}

/** A tune in chords over a bass, with a beat. */
export function music(seconds: number, seed: number): Float32Array {
  const random = createRandom(seed);
  const scale = [0, 2, 4, 5, 7, 9, 11];
  const noteHz = (degree: number) => 220 * 2 ** ((scale[degree % 7] ?? 0) / 12 + Math.floor(degree / 7));
  const beat = Math.round(TELEPHONE_RATE_HZ * 0.35);
  const melody = Array.from({ length: Math.ceil((seconds * TELEPHONE_RATE_HZ) / beat) + 1 }, () =>
    random.wholeBetween(0, 13),
  );
  return normalized(
    samples(seconds, (index) => {
      const at = Math.floor(index / beat);
      const inBeat = (index % beat) / TELEPHONE_RATE_HZ;
      const chord = [0, 3, 4, 0][Math.floor(at / 4) % 4] ?? 0;
      const tones = [chord, chord + 2, chord + 4].map((degree) =>
        Math.sin((2 * Math.PI * noteHz(degree) * index) / 8_000),
      );
      const tune = Math.sin((2 * Math.PI * noteHz(melody[at] ?? 0) * index) / 8_000) * Math.exp(-2 * inBeat);
      const bass = Math.sin((2 * Math.PI * (noteHz(chord) / 2) * index) / 8_000);
      const drum = Math.exp(-60 * inBeat) * random.normal();
      return tones.reduce((sum, tone) => sum + tone, 0) / 3 + tune + 0.7 * bass + 0.6 * drum;
    }),
  );
}

/** Several people talking at the same time, somewhere in the room. */
export function babbleOf(voices: readonly Int16Array[], people: number): Noise {
  return (seconds, seed) => {
    const random = createRandom(seed);
    const mixed = new Float32Array(Math.ceil(seconds * TELEPHONE_RATE_HZ));
    for (let person = 0; person < people; person++) speakAlong(mixed, voices, random);
    return normalized(mixed);
  };
}

function speakAlong(mixed: Float32Array, voices: readonly Int16Array[], random: Random): void {
  for (
    let at = -random.wholeBetween(0, TELEPHONE_RATE_HZ);
    at < mixed.length;
    at += random.wholeBetween(0, TELEPHONE_RATE_HZ / 2)
  ) {
    const voice = random.pick(voices);
    const gain = 1 / voiceRms(voice);
    for (const [index, sample] of voice.entries()) {
      if (at + index >= 0 && at + index < mixed.length) mixed[at + index] = (mixed[at + index] ?? 0) + sample * gain;
    }
    at += voice.length;
  }
}

function samples(seconds: number, next: (index: number) => number): Float32Array {
  return Float32Array.from({ length: Math.ceil(seconds * TELEPHONE_RATE_HZ) }, (_, index) => next(index));
}

function normalized(sound: Float32Array): Float32Array {
  const rms = Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, sound.length));
  return sound.map((sample) => sample / Math.max(rms, 1e-9));
}
