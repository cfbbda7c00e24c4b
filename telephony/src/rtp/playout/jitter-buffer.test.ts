import { FRAME_SAMPLES } from "@parley/audio/frame";
import { levelDbfsOf, peakOf } from "@parley/audio/level";
import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { bestCorrelation } from "../testing/best-correlation.ts";
import { type PathConditions, SimulatedPath } from "../testing/leg-pair.ts";
import { speechLike } from "../testing/speech-like.ts";
import { JitterBuffer } from "./jitter-buffer.ts";

interface Packet {
  timestamp: number;
  samples: Int16Array;
}

interface Run {
  buffer: JitterBuffer;
  heard: Int16Array;
  packets: number;
  lost: number;
}

interface Sending {
  packetMs?: number;
  firstTimestamp?: number;
  /** By how much the sender's clock is fast. */
  driftPpm?: number;
  /** The timestamp of the sample at this index, relative to the first. */
  timestampOf?: (index: number) => number;
}

/** Sends a recording over a path and plays it out, one tick every 20 ms. */
function play(recording: Int16Array, conditions: PathConditions, sending: Sending = {}): Run {
  const { packetMs = 20, firstTimestamp = 0xffff_f000, driftPpm = 0, timestampOf = (index: number) => index } = sending;
  const path = new SimulatedPath<Packet>(conditions);
  const buffer = new JitterBuffer();
  const packetSamples = packetMs * 8;
  const ticks = Math.floor(recording.length / FRAME_SAMPLES);
  const heard = new Int16Array(ticks * FRAME_SAMPLES);
  let packets = 0;
  for (let tick = 0, sent = 0; tick < ticks; tick++) {
    const nowMs = tick * 20 + 7;
    for (; sent + packetSamples <= recording.length; sent += packetSamples) {
      const sentMs = (sent / 8 + packetMs) * (1 - driftPpm / 1e6);
      if (sentMs > nowMs) break;
      const samples = recording.slice(sent, sent + packetSamples);
      path.send({ timestamp: (firstTimestamp + timestampOf(sent)) >>> 0, samples }, sentMs);
      packets += 1;
    }
    path.deliver(nowMs, ({ timestamp, samples }, arrivalMs) =>
      buffer.push(timestamp, samples, samples.length, arrivalMs),
    );
    buffer.pull(heard.subarray(tick * FRAME_SAMPLES, (tick + 1) * FRAME_SAMPLES), nowMs);
  }
  return { buffer, heard, packets, lost: path.lost };
}

const minute = speechLike(60_000, 7);
const tenSeconds = minute.subarray(0, 80_000);

function likeness(sent: Int16Array, heard: Int16Array, start = 8_000): number {
  return bestCorrelation(sent, heard, { start, count: 16_000, lagMin: 200, lagMax: 2000 }).correlation;
}

describe("the jitter buffer", () => {
  it("returns every sample of a quiet network 40 ms after it arrived", () => {
    const { buffer, heard } = play(tenSeconds, { seed: 1 });
    expect(likeness(tenSeconds, heard)).toBeGreaterThan(0.9999);
    expect(buffer.concealedSamples).toBe(0);
    expect(buffer.targetDelayMs).toBe(40);
    expect(buffer.meanDelayMs).toBeLessThan(45);
  });

  it("loses little to late packets on the networks of this table", () => {
    const networks: [string, PathConditions, number][] = [
      ["quiet", { seed: 1 }, 0],
      ["jitter 5 ms", { seed: 2, jitterMs: 5 }, 0.01],
      ["jitter 15 ms", { seed: 3, jitterMs: 15 }, 0.02],
      ["jitter 25 ms, 1 % loss", { seed: 4, jitterMs: 25, lossShare: 0.01 }, 0.03],
      ["stalls of 100 ms", { seed: 5, jitterMs: 5, stallShare: 0.005, stallMs: 100 }, 0.03],
      ["3 % loss in bursts of 4", { seed: 6, jitterMs: 10, lossShare: 0.03, lossBurst: 4 }, 0.02],
      ["10 % reordered, 2 % twice", { seed: 7, jitterMs: 5, reorderShare: 0.1, duplicateShare: 0.02 }, 0.02],
    ];
    const rows = networks.map(([name, conditions, lateMax]) => {
      const { buffer, packets, lost } = play(minute, conditions);
      const late = buffer.counts.latePackets / packets;
      const concealedMs = buffer.concealedSamples / 8;
      expect(late, name).toBeLessThanOrEqual(lateMax);
      expect(buffer.meanDelayMs, name).toBeLessThan(140);
      return `${name}: lost ${lost}, late ${(late * 100).toFixed(2)} %, delay ${buffer.meanDelayMs.toFixed(0)} ms, concealed ${concealedMs.toFixed(0)} ms of 60 s`;
    });
    console.log(rows.join("\n"));
  });

  it("plays reordered and doubled packets once and in order", () => {
    const { buffer, heard } = play(tenSeconds, { seed: 9, reorderShare: 0.2, duplicateShare: 0.2 });
    expect(buffer.counts.duplicatePackets).toBeGreaterThan(50);
    expect(likeness(tenSeconds, heard, 40_000)).toBeGreaterThan(0.999);
  });

  it.each([10, 20, 30, 40])("plays packets of %i ms", (packetMs) => {
    const { buffer, heard } = play(tenSeconds, { seed: 11 }, { packetMs });
    expect(likeness(tenSeconds, heard)).toBeGreaterThan(0.9999);
    expect(buffer.concealedSamples).toBe(0);
  });

  it.each([-300, 300])("follows a clock that is %i ppm off, in the pauses", (driftPpm) => {
    const { buffer } = play(minute, { seed: 12, jitterMs: 3 }, { driftPpm });
    const { skippedSamples, insertedSamples } = buffer.counts;
    console.log(
      `${driftPpm} ppm: skipped ${skippedSamples}, inserted ${insertedSamples}, delay ${buffer.meanDelayMs.toFixed(0)} ms`,
    );
    expect(buffer.counts.latePackets).toBeLessThan(30);
    expect(buffer.meanDelayMs).toBeLessThan(80);
  });

  it("continues when the sender's timestamps jump, at the cost of one packet", () => {
    const { buffer, heard } = play(
      tenSeconds,
      { seed: 13 },
      { timestampOf: (index) => (index >= 32_000 ? index + 123_456_789 : index) },
    );
    expect(buffer.counts.restarts).toBe(1);
    expect(likeness(tenSeconds, heard, 40_000)).toBeGreaterThan(0.999);
  });

  it("continues when the path becomes a quarter of a second longer", () => {
    const { buffer, heard } = play(
      tenSeconds,
      { seed: 14 },
      { timestampOf: (index) => (index >= 32_000 ? index - 2_000 : index) },
    );
    expect(buffer.counts.restarts).toBe(1);
    expect(buffer.counts.latePackets).toBeLessThanOrEqual(5);
    expect(
      bestCorrelation(tenSeconds, heard, { start: 40_000, count: 16_000, lagMin: 200, lagMax: 2600 }).correlation,
    ).toBeGreaterThan(0.999);
  });

  it("fills a silence the sender announced with silence, and one it did not with a fading voice", () => {
    for (const isAnnounced of [true, false]) {
      const buffer = new JitterBuffer();
      const frame = new Int16Array(FRAME_SAMPLES);
      const levels: number[] = [];
      for (let tick = 0; tick < 60; tick++) {
        const isTalking = tick < 20 || tick >= 40;
        const samples = Int16Array.from({ length: 160 }, (_, at) =>
          Math.round(6000 * Math.sin((tick * 160 + at) / 10)),
        );
        if (isTalking) buffer.push(tick * 160, samples, 160, tick * 20);
        else if (isAnnounced && tick === 20) buffer.pushQuiet(tick * 160);
        buffer.pull(frame, tick * 20 + 1);
        levels.push(levelDbfsOf(frame));
      }
      expect(buffer.concealedSamples === 0).toBe(isAnnounced);
      expect(levels[30]).toBe(-120);
      expect(levels[50]).toBeGreaterThan(-20);
      expect(levels.filter((level) => level > -100).length).toBeGreaterThanOrEqual(38);
    }
  });

  it("is silent before the first packet and after the source changed", () => {
    const buffer = new JitterBuffer();
    const frame = new Int16Array(FRAME_SAMPLES).fill(1);
    buffer.pull(frame, 0);
    expect(peakOf(frame)).toBe(0);
    buffer.push(1, new Int16Array(160).fill(1000), 160, 1);
    buffer.restart();
    buffer.pull(frame, 100);
    expect(peakOf(frame)).toBe(0);
  });

  it("tolerates any timestamps and any arrival times", () => {
    const random = createRandom(99);
    const buffer = new JitterBuffer();
    const frame = new Int16Array(FRAME_SAMPLES);
    const samples = new Int16Array(320).fill(700);
    for (let tick = 0; tick < 20_000; tick++) {
      const near = tick * 160 + random.wholeBetween(-9000, 9000);
      const timestamp = random.next() < 0.9 ? near >>> 0 : random.wholeBetween(0, 2 ** 32 - 1);
      buffer.push(timestamp, samples, random.wholeBetween(1, 320), tick * 20 + random.between(-500, 500));
      if (random.next() < 0.1) buffer.pushQuiet(timestamp);
      buffer.pull(frame, tick * 20);
    }
    expect(peakOf(frame)).toBeLessThanOrEqual(700);
  });
});
