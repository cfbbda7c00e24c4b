import { parentPort, workerData } from "node:worker_threads";
import type { PlayoutHandle } from "../playout-layout.ts";
import { PlayoutPlayer } from "../playout-player.ts";

/** Plays a queue on a very fast clock, and copies everything played to memory that the test can read. */
export interface PlayoutThreadData {
  handle: PlayoutHandle;
  played: SharedArrayBuffer;
  stop: SharedArrayBuffer;
}

const { handle, played, stop } = workerData as PlayoutThreadData;
const samples = new Int16Array(played);
const stopWord = new Int32Array(stop);
const player = new PlayoutPlayer(handle);
const frame = new Int16Array(160);
let position = 0;
let idle = 0;
while (Atomics.load(stopWord, 0) === 0 && position + frame.length <= samples.length) {
  player.pull(frame, position);
  samples.set(frame, position);
  position += frame.length;
  for (let spin = 0; spin < 20_000; spin++) idle += spin;
}
parentPort?.postMessage({ position, idle });
