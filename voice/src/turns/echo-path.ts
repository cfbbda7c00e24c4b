import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { levelDbfsOf } from "@parley/audio/level";
import type { EchoMark } from "./echo-guard.ts";

export interface EchoReading {
  /** Whether the line sends back what we play; null while that is not known. */
  readonly lineEchoes: boolean | null;
  /** Null on a line that does not echo, or is not known to. */
  readonly mark: EchoMark | null;
}

/** Every fourth sample is enough to tell where speech comes from: most of its energy is below 1 kHz. */
const STEP = 4;
const RATE_HZ = TELEPHONE_RATE_HZ / STEP;
/** Satellite lines and the buffers of both ends. */
const LAG_MAX_MS = 640;
const LAGS = (LAG_MAX_MS * RATE_HZ) / 1000;
/** How long the search remembers: longer is surer, shorter follows a line whose delay changes. */
const MEMORY_MS = 800;
const SHORT_MEMORY_MS = 64;
/** The echo of a room comes spread around its lag. */
const NEAR_LAGS = 17;
/** A room goes on sounding, and speech detection goes on believing, when our voice has ended. */
const TAIL_MS = 200;
/** Chance brings two voices to some 0.35; a bare echo is above 0.9, one behind noise or a bad speaker above 0.5. */
const LEARN_LIKENESS_MIN = 0.5;
const LEARN_MS = 400;
/** Once it is known what the line does, a full search through all lags every so many windows is enough. */
const SEARCH_EVERY = 4;
/** After so much of our voice without any likeness the line is taken to be clear. */
const CLEAR_MS = 1_500;
const PLAYING_DBFS = -50;
const AUDIBLE_DBFS = -65;

/**
 * Learns from the sound of one call how late and how loud our own voice comes back, by correlating what is heard with
 * what was played. Both are given window by window, from equal positions.
 */
export class EchoPath {
  readonly #windowSamples: number;
  readonly #count: number;
  /** What was played, thinned out; the newest window is at its end. */
  readonly #played: Float32Array;
  readonly #heard: Float32Array;
  readonly #products = new Float64Array(LAGS);
  readonly #playedEnergies = new Float64Array(LAGS);
  #heardEnergy = 0;
  readonly #nearProducts = new Float64Array(NEAR_LAGS);
  readonly #nearEnergies = new Float64Array(NEAR_LAGS);
  #nearHeardEnergy = 0;
  #sinceSearch = 0;
  /** How loud the latest windows were, the newest first. */
  readonly #levelsDbfs: Float32Array;
  readonly #tailWindows: number;
  #learned: { lag: number; lossDb: number } | null = null;
  #candidate = -1;
  #candidateMs = 0;
  #playedMs = 0;
  #sincePlayedMs = Number.POSITIVE_INFINITY;

  constructor(windowSamples: number) {
    this.#windowSamples = windowSamples;
    this.#count = Math.floor(windowSamples / STEP);
    this.#heard = new Float32Array(this.#count);
    this.#played = new Float32Array(LAGS + this.#count);
    // What comes back in one window was played in two.
    this.#tailWindows = 2 + Math.ceil((TAIL_MS * TELEPHONE_RATE_HZ) / 1000 / windowSamples);
    this.#levelsDbfs = new Float32Array(Math.ceil(LAGS / this.#count) + this.#tailWindows).fill(AUDIBLE_DBFS);
  }

  /** How late our voice comes back; null while that is not known. */
  get lagMs(): number | null {
    return this.#learned === null ? null : (this.#learned.lag * 1000) / RATE_HZ;
  }

  /** By how much it is quieter then. */
  get lossDb(): number | null {
    return this.#learned?.lossDb ?? null;
  }

  hear(heard: Int16Array, played: Int16Array): EchoReading {
    const windowMs = (this.#windowSamples * 1000) / TELEPHONE_RATE_HZ;
    const playedDbfs = levelDbfsOf(played);
    this.#shift(played, playedDbfs);
    this.#sincePlayedMs = playedDbfs > PLAYING_DBFS ? 0 : this.#sincePlayedMs + windowMs;
    // Nothing of ours is on its way back.
    if (this.#sincePlayedMs > LAG_MAX_MS) return { lineEchoes: this.#lineEchoes(), mark: null };
    if (playedDbfs > PLAYING_DBFS) this.#playedMs += windowMs;
    if (levelDbfsOf(heard) > AUDIBLE_DBFS) {
      thin(heard, this.#heard);
      this.#search(windowMs);
    }
    return { lineEchoes: this.#lineEchoes(), mark: this.#mark() };
  }

  #search(windowMs: number): void {
    const isKnown = this.#lineEchoes() !== null;
    this.#sinceSearch += 1;
    if (!isKnown || this.#sinceSearch >= SEARCH_EVERY) {
      this.#accumulate(windowMs);
      this.#learn(windowMs * this.#sinceSearch);
      this.#sinceSearch = 0;
    }
    if (this.#learned !== null) this.#compareNear(this.#learned.lag, windowMs);
  }

  #lineEchoes(): boolean | null {
    if (this.#learned !== null) return true;
    return this.#playedMs >= CLEAR_MS ? false : null;
  }

  #shift(played: Int16Array, playedDbfs: number): void {
    this.#played.copyWithin(0, this.#count);
    thin(played, this.#played.subarray(LAGS));
    this.#levelsDbfs.copyWithin(1, 0);
    this.#levelsDbfs[0] = playedDbfs;
  }

  #accumulate(windowMs: number): void {
    const keep = Math.exp(-windowMs / MEMORY_MS);
    this.#heardEnergy = this.#heardEnergy * keep + energyOf(this.#heard, 0, this.#count);
    const heard = this.#heard;
    const played = this.#played;
    const count = this.#count;
    let playedEnergy = energyOf(played, LAGS, count);
    for (let lag = 0; lag < LAGS; lag++) {
      const start = LAGS - lag;
      this.#products[lag] = (this.#products[lag] as number) * keep + productOf(heard, played, start, count);
      this.#playedEnergies[lag] = (this.#playedEnergies[lag] as number) * keep + playedEnergy;
      // One further back: a sample comes in at the front and one leaves at the end.
      playedEnergy += (played[start - 1] as number) ** 2 - (played[start + count - 1] as number) ** 2;
      if (playedEnergy < 0) playedEnergy = 0;
    }
  }

  /** How much the last moments are like what we played one lag before. */
  #compareNear(lag: number, windowMs: number): void {
    const keep = Math.exp(-windowMs / SHORT_MEMORY_MS);
    this.#nearHeardEnergy = this.#nearHeardEnergy * keep + energyOf(this.#heard, 0, this.#count);
    for (let index = 0; index < NEAR_LAGS; index++) {
      const start = LAGS - Math.min(LAGS - 1, Math.max(0, lag - (NEAR_LAGS >> 1) + index));
      const product = productOf(this.#heard, this.#played, start, this.#count);
      this.#nearProducts[index] = (this.#nearProducts[index] as number) * keep + product;
      const energy = energyOf(this.#played, start, this.#count);
      this.#nearEnergies[index] = (this.#nearEnergies[index] as number) * keep + energy;
    }
  }

  /** A lag is believed when it is the best one for a while. */
  #learn(windowMs: number): void {
    let best = -1;
    let likeness = LEARN_LIKENESS_MIN;
    for (let lag = 0; lag < LAGS; lag++) {
      const here = likenessOf(this.#products, this.#playedEnergies, lag, this.#heardEnergy);
      if (here > likeness) {
        likeness = here;
        best = lag;
      }
    }
    const isSame = best >= 0 && Math.abs(best - this.#candidate) <= 2;
    this.#candidateMs = isSame ? this.#candidateMs + windowMs : 0;
    this.#candidate = best;
    if (best < 0 || this.#candidateMs < LEARN_MS) return;
    const gain = Math.abs(this.#products[best] as number) / (this.#playedEnergies[best] as number);
    this.#learned = { lag: best, lossDb: -20 * Math.log10(gain) };
  }

  #mark(): EchoMark | null {
    if (this.#learned === null) return null;
    const { lag, lossDb } = this.#learned;
    let likeness = 0;
    for (let index = 0; index < NEAR_LAGS; index++) {
      likeness = Math.max(likeness, likenessOf(this.#nearProducts, this.#nearEnergies, index, this.#nearHeardEnergy));
    }
    const first = Math.floor(lag / this.#count);
    const playedDbfs = Math.max(...this.#levelsDbfs.subarray(first, first + this.#tailWindows));
    return { likeness, expectedDbfs: playedDbfs > PLAYING_DBFS ? playedDbfs - lossDb : null };
  }
}

function likenessOf(products: Float64Array, energies: Float64Array, lag: number, heardEnergy: number): number {
  const scale = Math.sqrt((energies[lag] as number) * heardEnergy);
  // A far end may turn the wave upside down.
  return scale > 0 ? Math.abs(products[lag] as number) / scale : 0;
}

function productOf(heard: Float32Array, played: Float32Array, start: number, count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += (heard[index] as number) * (played[start + index] as number);
  return sum;
}

function energyOf(sound: Float32Array, start: number, count: number): number {
  let sum = 0;
  for (let index = start; index < start + count; index++) sum += (sound[index] as number) ** 2;
  return sum;
}

/** Averages before leaving samples out, so that what is left has no false tones in it. */
function thin(samples: Int16Array, out: Float32Array): void {
  const count = Math.floor(samples.length / STEP);
  for (let index = 0; index < count; index++) {
    const at = index * STEP;
    const sum =
      (samples[at] as number) + (samples[at + 1] as number) + (samples[at + 2] as number) + (samples[at + 3] as number);
    out[index] = sum / (STEP * 32_768);
  }
}
