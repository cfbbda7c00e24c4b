import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readWav } from "@parley/audio/wav-reader";

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
        names.map(async (name) => readWav(await readFile(join(folder, name))).channels[0] ?? new Int16Array()),
      );
    },
  };
}
