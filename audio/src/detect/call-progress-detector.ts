import { samplesIn } from "../frame.ts";
import { rmsAt } from "../level.ts";
import { GoertzelBank } from "./goertzel.ts";
import type { HeardTone, ToneTracker } from "./tone-tracker.ts";

/** What a line without words signals. */
export type CallProgress = "ringing" | "busy" | "congestion";

export interface CallProgressEvent {
  type: "call_progress.heard";
  progress: CallProgress;
  position: number;
}

/** A burst and the pause after it. */
interface Beat {
  soundMs: number;
  pauseMs: number;
}

/** 40 ms: whole periods of every multiple of 25 Hz, so that the bins below share out the power without overlap. */
const NETWORK_BLOCK_SAMPLES = 320;
/** Around 400 to 480 Hz and 620 Hz, where ringing and busy tones are from America to Europe. */
const BINS_HZ = [375, 400, 425, 450, 475, 500, 525, 575, 600, 625, 650, 675];
const SHARE_MIN = 0.8;
const TONE_POWER_MIN = rmsAt(-40) ** 2;
const QUIET_POWER_MAX = rmsAt(-46) ** 2;
const BLOCK_MS = (NETWORK_BLOCK_SAMPLES * 1000) / samplesIn(1000);
/** Pauses longer than this belong to no known signal. */
const PAUSE_MAX_MS = 4600;
const OTHER_MAX_BLOCKS = 2;
const BEATS_KEPT = 3;

/**
 * Distinguishes ringing, busy and congested lines by their rhythm, in which countries differ least: two beats of busy,
 * two of the quicker congestion, or the second ring after a long pause. One event per change of mind.
 */
export class CallProgressDetector {
  readonly #listener: (event: CallProgressEvent) => void;
  readonly #band = new NetworkBand();
  readonly #block = new Float64Array(NETWORK_BLOCK_SAMPLES);
  readonly #beats: Beat[] = [];
  #filled = 0;
  #position = 0;
  #soundMs = 0;
  #pauseMs = 0;
  #otherBlocks = 0;
  #reported: CallProgress | null = null;

  constructor(listener: (event: CallProgressEvent) => void) {
    this.#listener = listener;
  }

  push(frame: Int16Array): void {
    for (let index = 0; index < frame.length; index++) {
      this.#block[this.#filled] = frame[index] as number;
      this.#filled += 1;
      if (this.#filled < NETWORK_BLOCK_SAMPLES) continue;
      this.#filled = 0;
      this.#position += NETWORK_BLOCK_SAMPLES;
      this.#follow(this.#band.judge(this.#block));
    }
  }

  #follow(sound: NetworkSound): void {
    // The edge of a tone is a block of neither; more of that is speech or music, and then no rhythm counts.
    this.#otherBlocks = sound === "other" ? this.#otherBlocks + 1 : 0;
    if (this.#otherBlocks > OTHER_MAX_BLOCKS) return this.#startOver();
    if (sound === "tone") this.#hearSound();
    else if (this.#soundMs > 0) this.#hearPause();
  }

  #hearSound(): void {
    if (this.#pauseMs > 0) {
      this.#beats.push({ soundMs: this.#soundMs, pauseMs: this.#pauseMs });
      if (this.#beats.length > BEATS_KEPT) this.#beats.shift();
      this.#soundMs = 0;
      this.#pauseMs = 0;
    }
    this.#soundMs += BLOCK_MS;
    const progress = progressOf(this.#beats);
    if (progress === null || progress === this.#reported || this.#soundMs < 100) return;
    this.#reported = progress;
    this.#listener({ type: "call_progress.heard", progress, position: this.#position });
  }

  #hearPause(): void {
    this.#pauseMs += BLOCK_MS;
    if (this.#pauseMs > PAUSE_MAX_MS) this.#startOver();
  }

  #startOver(): void {
    this.#beats.length = 0;
    this.#soundMs = 0;
    this.#pauseMs = 0;
  }
}

/** E.180 and its supplement: busy is slow and even, congestion quick or uneven, ringing has long pauses. */
function progressOf(beats: readonly Beat[]): CallProgress | null {
  const last = beats.at(-1);
  const before = beats.at(-2);
  if (!last) return null;
  if (isWithin(last.soundMs, 320, 2300) && last.pauseMs >= 1700) return "ringing";
  if (!before) return null;
  const isBusy = (beat: Beat) => isWithin(beat.soundMs, 320, 640) && isWithin(beat.pauseMs, 320, 640);
  const isQuick = (beat: Beat) => isWithin(beat.soundMs, 140, 310) && isWithin(beat.pauseMs, 140, 310);
  const isSame = Math.abs(last.soundMs - before.soundMs) <= 80 && Math.abs(last.pauseMs - before.pauseMs) <= 80;
  if (isQuick(last) && isQuick(before)) return "congestion";
  if (isBusy(last) && isBusy(before) && isSame) return "busy";
  // The British form alternates long and short.
  const [short, long] = last.soundMs < before.soundMs ? [last, before] : [before, last];
  const isUneven =
    isWithin(short.soundMs, 160, 300) && isWithin(long.soundMs, 320, 480) && short.pauseMs > long.pauseMs;
  return isUneven && isWithin(short.pauseMs, 440, 620) && isWithin(long.pauseMs, 270, 440) ? "congestion" : null;
}

function isWithin(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}

export type NetworkSound = "tone" | "quiet" | "other";

/** Distinguishes network signals from silence and everything else, block by block. */
class NetworkBand {
  readonly #bank = new GoertzelBank(BINS_HZ, NETWORK_BLOCK_SAMPLES);

  judge(block: Float64Array): NetworkSound {
    let energy = 0;
    for (let at = 0; at < NETWORK_BLOCK_SAMPLES; at++) {
      const sample = block[at] as number;
      energy += sample * sample;
    }
    if (energy < QUIET_POWER_MAX * NETWORK_BLOCK_SAMPLES) return "quiet";
    if (energy < TONE_POWER_MIN * NETWORK_BLOCK_SAMPLES) return "other";
    this.#bank.measure(block);
    let inBand = 0;
    for (let index = 0; index < BINS_HZ.length; index++) {
      const real = this.#bank.real[index] as number;
      const imaginary = this.#bank.imaginary[index] as number;
      inBand += (2 * (real * real + imaginary * imaginary)) / NETWORK_BLOCK_SAMPLES;
    }
    return inBand >= SHARE_MIN * energy ? "tone" : "other";
  }
}

export interface SpecialInformationEvent {
  type: "special_information.heard";
  startPosition: number;
  endPosition: number;
}

/** ITU-T E.180 with 50 Hz to either side, which includes the American forms. */
const PITCHES_HZ = [950, 1400, 1800] as const;
const PITCH_TOLERANCE_HZ = 60;
const DURATION_MIN_SAMPLES = samplesIn(220);
const DURATION_MAX_SAMPLES = samplesIn(440);
const PAUSE_MAX_SAMPLES = samplesIn(80);

/** Detects the three rising tones before an announcement that the number cannot be reached. */
export class SpecialInformationDetector {
  #heard = 0;
  #startPosition = 0;
  #endPosition = 0;

  constructor(tracker: Pick<ToneTracker, "onTone">, listener: (event: SpecialInformationEvent) => void) {
    tracker.onTone((tone) => {
      if (!this.#isNext(tone)) this.#heard = 0;
      if (!this.#isNext(tone)) return;
      if (this.#heard === 0) this.#startPosition = tone.startPosition;
      this.#endPosition = tone.endPosition;
      this.#heard += 1;
      if (this.#heard < PITCHES_HZ.length) return;
      this.#heard = 0;
      listener({
        type: "special_information.heard",
        startPosition: this.#startPosition,
        endPosition: this.#endPosition,
      });
    });
  }

  #isNext({ frequencyHz, startPosition, endPosition }: HeardTone): boolean {
    const wantedHz = PITCHES_HZ[this.#heard] ?? 0;
    const durationSamples = endPosition - startPosition;
    return (
      Math.abs(frequencyHz - wantedHz) <= PITCH_TOLERANCE_HZ &&
      durationSamples >= DURATION_MIN_SAMPLES &&
      durationSamples <= DURATION_MAX_SAMPLES &&
      (this.#heard === 0 || startPosition - this.#endPosition <= PAUSE_MAX_SAMPLES)
    );
  }
}
