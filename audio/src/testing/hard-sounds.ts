import { saturate } from "../frame.ts";
import { createRandom, type Random } from "./random.ts";

/** Audio that detectors must not mistake for signals, generated from a seed: voices, music and noise of a telephone. */
export interface HardSound {
  seed: number;
  seconds: number;
}

const RATE_HZ = 8000;

/** A two-pole resonance that moves, as a mouth does. */
class Formant {
  #last = 0;
  #before = 0;

  step(input: number, frequencyHz: number, bandwidthHz: number): number {
    const radius = Math.exp((-Math.PI * bandwidthHz) / RATE_HZ);
    const cosine = Math.cos((2 * Math.PI * frequencyHz) / RATE_HZ);
    const output = input * (1 - radius) + 2 * radius * cosine * this.#last - radius * radius * this.#before;
    this.#before = this.#last;
    this.#last = output;
    return output;
  }
}

/**
 * Syllables of a voice: pulses at a gliding pitch through three formants, hisses, and pauses. Some of them are sung.
 */
export function renderVoice({ seed, seconds }: HardSound): Int16Array {
  const random = createRandom(seed);
  const samples = new Int16Array(seconds * RATE_HZ);
  const [first, second, third] = [new Formant(), new Formant(), new Formant()];
  const voiceHz = random.between(85, 320);
  let phase = 0;
  for (let start = 0; start < samples.length; ) {
    const length = Math.min(samples.length - start, Math.round(random.between(0.06, 0.5) * RATE_HZ));
    const kind = random.next();
    const isSung = kind < 0.15;
    const fromHz = voiceHz * random.between(0.8, 1.5);
    const toHz = isSung ? fromHz : fromHz * random.between(0.75, 1.3);
    const vowel = {
      first: random.between(250, 950),
      second: random.between(650, 2500),
      third: random.between(2000, 3300),
    };
    const loudness = kind > 0.85 ? 0 : random.between(4000, 30_000);
    const isHissed = kind > 0.7;
    for (let index = 0; index < length; index++) {
      const share = index / length;
      phase += (fromHz + (toHz - fromHz) * share) / RATE_HZ;
      const pulse = phase >= 1 ? 8 : 0;
      if (phase >= 1) phase -= 1;
      const source = (isHissed ? random.normal() : pulse) + 0.02 * random.normal();
      const envelope = Math.min(1, 12 * share, 12 * (1 - share));
      const sound =
        first.step(source, vowel.first, 70) +
        0.6 * second.step(source, vowel.second, 100) +
        0.25 * third.step(source, vowel.third, 160);
      samples[start + index] = saturate(loudness * envelope * sound);
    }
    start += length;
  }
  return samples;
}

/** Chords of plucked notes with a few overtones each, in tempered tuning, like hold music. */
export function renderMusic({ seed, seconds }: HardSound): Int16Array {
  const random = createRandom(seed);
  const sums = new Float64Array(seconds * RATE_HZ);
  for (let start = 0; start < sums.length; start += Math.round(random.pick([0.15, 0.25, 0.5, 1]) * RATE_HZ)) {
    for (let note = random.wholeBetween(1, 4); note > 0; note--) addNote(sums, start, random);
  }
  return Int16Array.from(sums, saturate);
}

function addNote(sums: Float64Array, start: number, random: Random): void {
  const pitchHz = 110 * 2 ** (random.wholeBetween(0, 40) / 12);
  const decaySeconds = random.between(0.1, 0.8);
  const loudness = random.between(1500, 6000);
  const overtones = [1, random.between(0.2, 0.8), random.between(0.1, 0.5), random.between(0.05, 0.3)];
  const end = Math.min(sums.length, start + Math.round(3 * decaySeconds * RATE_HZ));
  for (const [overtone, strength] of overtones.entries()) {
    const step = (2 * Math.PI * pitchHz * (overtone + 1)) / RATE_HZ;
    if (step >= Math.PI) continue;
    for (let at = start; at < end; at++) {
      const age = (at - start) / RATE_HZ;
      sums[at] =
        (sums[at] as number) + loudness * strength * Math.exp(-age / decaySeconds) * Math.sin(step * (at - start));
    }
  }
}

/** Noise whose colour and level drift, like wind, traffic and bad lines. */
export function renderNoise({ seed, seconds }: HardSound): Int16Array {
  const random = createRandom(seed);
  const formant = new Formant();
  let centreHz = 1000;
  let loudness = 5000;
  return Int16Array.from({ length: seconds * RATE_HZ }, (_, index) => {
    if (index % 1600 === 0) {
      centreHz = random.between(300, 3000);
      loudness = random.between(500, 12_000);
    }
    return saturate(loudness * (0.3 * random.normal() + 3 * formant.step(random.normal(), centreHz, 60)));
  });
}

/** Voices, music and noise: two minutes of it, and seven in `npm run test:all`. */
export function renderHardSounds(): Int16Array[] {
  const [voiceS, musicS, noiseS] = process.env["PARLEY_TESTS_THOROUGH"] === "1" ? [30, 120, 60] : [10, 30, 10];
  const voices = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => renderVoice({ seed, seconds: voiceS }));
  return [...voices, renderMusic({ seed: 9, seconds: musicS }), renderNoise({ seed: 10, seconds: noiseS })];
}
