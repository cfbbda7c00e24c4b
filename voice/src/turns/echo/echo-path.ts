import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { levelDbfsOf } from "@parley/audio/level";
import type { EchoMark } from "./echo-guard.ts";
import { LagCandidate, type LagFound, LagSearch, THIN_RATE_HZ, thin } from "./lag-search.ts";

export interface EchoReading {
  /** Whether the line sends back what we play; null while that is not known. */
  readonly lineEchoes: boolean | null;
  /** Null on a line that does not echo, or is not known to. */
  readonly mark: EchoMark | null;
}

interface Learned {
  readonly lag: number;
  readonly lossDb: number;
  /** The similarity when the loss was last updated. */
  readonly surestLikeness: number;
}

/** Satellite lines and the buffers of both ends. */
const LAG_MAX_MS = 640;
const LAGS = (LAG_MAX_MS * THIN_RATE_HZ) / 1000;
/**
 * The buffers of both ends grow and shrink during a call, and each step (usually 20 ms) shifts our echo by that much. A
 * short memory detects a lag that is recent.
 */
const SHORT_MEMORY_MS = 200;
/** A long memory detects an echo behind noise. */
const LONG_MEMORY_MS = 800;
const MEMORIES_MS = [SHORT_MEMORY_MS, LONG_MEMORY_MS];
const RECENT = 0;
const LASTING = 1;
const NEAR_MEMORY_MS = 64;
/** The echo of a room is spread around its lag. */
const NEAR_LAGS = 17;
/** How much earlier our echo may return when a buffer has just become shorter. */
const LEAD_MS = 100;
/** A room keeps reverberating, and speech detection keeps reporting speech, after our voice has ended. */
const TAIL_MS = 200;
/**
 * The similarity at one lag, and the duration, required to accept it. A bare echo is above 0.9, and two voices reach by
 * chance 0.6 in the short memory and 0.4 in the long one, but not at the known level of our echo.
 */
const PLAIN_LIKENESS_MIN = 0.75;
const PLAIN_MS = 96;
const FAINT_MS = 400;
/** While the search still remembers the previous lag, the new one appears quieter than it is, but hardly louder. */
const SOFTER_MAX_DB = 8;
const LOUDER_MAX_DB = 4;
/**
 * The loss is taken from measurements about as certain as the best one: others mix lags or voices, and make the echo
 * seem quieter.
 */
const SURE_SHARE = 0.9;
/** On a line that was clear for this much of our voice, a search every so many windows is enough. */
const SETTLED_MS = 6_000;
const SEARCH_EVERY = 4;
/** After this much of our voice without any similarity the line is considered clear. */
const CLEAR_MS = 1_500;
const PLAYING_DBFS = -50;
const AUDIBLE_DBFS = -65;

/**
 * Learns from the audio of one call how late and how loud our own voice returns, by correlating received with played
 * audio, and follows changes. Both are added window by window, from equal positions.
 */
export class EchoPath {
  readonly #windowMs: number;
  /** The played audio, downsampled; the newest window is at its end. */
  readonly #played: Float32Array;
  readonly #heard: Float32Array;
  readonly #search: LagSearch;
  readonly #near: LagSearch;
  #sinceSearch = 0;
  /** The levels of the latest windows, newest first. */
  readonly #levelsDbfs: Float32Array;
  readonly #leadWindows: number;
  readonly #tailWindows: number;
  #learned: Learned | null = null;
  readonly #recent = new LagCandidate();
  readonly #lasting = new LagCandidate();
  #playedMs = 0;
  #sincePlayedMs = Number.POSITIVE_INFINITY;

  constructor(windowSamples: number) {
    this.#windowMs = (windowSamples * 1000) / TELEPHONE_RATE_HZ;
    const count = Math.floor((windowSamples * THIN_RATE_HZ) / TELEPHONE_RATE_HZ);
    this.#search = new LagSearch(LAGS, this.#windowMs, MEMORIES_MS);
    this.#near = new LagSearch(NEAR_LAGS, this.#windowMs, [NEAR_MEMORY_MS]);
    this.#heard = new Float32Array(count);
    this.#played = new Float32Array(LAGS + count);
    this.#leadWindows = Math.ceil(LEAD_MS / this.#windowMs);
    // The echo in one window was played in two.
    this.#tailWindows = 2 + Math.ceil(TAIL_MS / this.#windowMs);
    this.#levelsDbfs = new Float32Array(Math.ceil(LAGS / count) + this.#tailWindows).fill(AUDIBLE_DBFS);
  }

  /** The delay of our echo; null while it is unknown. */
  get lagMs(): number | null {
    return this.#learned === null ? null : (this.#learned.lag * 1000) / THIN_RATE_HZ;
  }

  /** How much quieter the echo is. */
  get lossDb(): number | null {
    return this.#learned?.lossDb ?? null;
  }

  hear(heard: Int16Array, played: Int16Array): EchoReading {
    const playedDbfs = levelDbfsOf(played);
    this.#shift(played, playedDbfs);
    this.#sincePlayedMs = playedDbfs > PLAYING_DBFS ? 0 : this.#sincePlayedMs + this.#windowMs;
    // None of our audio is returning.
    if (this.#sincePlayedMs > LAG_MAX_MS) return { lineEchoes: this.#lineEchoes(), mark: null };
    if (playedDbfs > PLAYING_DBFS) this.#playedMs += this.#windowMs;
    if (levelDbfsOf(heard) > AUDIBLE_DBFS) {
      thin(heard, this.#heard);
      this.#compare();
    }
    return { lineEchoes: this.#lineEchoes(), mark: this.#mark() };
  }

  /** A line with something similar to our voice is not considered clear until that turns out to be chance. */
  #lineEchoes(): boolean | null {
    if (this.#learned !== null) return true;
    const isLike = this.#recent.isLike || this.#lasting.isLike;
    return this.#playedMs >= CLEAR_MS && !isLike ? false : null;
  }

  #shift(played: Int16Array, playedDbfs: number): void {
    this.#played.copyWithin(0, this.#heard.length);
    thin(played, this.#played.subarray(LAGS));
    this.#levelsDbfs.copyWithin(1, 0);
    this.#levelsDbfs[0] = playedDbfs;
  }

  #compare(): void {
    this.#sinceSearch += 1;
    const isSettled = this.#learned === null && this.#playedMs >= SETTLED_MS;
    if (!isSettled || this.#sinceSearch >= SEARCH_EVERY) {
      this.#sinceSearch = 0;
      this.#search.add(this.#heard, this.#played);
      this.#recent.follow(this.#search.best(RECENT), this.#windowMs);
      this.#lasting.follow(this.#search.best(LASTING), this.#windowMs);
      this.#learn();
    }
    if (this.#learned === null) return;
    const fromLag = Math.min(LAGS - NEAR_LAGS, Math.max(0, this.#learned.lag - (NEAR_LAGS >> 1)));
    this.#near.add(this.#heard, this.#played, fromLag);
  }

  #learn(): void {
    const found = this.#believed();
    if (found === null) return;
    const known = this.#learned;
    const surestLikeness = Math.max(known?.surestLikeness ?? 0, found.likeness);
    const isSure = known === null || found.likeness >= SURE_SHARE * surestLikeness;
    this.#learned = { lag: found.lag, surestLikeness, lossDb: isSure ? lossDbOf(found) : known.lossDb };
  }

  #believed(): LagFound | null {
    const recent = this.#recent.lasted(PLAIN_MS);
    if (recent !== null && (recent.likeness >= PLAIN_LIKENESS_MIN || this.#isOurLoudness(recent))) return recent;
    // On a line that is already known, the long history adds nothing.
    return this.#learned === null ? this.#lasting.lasted(FAINT_MS) : null;
  }

  /** Whether the match is about as loud as our echo was before. */
  #isOurLoudness(found: LagFound): boolean {
    if (this.#learned === null) return false;
    const softerDb = lossDbOf(found) - this.#learned.lossDb;
    return softerDb <= SOFTER_MAX_DB && softerDb >= -LOUDER_MAX_DB;
  }

  #mark(): EchoMark | null {
    if (this.#learned === null) return null;
    const { lag, lossDb } = this.#learned;
    const back = Math.floor(lag / this.#heard.length);
    const first = Math.max(0, back - this.#leadWindows);
    const playedDbfs = Math.max(...this.#levelsDbfs.subarray(first, back + this.#tailWindows));
    const expectedDbfs = playedDbfs > PLAYING_DBFS ? playedDbfs - lossDb : null;
    return { likeness: this.#near.best().likeness, expectedDbfs };
  }
}

function lossDbOf({ gain }: LagFound): number {
  return -20 * Math.log10(gain);
}
