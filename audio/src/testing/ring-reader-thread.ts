import { parentPort, workerData } from "node:worker_threads";
import { RingReader } from "../ring-reader.ts";
import { createRandom } from "./random.ts";
import { firstTornPosition } from "./ring-pattern.ts";

export interface ReaderReport {
  tornAt: number | null;
  readSamples: number;
  lostSamples: number;
  overruns: number;
  endPosition: number;
}

/** Reads to the end at a pace drawn from the seed: sometimes a frame, sometimes a second, sometimes busy elsewhere. */
const { handle, seed, idleMax } = workerData as { handle: SharedArrayBuffer; seed: number; idleMax: number };
const random = createRandom(seed);
const reader = new RingReader(handle, 0);
const out = new Int16Array(8000);
const sizes = [160, 320, 1234, 8000].map((size) => out.subarray(0, size));
let tornAt: number | null = null;
let readSamples = 0;
let idle = 0;
while (!reader.isEnded) {
  const count = reader.read(random.pick(sizes));
  tornAt ??= firstTornPosition(out, count, reader.position - count);
  readSamples += count;
  for (let spin = random.wholeBetween(0, idleMax); spin > 0; spin--) idle += spin;
}
const { lostSamples, overruns, position: endPosition } = reader;
parentPort?.postMessage({ tornAt, readSamples, lostSamples, overruns, endPosition } satisfies ReaderReport);
parentPort?.postMessage(idle);
