import { GoertzelBank } from "@parley/audio/detect/goertzel";
import { levelDbfsOf } from "@parley/audio/level";
import { ToneGenerator } from "@parley/audio/tone";

// As ITU-T O.22 measures lines: no multiple of it is a fraction of the sample rate, and no key or signal sounds like it.
const FREQUENCY_HZ = 1_004;
const LEVEL_DBFS = -16;
const SAMPLE_RATE_HZ = 8_000;

/** What is played to see whether it comes back. */
export function makeTestTone(durationMs: number): Int16Array {
  const samples = new Int16Array((durationMs * SAMPLE_RATE_HZ) / 1_000);
  new ToneGenerator([{ frequencyHz: FREQUENCY_HZ, levelDbfs: LEVEL_DBFS }]).fill(samples);
  return samples;
}

const BLOCK_SAMPLES = 400;
/** So much of a block's power must lie at the frequency. A codec's noise takes less than a tenth; speech leaves far less. */
const SHARE_MIN = 0.7;
const LEVEL_MIN_DBFS = -55;
/** A quarter of a second of it. */
const BLOCKS_MIN = 5;

/** Whether the tone is in what was heard, for long enough not to be chance. */
export function isToneIn(heard: Int16Array): boolean {
  const bank = new GoertzelBank([FREQUENCY_HZ], BLOCK_SAMPLES);
  let inARow = 0;
  for (let start = 0; start + BLOCK_SAMPLES <= heard.length; start += BLOCK_SAMPLES) {
    const block = heard.subarray(start, start + BLOCK_SAMPLES);
    inARow = isTone(bank, block) ? inARow + 1 : 0;
    if (inARow >= BLOCKS_MIN) return true;
  }
  return false;
}

function isTone(bank: GoertzelBank, block: Int16Array): boolean {
  if (levelDbfsOf(block) < LEVEL_MIN_DBFS) return false;
  bank.measure(Float64Array.from(block));
  const power = block.reduce((sum, sample) => sum + sample * sample, 0);
  const [real = 0] = bank.real;
  const [imaginary = 0] = bank.imaginary;
  // Of a pure sine of N samples the Fourier sum holds N / 2 times its whole power.
  return (2 * (real ** 2 + imaginary ** 2)) / (block.length * power) >= SHARE_MIN;
}
