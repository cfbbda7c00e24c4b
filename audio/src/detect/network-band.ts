import { rmsAt } from "../level.ts";
import { GoertzelBank } from "./goertzel.ts";

/** 40 ms: whole periods of every multiple of 25 Hz, so that the bins below share out the power without overlap. */
export const NETWORK_BLOCK_SAMPLES = 320;
/** Around 400 to 480 Hz and 620 Hz, where ringing and busy tones are from America to Europe. */
const BINS_HZ = [375, 400, 425, 450, 475, 500, 525, 575, 600, 625, 650, 675];
const SHARE_MIN = 0.8;
const TONE_POWER_MIN = rmsAt(-40) ** 2;
const QUIET_POWER_MAX = rmsAt(-46) ** 2;

export type NetworkSound = "tone" | "quiet" | "other";

/** Distinguishes network signals from silence and everything else, block by block. */
export class NetworkBand {
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
