import { parentPort, workerData } from "node:worker_threads";
import { RingWriter } from "../ring.ts";
import { patternAt } from "./ring-pattern.ts";

/** Writes the pattern as fast as it can, occasionally yielding the core, and closes the ring. */
const { handle, totalSamples } = workerData as { handle: SharedArrayBuffer; totalSamples: number };
const writer = new RingWriter(handle);
const frame = new Int16Array(160);
while (writer.position < totalSamples) {
  const position = writer.position;
  for (let index = 0; index < frame.length; index++) frame[index] = patternAt(position + index);
  writer.write(frame);
}
writer.close();
parentPort?.postMessage(writer.position);
