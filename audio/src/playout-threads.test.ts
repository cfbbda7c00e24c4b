import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { ClipStore } from "./clip-store.ts";
import { createPlayout } from "./playout-layout.ts";
import { type ClipReport, PlayoutQueue } from "./playout-queue.ts";
import type { PlayoutThreadData } from "./testing/playout-thread.ts";
import { createRandom } from "./testing/random.ts";

const PLAYED_SAMPLES_MAX = 16_000_000;
const FADE_SAMPLES = 40;

/** No sample of a clip is zero, so that in what was played zero means silence. */
function clipSample(clipId: number, index: number): number {
  return 1 + ((Math.imul(clipId, 7919) + index) & 0x3fff);
}

function makeClip(clipId: number, samples: number): Int16Array {
  return Int16Array.from({ length: samples }, (_, index) => clipSample(clipId, index));
}

it("the producer learns exactly what a media thread played, whatever was queued and cleared meanwhile", {
  timeout: 60_000,
}, async () => {
  const random = createRandom(77);
  const handle = createPlayout({ entries: 16, storeSamples: 20_000 });
  const played = new SharedArrayBuffer(2 * PLAYED_SAMPLES_MAX);
  const stop = new SharedArrayBuffer(4);
  const store = new ClipStore(handle);
  const queue = new PlayoutQueue(handle);
  const reports: ClipReport[] = [];
  const worker = new Worker(new URL("./testing/playout-thread.ts", import.meta.url), {
    workerData: { handle, played, stop } satisfies PlayoutThreadData,
  });
  const finished = once(worker, "message");
  let clipId = 0;
  let clears = 0;
  while (reports.length < 2000 && queue.position < PLAYED_SAMPLES_MAX - 1_000_000) {
    queue.takeReports((report) => {
      reports.push(report);
      store.free(report.offset);
    });
    const samples = random.wholeBetween(1, 3000);
    const offset = queue.openEntries < 16 ? store.put(makeClip(clipId, samples)) : null;
    if (offset === null) await setImmediate();
    else if (queue.enqueue(clipId, offset, samples)) clipId += 1;
    if (random.next() < 0.02) {
      queue.clear();
      clears += 1;
    }
  }
  while (queue.openEntries > 0 && queue.position < PLAYED_SAMPLES_MAX - 160) {
    queue.takeReports((report) => reports.push(report));
    await setImmediate();
  }
  Atomics.store(new Int32Array(stop), 0, 1);
  const [{ position }] = (await finished) as [{ position: number }];
  await worker.terminate();

  expect(reports.map((report) => report.clipId)).toEqual(Array.from({ length: clipId }, (_, id) => id));
  const heard = new Int16Array(played);
  let at = 0;
  for (const { clipId: id, playedSamples, startPosition, endPosition } of reports) {
    if (startPosition === null || endPosition === null) continue;
    expect(startPosition).toBeGreaterThanOrEqual(at);
    expect(heard.subarray(at, startPosition).every((sample) => sample === 0)).toBe(true);
    // Also a clip that was played to its end may have ended in a fade, when the clear came in its last 5 ms.
    for (let index = 0; index < playedSamples - FADE_SAMPLES; index++) {
      if (heard[startPosition + index] !== clipSample(id, index)) expect.unreachable(`clip ${id} is torn at ${index}`);
    }
    at = endPosition;
  }
  expect(heard.subarray(at, position).every((sample) => sample === 0)).toBe(true);
  const cut = reports.filter(({ playedSamples, samples }) => playedSamples < samples).length;
  console.log(`${reports.length} clips, ${clears} clears, ${cut} clips cut or dropped`);
  expect(cut).toBeGreaterThan(0);
  expect(reports.some(({ playedSamples, samples }) => playedSamples === samples)).toBe(true);
});
