import { samplesIn, saturate, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { createSeededRandom, type RandomNumbers, seedOf } from "@parley/audio/seeded-random";
import { type Syllable, syllablesOf, type Vowel } from "./syllables.ts";

/** The first three formants of an adult's vowels (Peterson and Barney 1952, rounded). */
const FORMANTS_HZ: Readonly<Record<Vowel, readonly [number, number, number]>> = {
  a: [730, 1090, 2440],
  e: [530, 1840, 2480],
  i: [300, 2250, 2900],
  o: [570, 840, 2410],
  u: [330, 900, 2240],
};
const BANDWIDTHS_HZ = [90, 110, 170] as const;
const PITCH_MIN_HZ = 95;
const PITCH_SPAN_HZ = 115;
const LIPS = 0.85;
/** Loud as a near speaker: peaks at about -8 dBFS. */
const PEAK = 13_000;

/**
 * Speech without words, for a network without a voice: pulses of a voice through the formants of the text's
 * vowels, with its pauses and the melody of its sentences. The same text and voice produce the same samples.
 */
export function renderBabble(text: string, voice: string): Int16Array {
  const syllables = syllablesOf(text);
  const random = createSeededRandom(seedOf(`${voice}\n${text}`));
  const pitchHz = PITCH_MIN_HZ + PITCH_SPAN_HZ * createSeededRandom(seedOf(voice))();
  const pieces = syllables.map((syllable) => renderSyllable(syllable, pitchHz * melody(syllable), random));
  const length = pieces.reduce(
    (sum, piece, index) => sum + piece.length + samplesIn(syllables[index]?.pauseMs ?? 0),
    0,
  );
  const spoken = new Int16Array(length);
  let at = 0;
  pieces.forEach((piece, index) => {
    spoken.set(piece, at);
    at += piece.length + samplesIn(syllables[index]?.pauseMs ?? 0);
  });
  return spoken;
}

/** A statement falls towards its end, and a question rises. */
function melody({ progress, isQuestion }: Syllable): number {
  return isQuestion ? 1 + 0.35 * Math.max(0, progress - 0.6) : 1.08 - 0.2 * progress;
}

function renderSyllable({ vowel, durationMs }: Syllable, pitchHz: number, random: RandomNumbers): Int16Array {
  const count = samplesIn(durationMs);
  const formants = FORMANTS_HZ[vowel].map((hz, index) => new Resonator(hz, BANDWIDTHS_HZ[index] ?? 100));
  const raw = new Float64Array(count);
  let phase = 1;
  let last = 0;
  for (let index = 0; index < count; index++) {
    const progress = index / count;
    phase += (pitchHz * (1 - 0.06 * progress)) / TELEPHONE_RATE_HZ;
    let value = (random() - 0.5) * 0.02;
    if (phase >= 1) {
      phase -= 1;
      value += 1;
    }
    for (const formant of formants) value = formant.next(value);
    // Lips let high sounds out more easily than low ones; and they open and close softly.
    raw[index] = (value - LIPS * last) * Math.sin(Math.PI * Math.min(1, Math.max(0.02, progress))) ** 0.6;
    last = value;
  }
  return scaledToPeak(raw);
}

function scaledToPeak(raw: Float64Array): Int16Array {
  let peak = 1e-9;
  for (const value of raw) peak = Math.max(peak, Math.abs(value));
  const samples = Int16Array.from(raw, (value) => saturate((value / peak) * PEAK));
  return samples;
}

/** A digital resonator of two poles with a gain of one at 0 Hz, as formant synthesizers chain them (Klatt 1980). */
class Resonator {
  readonly #a: number;
  readonly #b: number;
  readonly #c: number;
  #last = 0;
  #beforeLast = 0;

  constructor(frequencyHz: number, bandwidthHz: number) {
    const radius = Math.exp((-Math.PI * bandwidthHz) / TELEPHONE_RATE_HZ);
    this.#c = -radius * radius;
    this.#b = 2 * radius * Math.cos((2 * Math.PI * frequencyHz) / TELEPHONE_RATE_HZ);
    this.#a = 1 - this.#b - this.#c;
  }

  next(input: number): number {
    const output = this.#a * input + this.#b * this.#last + this.#c * this.#beforeLast;
    this.#beforeLast = this.#last;
    this.#last = output;
    return output;
  }
}
