import { Resampler } from "../resample.ts";
import type { SampleRateHz } from "../resample-filter.ts";
import { createRandom } from "./random.ts";
import { openSpeex } from "./speex.ts";

/**
 * The cost of a 20 ms frame between each pair of rates, compared with speex at quality 5. Run it by hand:
 * `node_modules/.bin/node audio/src/testing/measure-resampler.ts`
 */
const RATES_HZ: readonly SampleRateHz[] = [8000, 16_000, 24_000, 48_000];
const FRAMES = 5000;
const ROUNDS = 3;

/** Processor time, the best of several rounds: a neighbour on the same core can only make it slower. */
function microsPerFrame(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.threadCpuUsage();
    for (let frame = 0; frame < FRAMES; frame++) work();
    const { user, system } = process.threadCpuUsage(before);
    best = Math.min(best, (user + system) / FRAMES);
  }
  return best;
}

const random = createRandom(1);
console.log("us per 20 ms frame      ours   speex q5   ratio");
for (const fromHz of RATES_HZ) {
  for (const toHz of RATES_HZ) {
    if (fromHz === toHz) continue;
    const input = Int16Array.from({ length: fromHz / 50 }, () => random.between(-20_000, 20_000));
    const output = new Int16Array(toHz / 50);
    const bytes = Buffer.from(input.buffer);
    const ours = new Resampler(fromHz, toHz);
    const theirs = await openSpeex(fromHz, toHz);
    const oursMicros = microsPerFrame(() => ours.process(input, output));
    const theirsMicros = microsPerFrame(() => theirs.processChunk(bytes));
    const name = `${fromHz} -> ${toHz}`.padEnd(20);
    const ratio = (theirsMicros / oursMicros).toFixed(1);
    console.log(
      `${name}${oursMicros.toFixed(1).padStart(8)}${theirsMicros.toFixed(1).padStart(11)}${ratio.padStart(8)}`,
    );
  }
}
