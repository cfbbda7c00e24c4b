import { describe, expect, it } from "vitest";
import { ClipStore } from "./clip-store.ts";
import { FRAME_SAMPLES } from "./frame.ts";
import { createPlayout, type PlayoutSize } from "./playout-layout.ts";
import { PlayoutPlayer } from "./playout-player.ts";
import { type ClipReport, PlayoutQueue } from "./playout-queue.ts";

/** Both ends of a queue in one thread, and a clock that the test advances. */
function openRig(size?: PlayoutSize) {
  const handle = createPlayout(size);
  const store = new ClipStore(handle);
  const queue = new PlayoutQueue(handle);
  const player = new PlayoutPlayer(handle);
  let position = 0;
  return {
    store,
    queue,
    /** Queues a clip whose samples all have one value. */
    say(clipId: number, samples: number, value = 1000): number {
      const offset = store.put(new Int16Array(samples).fill(value));
      if (offset === null || !queue.enqueue(clipId, offset, samples)) throw new Error("the rig is full");
      return offset;
    },
    tick(): Int16Array {
      const frame = new Int16Array(FRAME_SAMPLES).fill(-1);
      player.pull(frame, position);
      position += FRAME_SAMPLES;
      return frame;
    },
    reports(): ClipReport[] {
      const reports: ClipReport[] = [];
      queue.takeReports((report) => reports.push(report));
      return reports;
    },
  };
}

/** A frame as runs of [value, count], so that a test reads like a picture of it. */
function runsOf(frame: Int16Array): [number, number][] {
  const runs: [number, number][] = [];
  for (const sample of frame) {
    const last = runs.at(-1);
    if (last?.[0] === sample) last[1] += 1;
    else runs.push([sample, 1]);
  }
  return runs;
}

describe("playing", () => {
  it("an empty queue plays silence", () => {
    const rig = openRig();
    expect(runsOf(rig.tick())).toEqual([[0, 160]]);
    expect(rig.queue.position).toBe(160);
    expect(rig.queue.nowPlaying()).toBeNull();
  });

  it("clips follow each other inside a frame without a gap, and each is reported with its position", () => {
    const rig = openRig();
    rig.tick();
    rig.say(7, 100, 500);
    rig.say(8, 200, 900);
    expect(runsOf(rig.tick())).toEqual([
      [500, 100],
      [900, 60],
    ]);
    expect(rig.queue.nowPlaying()).toMatchObject({ clipId: 8, playedSamples: 60, startPosition: 260 });
    expect(runsOf(rig.tick())).toEqual([
      [900, 140],
      [0, 20],
    ]);
    expect(rig.reports()).toEqual([
      { clipId: 7, offset: 0, samples: 100, playedSamples: 100, startPosition: 160, endPosition: 260 },
      { clipId: 8, offset: 100, samples: 200, playedSamples: 200, startPosition: 260, endPosition: 460 },
    ]);
    expect(rig.reports()).toEqual([]);
  });

  it("a reply that is synthesized in pieces reports how much of it was heard, even if it ran dry between two", () => {
    const rig = openRig();
    rig.say(3, 200);
    rig.tick();
    rig.tick();
    rig.say(3, 100);
    rig.tick();
    const pieces = rig.reports();
    expect(pieces.map(({ clipId, startPosition, endPosition }) => [clipId, startPosition, endPosition])).toEqual([
      [3, 0, 200],
      [3, 320, 420],
    ]);
  });

  it("the same piece of the store can be played again, or from its middle", () => {
    const rig = openRig();
    const offset = rig.say(1, 160, 300);
    expect(rig.queue.enqueue(1, offset + 100, 60)).toBe(true);
    rig.tick();
    expect(runsOf(rig.tick())).toEqual([
      [300, 60],
      [0, 100],
    ]);
  });

  it("the audio still to be played can be queried at any time", () => {
    const rig = openRig();
    rig.say(1, 400);
    rig.say(2, 300);
    expect(rig.queue.waitingSamples()).toBe(700);
    rig.tick();
    expect(rig.queue.waitingSamples()).toBe(540);
  });
});

describe("clearing", () => {
  it("fades what is playing within 5 ms, drops the rest, and reports how much was heard", () => {
    const rig = openRig();
    rig.say(1, 1000, 8000);
    rig.say(2, 1000, 8000);
    rig.tick();
    rig.queue.clear();
    const frame = rig.tick();
    expect(frame[0]).toBe(8000);
    for (let index = 1; index < 40; index++) expect((frame[index - 1] ?? 0) - (frame[index] ?? 0)).toBe(200);
    expect(runsOf(frame.subarray(40))).toEqual([[0, 120]]);
    expect(rig.reports()).toMatchObject([
      { clipId: 1, playedSamples: 200, startPosition: 0, endPosition: 200 },
      { clipId: 2, playedSamples: 0, startPosition: null, endPosition: null },
    ]);
    expect(runsOf(rig.tick())).toEqual([[0, 160]]);
  });

  it("lets what is queued after it follow immediately, in the same frame", () => {
    const rig = openRig();
    rig.say(1, 1000, 8000);
    rig.tick();
    rig.queue.clear();
    rig.say(2, 300, 100);
    expect(runsOf(rig.tick().subarray(40))).toEqual([[100, 120]]);
    expect(rig.queue.nowPlaying()).toMatchObject({ clipId: 2, startPosition: 200 });
  });

  it("before the first audio leaves the agent able to speak again", () => {
    const rig = openRig();
    rig.say(1, 400);
    rig.queue.clear();
    rig.queue.clear();
    rig.say(2, 160, 77);
    expect(runsOf(rig.tick())).toEqual([[77, 160]]);
    expect(rig.reports().map(({ clipId, playedSamples }) => [clipId, playedSamples])).toEqual([
      [1, 0],
      [2, 160],
    ]);
  });

  it("between two clips makes no sound at all", () => {
    const rig = openRig();
    rig.say(1, 160);
    rig.say(2, 160);
    rig.tick();
    rig.queue.clear();
    expect(runsOf(rig.tick())).toEqual([[0, 160]]);
  });

  it("shortens the fade for a clip that is nearly over", () => {
    const rig = openRig();
    rig.say(1, 170, 1000);
    rig.tick();
    rig.queue.clear();
    expect(runsOf(rig.tick().subarray(10))).toEqual([[0, 150]]);
    expect(rig.reports()).toMatchObject([{ clipId: 1, playedSamples: 170, samples: 170 }]);
  });
});

describe("ducking", () => {
  it("lowers the voice by 15 dB over 40 ms and restores it, without a step", () => {
    const rig = openRig();
    rig.say(1, 160 * 12, 10_000);
    rig.tick();
    rig.queue.duck(-15, 40);
    const down = [...rig.tick(), ...rig.tick(), ...rig.tick()];
    expect(down.at(-1)).toBeCloseTo(1778, -1);
    rig.queue.restore(40);
    const up = [...rig.tick(), ...rig.tick(), ...rig.tick()];
    expect(up.at(-1)).toBe(10_000);
    const all = [...down, ...up];
    const steepest = Math.max(...all.map((sample, index) => Math.abs(sample - (all[index - 1] ?? sample))));
    expect(steepest).toBeLessThan(30);
  });

  it("changes nothing about what counts as heard", () => {
    const rig = openRig();
    rig.say(1, 320);
    rig.queue.duck(-15, 0);
    rig.tick();
    rig.tick();
    expect(rig.reports()).toMatchObject([{ playedSamples: 320 }]);
  });
});

describe("limits", () => {
  it("a full queue refuses immediately, counts it, and has room again after its reports were taken", () => {
    const rig = openRig({ entries: 4 });
    const offset = rig.say(1, 40);
    for (let count = 0; count < 3; count++) expect(rig.queue.enqueue(1, offset, 40)).toBe(true);
    expect(rig.queue.enqueue(1, offset, 40)).toBe(false);
    expect(rig.queue.refusals).toBe(1);
    rig.tick();
    expect(rig.queue.enqueue(1, offset, 40)).toBe(false);
    expect(rig.reports()).toHaveLength(4);
    expect(rig.queue.enqueue(1, offset, 40)).toBe(true);
  });

  it("a piece that is not in the store is refused", () => {
    const rig = openRig({ storeSamples: 1000 });
    expect(() => rig.queue.enqueue(1, 900, 101)).toThrow(RangeError);
    expect(() => rig.queue.enqueue(1, -1, 10)).toThrow(RangeError);
    expect(() => rig.queue.enqueue(1, 0, 0)).toThrow(RangeError);
  });

  it("memory that is not a playout queue is refused", () => {
    const pcm = new SharedArrayBuffer(16);
    expect(() => new PlayoutQueue({ control: new SharedArrayBuffer(64), pcm })).toThrow("not a playout queue");
    expect(() => createPlayout({ entries: 3 })).toThrow("power of two");
  });
});
