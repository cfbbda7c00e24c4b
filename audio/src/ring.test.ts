import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { createRing, RingWriter } from "./ring.ts";
import { RingReader } from "./ring-reader.ts";
import { publishPosition } from "./shared-position.ts";
import { firstTornPosition, patternAt } from "./testing/ring-pattern.ts";
import type { ReaderReport } from "./testing/ring-reader-thread.ts";

function patternFrom(position: number, count: number): Int16Array {
  return Int16Array.from({ length: count }, (_, index) => patternAt(position + index));
}

describe("a ring in one thread", () => {
  it("returns to a reader what was written after it attached", () => {
    const handle = createRing();
    const writer = new RingWriter(handle);
    writer.write(patternFrom(0, 160));
    const reader = new RingReader(handle);
    const out = new Int16Array(160);
    expect(reader.read(out)).toBe(0);
    writer.write(patternFrom(160, 320));
    expect(reader.availableSamples).toBe(320);
    expect(reader.read(out)).toBe(160);
    expect(out).toEqual(patternFrom(160, 160));
    expect(reader.position).toBe(320);
  });

  it("allows each reader its own pace, even from the past", () => {
    const handle = createRing();
    const writer = new RingWriter(handle);
    writer.write(patternFrom(0, 1000));
    const late = new RingReader(handle, 840);
    const early = new RingReader(handle, 0);
    const out = new Int16Array(1000);
    expect(late.read(out)).toBe(160);
    expect(firstTornPosition(out, 160, 840)).toBeNull();
    expect(early.read(out)).toBe(1000);
    expect(firstTornPosition(out, 1000, 0)).toBeNull();
  });

  it("returns whole frames only when they are complete", () => {
    const handle = createRing();
    const writer = new RingWriter(handle);
    const reader = new RingReader(handle);
    const frame = new Int16Array(160);
    writer.write(patternFrom(0, 159));
    expect(reader.readFrame(frame)).toBe(false);
    expect(reader.position).toBe(0);
    writer.write(patternFrom(159, 1));
    expect(reader.readFrame(frame)).toBe(true);
  });

  it("reports to a reader that was overtaken how much it lost, and continues where audio is available", () => {
    const handle = createRing();
    const writer = new RingWriter(handle);
    const reader = new RingReader(handle);
    for (let position = 0; position < 40_000; position += 160) writer.write(patternFrom(position, 160));
    const out = new Int16Array(160);
    expect(reader.read(out)).toBe(160);
    const startedAt = reader.position - 160;
    expect(firstTornPosition(out, 160, startedAt)).toBeNull();
    expect(reader.overruns).toBe(1);
    expect(reader.lostSamples).toBe(startedAt);
    // 32,000 samples are kept, 320 of them at risk, and the reader leaves itself a quarter.
    expect(startedAt).toBe(40_000 + 320 - 32_000 + 8000);
  });

  it("reads past audio without moving, and reports when it is gone", () => {
    const handle = createRing();
    const writer = new RingWriter(handle);
    const reader = new RingReader(handle);
    for (let position = 0; position < 64_000; position += 160) writer.write(patternFrom(position, 160));
    const out = new Int16Array(800);
    expect(reader.peek(60_000, 800, out)).toBe(true);
    expect(firstTornPosition(out, 800, 60_000)).toBeNull();
    expect(reader.peek(1000, 800, out)).toBe(false);
    expect(reader.peek(63_900, 800, out)).toBe(false);
    expect(reader.position).toBe(0);
  });

  it("advances in silence while the far end sends nothing", () => {
    const handle = createRing();
    const writer = new RingWriter(handle);
    writer.write(new Int16Array(32_000).fill(7));
    const reader = new RingReader(handle);
    writer.writeSilence(1000);
    const out = new Int16Array(1000).fill(9);
    expect(reader.read(out)).toBe(1000);
    expect(Math.max(...out.map(Math.abs))).toBe(0);
  });

  it("keeps counting beyond 32 bits, as on a line that is open for a week", () => {
    const handle = createRing();
    publishPosition(new Int32Array(handle), 0, 2 ** 32 - 200);
    const writer = new RingWriter(handle);
    const reader = new RingReader(handle);
    writer.write(patternFrom(2 ** 32 - 200, 400));
    const out = new Int16Array(400);
    expect(reader.read(out)).toBe(400);
    expect(reader.position).toBe(2 ** 32 + 200);
    expect(firstTornPosition(out, 400, 2 ** 32 - 200)).toBeNull();
    expect(reader.lostSamples).toBe(0);
  });

  it("ends for a reader once everything was read, not before", () => {
    const handle = createRing();
    const writer = new RingWriter(handle);
    const reader = new RingReader(handle);
    writer.write(patternFrom(0, 160));
    writer.close();
    expect(reader.isEnded).toBe(false);
    reader.read(new Int16Array(160));
    expect(reader.isEnded).toBe(true);
  });

  it("refuses memory that is not a ring, and a ring too short to be safe", () => {
    expect(() => new RingReader(new SharedArrayBuffer(128))).toThrow("not a ring");
    expect(() => createRing(1279)).toThrow("too short");
    expect(() => createRing(1280.5)).toThrow("too short");
  });
});

describe("a ring between threads", () => {
  const here = (file: string) => new URL(`./testing/${file}`, import.meta.url);

  it("never returns a torn frame as a good one, and every sample is either read or counted as lost", {
    timeout: 60_000,
  }, async () => {
    const totalSamples = 8_000_000;
    // A short ring makes overtaking common; a long one lets the fast readers keep up.
    const handles = [createRing(1600), createRing(1600), createRing(32_000)];
    const paces = [0, 2000, 200_000];
    const reports: ReaderReport[] = [];
    await Promise.all(
      handles.map(async (handle, ring) => {
        const readers = paces.map(async (idleMax, index) => {
          const worker = new Worker(here("ring-reader-thread.ts"), {
            workerData: { handle, seed: 100 * ring + index, idleMax },
          });
          const [report] = (await once(worker, "message")) as [ReaderReport];
          reports.push(report);
          await worker.terminate();
        });
        const writer = new Worker(here("ring-writer-thread.ts"), { workerData: { handle, totalSamples } });
        const [written] = await once(writer, "message");
        expect(written).toBe(totalSamples);
        await Promise.all(readers);
        await writer.terminate();
      }),
    );
    expect(reports).toHaveLength(9);
    for (const { tornAt, readSamples, lostSamples, endPosition } of reports) {
      expect(tornAt).toBeNull();
      expect(endPosition).toBe(totalSamples);
      expect(readSamples + lostSamples).toBe(totalSamples);
    }
    const overruns = reports.reduce((sum, report) => sum + report.overruns, 0);
    const readSamples = reports.reduce((sum, report) => sum + report.readSamples, 0);
    console.log(`9 readers: ${readSamples} samples read, ${overruns} overruns, none torn`);
    expect(overruns).toBeGreaterThan(0);
    expect(readSamples).toBeGreaterThan(0);
  });
});
