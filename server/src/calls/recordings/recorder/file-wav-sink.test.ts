import { expect, test } from "vitest";
import { DiskQueue, FileWavSink, type WritableFile } from "./recording-file.ts";

/** A file in memory on a disk that answers on demand. */
function slowFile(pieceMax = 10) {
  const waiting: { readonly go: () => void; readonly fail: (error: Error) => void }[] = [];
  let bytes = new Uint8Array(0);
  const file: WritableFile = {
    write: (given, offset, length, position) =>
      new Promise((resolve, reject) => {
        const count = Math.min(length, pieceMax);
        const go = () => {
          const longer = new Uint8Array(Math.max(bytes.length, position + count));
          longer.set(bytes);
          longer.set(given.subarray(offset, offset + count), position);
          bytes = longer;
          resolve({ bytesWritten: count });
        };
        waiting.push({ go, fail: reject });
      }),
  };
  const answer = async (how: (each: (typeof waiting)[number]) => void, times = Number.POSITIVE_INFINITY) => {
    for (let count = 0; count < times; count++) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = waiting.shift();
      if (next === undefined) return;
      how(next);
    }
  };
  return { file, waiting, answer, content: () => bytes };
}

function openSink(disk: ReturnType<typeof slowFile>) {
  const troubles: unknown[] = [];
  const sink = new FileWavSink(disk.file, new DiskQueue(), (error) => troubles.push(error));
  return { sink, troubles };
}

test("pieces and patches reach the file in order, even with partial writes", async () => {
  const disk = slowFile(3);
  const { sink, troubles } = openSink(disk);
  sink.append(Uint8Array.of(1, 2, 3, 4, 5, 6, 7));
  sink.append(Uint8Array.of(8, 9));
  sink.patch(0, Uint8Array.of(42));
  await disk.answer(({ go }) => go());
  await sink.settled;
  expect([...disk.content()]).toEqual([42, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(sink.writtenBytes).toBe(9);
  expect(troubles).toEqual([]);
});

test("only one write is pending at a time, even across several files", async () => {
  const disk = slowFile();
  const queue = new DiskQueue();
  const sinks = [1, 2, 3].map(() => new FileWavSink(disk.file, queue, () => undefined));
  for (const sink of sinks) sink.append(Uint8Array.of(1));
  await new Promise((resolve) => setImmediate(resolve));
  expect(disk.waiting).toHaveLength(1);
  await disk.answer(({ go }) => go());
  await Promise.all(sinks.map((sink) => sink.settled));
});

test("after a failed write nothing more is written, and it is reported once", async () => {
  const disk = slowFile();
  const { sink, troubles } = openSink(disk);
  sink.append(Uint8Array.of(1, 2));
  await disk.answer(({ go }) => go());
  sink.append(Uint8Array.of(3));
  sink.append(Uint8Array.of(4));
  await disk.answer(({ fail }) => fail(new Error("full")));
  sink.append(Uint8Array.of(5));
  await sink.settled;
  expect([...disk.content()]).toEqual([1, 2]);
  expect(sink.writtenBytes).toBe(2);
  expect(troubles).toEqual([new Error("full")]);
});

test("a disk that does not answer costs a bounded amount of memory", async () => {
  const disk = slowFile();
  const { sink, troubles } = openSink(disk);
  for (let second = 0; second < 120; second++) sink.append(new Uint8Array(32_000));
  expect(troubles).toEqual([new Error("the disk is too slow")]);
});

test("a caller that reuses its buffer does not change the file", async () => {
  const disk = slowFile();
  const { sink } = openSink(disk);
  const bytes = Uint8Array.of(1, 2);
  sink.append(bytes);
  bytes.fill(0);
  await disk.answer(({ go }) => go());
  expect([...disk.content()]).toEqual([1, 2]);
});
