import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { SampleRateHz } from "@parley/audio/resample-filter";
import { readWav } from "@parley/audio/wav-reader";
import { changeRate } from "../audio/change-rate.ts";

export interface BaresipRecordings {
  /** What was heard in each call, in the order of the calls. Complete only when the calls are over. */
  heard(): Promise<readonly Int16Array[]>;
}

/** The module `sndfile` writes `dump-<time>-dec.wav` for what was heard and `-enc.wav` for what was said. */
export function baresipRecordings(folder: string): BaresipRecordings {
  return {
    async heard() {
      const names = (await readdir(folder)).filter((name) => name.endsWith("-dec.wav")).sort();
      return Promise.all(
        names.map(async (name) => {
          const { channels, sampleRateHz } = readWav(await readFile(join(folder, name)));
          // A call in a wideband codec is recorded at the rate of the codec.
          return changeRate(channels[0] ?? new Int16Array(), sampleRateHz as SampleRateHz, TELEPHONE_RATE_HZ);
        }),
      );
    },
  };
}
