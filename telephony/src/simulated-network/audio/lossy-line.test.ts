import { createFrame, FRAME_MS } from "@parley/audio/frame";
import { createSeededRandom } from "@parley/audio/seeded-random";
import { describe, expect, it } from "vitest";
import { renderBabble } from "./babble.ts";
import { createCleanLine, createDeadLine, type Line } from "./line.ts";
import { LossyLine } from "./lossy-line.ts";

const SPEECH = renderBabble("Please tell me about it, as long as you like, and then some more. ".repeat(20), "human");

function carry(line: Line, frames: number): Int16Array {
  const heard = new Int16Array(frames * 160);
  for (let index = 0; index < frames; index += 1) {
    const frame = createFrame();
    frame.set(SPEECH.subarray(index * 160, (index + 1) * 160));
    line.carry(frame, index * FRAME_MS);
    heard.set(frame, index * 160);
  }
  return heard;
}

describe("the line to a simulated callee", () => {
  it("loses and delays packets when it is bad, and the statistics show it", () => {
    const line = new LossyLine(createSeededRandom(7));
    carry(line, 3_000);
    const { packetsReceived, packetsLost, jitterMs, mos, roundTripMs } = line.reception();
    expect(packetsLost / (packetsReceived + packetsLost)).toBeGreaterThan(0.03);
    expect(packetsLost / (packetsReceived + packetsLost)).toBeLessThan(0.08);
    expect(jitterMs).toBeGreaterThan(5);
    expect(roundTripMs).toBe(40);
    expect(mos).toBeGreaterThan(3);
    expect(mos).toBeLessThan(4.2);
  });

  it("loses the same packets for the same seed, and others for another", () => {
    const heard = [3, 3, 4].map((seed) => carry(new LossyLine(createSeededRandom(seed)), 500));
    expect(heard[0]).toEqual(heard[1]);
    expect(heard[0]).not.toEqual(heard[2]);
  });

  it("passes everything immediately when it is good", () => {
    const line = createCleanLine();
    expect(line.reception().mos).toBeNull();
    expect(carry(line, 50)).toEqual(SPEECH.slice(0, 50 * 160));
    expect(line.reception()).toMatchObject({ packetsReceived: 50, packetsLost: 0, jitterMs: 0 });
  });

  it("passes nothing when it is dead", () => {
    const line = createDeadLine();
    expect(carry(line, 50).some((sample) => sample !== 0)).toBe(false);
    expect(line.reception()).toMatchObject({ packetsReceived: 0, mos: null });
  });
});
