import { samplesIn, saturate, TELEPHONE_RATE_HZ } from "@parley/audio/frame";

/** Semitones above the A below middle C: an arpeggio over four chords (A minor, F, C, G). */
const MELODY = [0, 7, 12, 15, 12, 7, -4, 3, 8, 12, 8, 3, 3, 7, 10, 15, 10, 7, -2, 5, 10, 14, 10, 5] as const;
const BASE_HZ = 220;
const NOTE_MS = 260;
const HARMONICS = [1, 0.45, 0.2, 0.08] as const;
/** About -20 dBFS on average, as music on hold is usually played. */
const AMPLITUDE = 6_500;
/** A plucked string has lost two thirds of its sound after this time. */
const DECAY_MS = 220;

/** Music for those who wait: plucked notes, without end, the same in every call. */
export class HoldMusic {
  readonly #noteSamples = samplesIn(NOTE_MS);
  #position = 0;
  #phase = 0;

  /** Overwrites the frame. */
  fill(frame: Int16Array): void {
    for (let index = 0; index < frame.length; index++) {
      const inNote = this.#position % this.#noteSamples;
      const note = MELODY[Math.floor(this.#position / this.#noteSamples) % MELODY.length] ?? 0;
      if (inNote === 0) this.#phase = 0;
      this.#phase += (2 * Math.PI * BASE_HZ * 2 ** (note / 12)) / TELEPHONE_RATE_HZ;
      const attack = Math.min(1, inNote / samplesIn(5));
      const envelope = attack * Math.exp(-inNote / samplesIn(DECAY_MS));
      let value = 0;
      for (let harmonic = 0; harmonic < HARMONICS.length; harmonic++) {
        value += (HARMONICS[harmonic] as number) * Math.sin((harmonic + 1) * this.#phase);
      }
      frame[index] = saturate(AMPLITUDE * envelope * value);
      this.#position += 1;
    }
  }
}
