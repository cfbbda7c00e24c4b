import { getPriority } from "node:os";
import { decodeMulaw, encodeMulaw } from "@parley/audio/g711";
import { HostEnded } from "@parley/threads/work-host";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { activeSpeechLevelDbfs, SPEECH_LEVEL_DBFS } from "../finish-clip.ts";
import { MoonshineModel } from "../stt/moonshine-model.ts";
import { recognizeUtterance } from "../stt/recognize-utterance.ts";
import { type KokoroProcess, openKokoroProcess, RENDERING_PRIORITY } from "./kokoro-process.ts";
import { KokoroRenderer } from "./kokoro-renderer.ts";

const LOWEST_PRIORITY = 19;
/** Just not the usual one: with the lowest one, a busy machine would keep the tests waiting. */
const TEST_PRIORITY = 1;

/** What the callee of a line with mu-law hears. */
function throughMulaw(samples: Int16Array): Int16Array {
  const codes = new Uint8Array(samples.length);
  encodeMulaw(samples, codes);
  const heard = new Int16Array(samples.length);
  decodeMulaw(codes, heard);
  return heard;
}

const plainly = (text: string | undefined) => (text ?? "").toLowerCase().replaceAll(/[^a-z ]/g, "");

// The real network, and therefore few words: a second of speech takes about two seconds of a core.
describe("the natural voice itself", { timeout: 240_000 }, () => {
  const processes: KokoroProcess[] = [];
  const renderer = new KokoroRenderer({
    openThread: async () => {
      const opened = await openKokoroProcess(TEST_PRIORITY);
      processes.push(opened);
      return opened;
    },
  });
  let recognizer: MoonshineModel;

  beforeAll(async () => {
    recognizer = await MoonshineModel.open("tiny");
  });

  afterAll(async () => {
    await renderer.close();
    await recognizer.close();
    expect(processes.every(({ hasEnded }) => hasEnded)).toBe(true);
  });

  async function hear(text: string, voiceId: "af_heart" | "bm_george"): Promise<string> {
    const { samples, cpuMs } = await renderer.render({ text, voiceId, speed: 1 });
    const seconds = samples.length / 8_000;
    console.log(`${voiceId}: ${(cpuMs / 1000 / seconds).toFixed(2)} s of processor per second of sound: ${text}`);
    expect(Math.abs(activeSpeechLevelDbfs(samples, 8_000) - SPEECH_LEVEL_DBFS)).toBeLessThan(0.5);
    const work = { samples: throughMulaw(samples), expected: [], isSpeechCertain: true };
    return plainly((await recognizeUtterance(recognizer, work, async () => false))?.text);
  }

  test("is understood over a telephone", async () => {
    expect(await hear("Your appointment is on Tuesday.", "af_heart")).toBe("your appointment is on tuesday");
  });

  test("takes no more of the processor than it is given, which is the least there is", () => {
    const [pid] = processes.map((each) => each.pid);
    expect(pid === undefined ? null : getPriority(pid)).toBe(TEST_PRIORITY);
    expect(RENDERING_PRIORITY).toBe(LOWEST_PRIORITY);
  });

  test("speaks on after its process was killed", async () => {
    const [first] = processes;
    if (first?.pid === undefined) throw new Error("nothing was rendered before");
    process.kill(first.pid, "SIGKILL");
    expect(await hear("Will you come?", "bm_george")).toBe("will you come");
    expect(processes).toHaveLength(2);
  });

  test("is given up while it is still being loaded, by whoever closes", async () => {
    const closing = new AbortController();
    const opening = openKokoroProcess(TEST_PRIORITY, closing.signal);
    closing.abort();
    await expect(opening).rejects.toThrow(HostEnded);
  });
});
