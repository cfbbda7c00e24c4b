import { createFrame, FRAME_SAMPLES, samplesIn } from "@parley/audio/frame";
import { describe, expect, it } from "vitest";
import { AudioInbox } from "../remote-leg.ts";

function pullAll(inbox: AudioInbox, frames: number): number[] {
  return Array.from({ length: frames }, () => {
    const frame = createFrame();
    inbox.pull(frame);
    return frame[0] ?? Number.NaN;
  });
}

const batch = (value: number, durationMs = 100) => new Int16Array(samplesIn(durationMs)).fill(value);

describe("audio that arrives in batches", () => {
  it("waits for a cushion first, and then is heard without a gap though batches come late", () => {
    const inbox = new AudioInbox(60);
    inbox.push(batch(1));
    expect(pullAll(inbox, 7)).toEqual([0, 0, 0, 1, 1, 1, 1]);
    inbox.push(batch(2));
    expect(pullAll(inbox, 3)).toEqual([1, 2, 2]);
  });

  it("is silence when nothing comes, and takes a new cushion afterwards", () => {
    const inbox = new AudioInbox(40);
    inbox.push(batch(1, 20));
    expect(pullAll(inbox, 4)).toEqual([0, 0, 1, 0]);
    inbox.push(batch(2));
    expect(pullAll(inbox, 4)).toEqual([0, 0, 2, 2]);
  });

  it("crosses from one batch to the next inside a frame", () => {
    const inbox = new AudioInbox(0);
    inbox.push(new Int16Array(100).fill(1));
    inbox.push(new Int16Array(100).fill(2));
    const frame = createFrame();
    inbox.pull(frame);
    expect([frame[99], frame[100], frame[FRAME_SAMPLES - 1]]).toEqual([1, 2, 2]);
  });

  it("drops the oldest audio when too much of it waits", () => {
    const inbox = new AudioInbox(0);
    for (let value = 1; value <= 8; value += 1) inbox.push(batch(value));
    expect(pullAll(inbox, 1)[0]).toBeGreaterThan(3);
    expect(pullAll(inbox, 30).at(-1)).toBe(0);
  });
});
