import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RecordedCall, RecordingStore } from "../recording-storage.ts";

/** Bytes that differ wherever they were swapped, cut or moved. */
export function makeContent(bytes: number, seed = 1): Buffer {
  const content = Buffer.allocUnsafe(bytes);
  let state = seed;
  for (let at = 0; at < bytes; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    content[at] = state >>> 24;
  }
  return content;
}

/** The guarantees of every recording store. */
export function testRecordingStore(name: string, open: () => RecordingStore): void {
  describe(`a store of recordings: ${name}`, () => {
    let store: RecordingStore;
    let folder: string;
    beforeAll(async () => {
      store = open();
      folder = await mkdtemp(join(tmpdir(), "parley-store-"));
    });
    afterAll(() => rm(folder, { recursive: true }));

    const newCall = (): RecordedCall => ({ id: makeId("call"), created_at: new Date("2026-03-04T05:06:07Z") });
    async function put(call: RecordedCall, content: Buffer): Promise<void> {
      const path = join(folder, "made.wav");
      await writeFile(path, content);
      await store.put(call, path);
    }
    async function readAll(call: RecordedCall): Promise<Buffer | null> {
      const recording = await store.open(call);
      if (!recording) return null;
      const content = await buffer(await recording.read({ first: 0, last: recording.bytes - 1 }));
      await recording.close();
      return content;
    }

    test("returns what was stored, byte for byte", async () => {
      const call = newCall();
      const content = makeContent(100_000);
      await put(call, content);
      expect((await readAll(call))?.equals(content)).toBe(true);
    });

    test("returns a recording of many megabytes", async () => {
      const call = newCall();
      const content = makeContent(12_000_001);
      await put(call, content);
      expect((await readAll(call))?.equals(content)).toBe(true);
    });

    test("returns any part of it, any number of times", async () => {
      const call = newCall();
      const content = makeContent(200_000);
      await put(call, content);
      const recording = await store.open(call);
      if (!recording) throw new Error("the recording is not there");
      expect(recording.bytes).toBe(200_000);
      for (const [first, last] of [
        [0, 0],
        [0, 43],
        [44, 131_116],
        [199_999, 199_999],
      ] as const) {
        const part = await buffer(await recording.read({ first, last }));
        expect(part.equals(content.subarray(first, last + 1)), `${first}-${last}`).toBe(true);
      }
      await recording.close();
    });

    test("has nothing for an unknown call", async () => {
      expect(await store.open(newCall())).toBeNull();
    });

    test("keeps the later of two for one call", async () => {
      const call = newCall();
      await put(call, makeContent(1_000, 1));
      await put(call, makeContent(2_000, 2));
      expect((await readAll(call))?.equals(makeContent(2_000, 2))).toBe(true);
    });

    test("deletes only what it is asked to, and deleting twice is harmless", async () => {
      const [gone, kept] = [newCall(), newCall()];
      await put(gone, makeContent(1_000));
      await put(kept, makeContent(1_000));
      await store.remove(gone);
      await store.remove(gone);
      expect(await store.open(gone)).toBeNull();
      expect(await readAll(kept)).toHaveLength(1_000);
    });
  });
}
