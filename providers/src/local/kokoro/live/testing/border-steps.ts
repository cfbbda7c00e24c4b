import { MEL_WINDOW, MelBands } from "./mel-bands.ts";

/** How much the sound changes at a place, each as the share of other places in the clip at which it changes less. */
export interface StepRanks {
  /** The sharpest bend of the waveform within 16 ms, as a multiple of its usual bend there: a click. */
  readonly bend: number;
  /** The change of level from the 32 ms before to the 32 ms after. */
  readonly level: number;
  /** The change of spectrum between the same windows. */
  readonly spectrum: number;
}

type Steps = { -readonly [Measure in keyof StepRanks]: number };

/** 5 ms at 8 kHz. */
const PLACE_EVERY = 40;
/** The place at which a border is heard is known to about this many places, so the largest change of each neighbourhood counts. */
const NEIGHBOURS = 2;
/** Other places are at least 50 ms from every border. */
const APART = 400;
const BEND_REACH = 64;
/** What is quieter than the loudest place by more than this is not compared. */
const QUIET_DB = 40;
const PLACES_MIN = 40;

/**
 * Compares the changes at borders within a clip at 8 kHz with those elsewhere in it. Without a discontinuity the ranks are those of any other place:
 * 5 of 100 are above 0.95. Null for a border in silence.
 */
export function rankSteps(samples: Int16Array, borders: readonly number[]): (StepRanks | null)[] {
  const mel = new MelBands();
  const places: { readonly at: number; readonly levelDb: number; readonly steps: Steps }[] = [];
  for (let at = MEL_WINDOW; at + MEL_WINDOW <= samples.length; at += PLACE_EVERY) {
    const [before, after] = [levelDbAt(samples, at - MEL_WINDOW), levelDbAt(samples, at)];
    const [one, other] = [mel.at(samples, at - MEL_WINDOW), mel.at(samples, at)];
    const changes = one.map((band, index) => (other[index] as number) - band);
    const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
    const spectrum = Math.sqrt(changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / changes.length);
    const quieterDb = Math.min(before, after);
    const bend = bendAt(samples, at);
    places.push({ at, levelDb: quieterDb, steps: { bend, level: Math.abs(after - before), spectrum } });
  }
  const loudestDb = Math.max(...places.map((place) => place.levelDb));
  const isAudible = (index: number) => (places[index]?.levelDb ?? Number.NEGATIVE_INFINITY) > loudestDb - QUIET_DB;
  const largest = (index: number): Steps => {
    const near = places.slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1).map(({ steps }) => steps);
    const most = (measure: keyof StepRanks) => Math.max(...near.map((steps) => steps[measure]));
    return { bend: most("bend"), level: most("level"), spectrum: most("spectrum") };
  };
  const elsewhere = [...places.keys()]
    .filter((index) => isAudible(index))
    .filter((index) => borders.every((border) => Math.abs(border - (places[index]?.at as number)) >= APART))
    .map(largest);
  return borders.map((border) => {
    const index = Math.round((border - MEL_WINDOW) / PLACE_EVERY);
    if (!isAudible(index) || elsewhere.length < PLACES_MIN) return null;
    const own = largest(index);
    const rank = (measure: keyof StepRanks) =>
      elsewhere.filter((steps) => steps[measure] < own[measure]).length / elsewhere.length;
    return { bend: rank("bend"), level: rank("level"), spectrum: rank("spectrum") };
  });
}

/** What a border adds to the change of the sound there, in decibels. */
export interface AddedStep {
  readonly levelDb: number;
  /** The root mean square over the bands. */
  readonly spectrumDb: number;
}

/** Compares the change at a border with the change at the same place of the same speech without that border. */
export function addedStep(samples: Int16Array, without: Int16Array, border: number): AddedStep {
  const mel = new MelBands();
  const change = (speech: Int16Array) => {
    const [before, after] = [mel.at(speech, border - MEL_WINDOW), mel.at(speech, border)];
    return before.map((band, index) => (after[index] as number) - band);
  };
  const changes = change(without);
  const added = change(samples).map((value, index) => ((value - (changes[index] as number)) * 20) / Math.LN10);
  const spectrumDb = Math.sqrt(added.reduce((sum, value) => sum + value * value, 0) / added.length);
  const ratioDb = (from: number) => levelDbAt(samples, from) - levelDbAt(without, from);
  return { levelDb: Math.abs(ratioDb(border) - ratioDb(border - MEL_WINDOW)), spectrumDb };
}

function levelDbAt(samples: Int16Array, from: number): number {
  let sum = 1;
  for (let at = from; at < from + MEL_WINDOW; at++) sum += (samples[at] as number) ** 2;
  return 10 * Math.log10(sum / MEL_WINDOW);
}

/** A filter that leaves what a click has and voiced speech hardly has: the highest frequencies. */
const SHARPNESS = [1, -6, 15, -20, 15, -6, 1];

/** The sharpest bend of the waveform around a place, as a multiple of the median. */
function bendAt(samples: Int16Array, place: number): number {
  const bends: number[] = [];
  for (let at = place - BEND_REACH; at < place + BEND_REACH; at++)
    bends.push(Math.abs(SHARPNESS.reduce((sum, weight, tap) => sum + weight * (samples[at + tap - 3] ?? 0), 0)));
  bends.sort((one, other) => one - other);
  return (bends.at(-1) ?? 0) / (1 + (bends[bends.length >> 1] ?? 0));
}
