import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeMulaw, encodeMulaw } from "@parley/audio/g711";
import { levelDbfsOf } from "@parley/audio/level";
import { HostEnded } from "@parley/threads/work-host";
import type { WordTime } from "@parley/voice/ports/speech-synthesizer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { activeSpeechLevelDbfs, SPEECH_LEVEL_DBFS } from "../../finish-clip.ts";
import { MoonshineModel } from "../../stt/moonshine-model.ts";
import { recognizeUtterance } from "../../stt/recognize-utterance.ts";
import { connectVoice, type NaturalVoice } from "./voice-port.ts";
import { openVoiceProcess } from "./voice-process.ts";
import { startVoiceThread, type VoiceThread } from "./voice-thread.ts";

/** What the callee of a line with mu-law hears. */
function throughMulaw(samples: Int16Array): Int16Array {
  const codes = new Uint8Array(samples.length);
  encodeMulaw(samples, codes);
  const heard = new Int16Array(samples.length);
  decodeMulaw(codes, heard);
  return heard;
}

/** When the longest silence between two stretches of audio ends. */
function longestPauseEndMs(samples: Int16Array): number {
  const windowMs = 5;
  let [pauseMs, longestMs, endMs] = [0, 0, 0];
  for (let atMs = 0; atMs < samples.length / 8; atMs += windowMs) {
    const isQuiet = levelDbfsOf(samples.subarray(atMs * 8, (atMs + windowMs) * 8)) < SPEECH_LEVEL_DBFS - 25;
    if (!isQuiet && pauseMs > longestMs) [longestMs, endMs] = [pauseMs, atMs];
    pauseMs = isQuiet ? pauseMs + windowMs : 0;
  }
  return endMs;
}

const plainly = (text: string | undefined) => (text ?? "").toLowerCase().replaceAll(/[^a-z ]/g, "");

describe("the natural voice itself", { timeout: 240_000 }, () => {
  let folder: string;
  let thread: VoiceThread;
  let voice: NaturalVoice;
  let recognizer: MoonshineModel;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "voice-"));
    thread = startVoiceThread({ shippedClips: join(folder, "none.pack"), clipFolder: folder, processes: 1 });
    voice = connectVoice(thread.connect());
    recognizer = await MoonshineModel.open("tiny");
    await thread.ready;
  }, 240_000);

  afterAll(async () => {
    await voice.close();
    await thread.stop();
    await recognizer.close();
    await rm(folder, { recursive: true });
  });

  async function speak(text: string, voiceId: string) {
    const pieces: Int16Array[] = [];
    let words: readonly WordTime[] = [];
    const onWordTimes = (times: readonly WordTime[]) => {
      words = times;
    };
    // Rendered ahead, it may take longer on a busy machine.
    const request = { text, voiceId, sampleRateHz: 8_000, isAhead: true, onWordTimes } as const;
    for await (const piece of voice.speak(request)) pieces.push(piece);
    return { samples: Int16Array.from(pieces.flatMap((piece) => [...piece])), pieces, words };
  }

  async function understand(samples: Int16Array): Promise<string> {
    const work = { samples: throughMulaw(samples), expected: [], isSpeechCertain: true };
    return plainly((await recognizeUtterance(recognizer, work, async () => false))?.text);
  }

  test("is understood over a telephone, at the common level", async () => {
    const { samples, pieces } = await speak("Thank you very much for your time.", "af_heart");
    expect(await understand(samples)).toBe("thank you very much for your time");
    expect(Math.abs(activeSpeechLevelDbfs(samples, 8_000) - SPEECH_LEVEL_DBFS)).toBeLessThan(1.5);
    expect(pieces.length).toBeGreaterThan(1);
  });

  test("reports where its words lie: the one after a pause begins where the pause ends", async () => {
    const { samples, words } = await speak("Thank you very much, goodbye.", "af_heart");
    expect(words).toHaveLength(5);
    expect(Math.abs((words[4]?.startMs ?? 0) - longestPauseEndMs(samples))).toBeLessThan(100);
  });

  test("continues to speak after its process was killed", async () => {
    const [pid] = await thread.processIds();
    if (pid === undefined) throw new Error("there is no process");
    process.kill(pid, "SIGKILL");
    expect(await understand((await speak("Will you come?", "bm_george")).samples)).toBe("will you come");
    expect(await thread.processIds()).not.toContain(pid);
  });

  test("can be aborted while it is still being loaded", async () => {
    const closing = new AbortController();
    const opening = openVoiceProcess(closing.signal);
    closing.abort();
    await expect(opening).rejects.toThrow(HostEnded);
  });
});
