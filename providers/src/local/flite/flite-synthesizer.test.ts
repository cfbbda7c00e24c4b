import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeSpeechSynthesizerConformance } from "@parley/voice/conformance/speech-synthesizer-conformance";
import { saidAs } from "@parley/voice/ports/speech-notation";
import { afterEach, describe, expect, test } from "vitest";
import { renderClip } from "../clip-cache.ts";
import { activeSpeechLevelDbfs, SPEECH_LEVEL_DBFS } from "../finish-clip.ts";
import type { Clause } from "./flite-module.ts";
import { createFliteSynthesizer, type FliteOptions, openFliteThread } from "./flite-synthesizer.ts";
import { FLITE_VOICES } from "./flite-voices.ts";

/** A synthesizer on real threads, each controlled by the test. */
function openSynthesizer(options: FliteOptions = {}) {
  const threads: ReturnType<typeof openFliteThread>[] = [];
  let deathsLeft = 0;
  const synthesizer = createFliteSynthesizer({
    threadsMax: 1,
    openThread: (module) => {
      const thread = openFliteThread(module);
      threads.push(thread);
      return {
        get hasEnded() {
          return thread.hasEnded;
        },
        run(clause: Clause) {
          const result = thread.run(clause);
          if (deathsLeft > 0) {
            deathsLeft -= 1;
            thread.end().catch(() => undefined);
          }
          return result;
        },
        end: () => thread.end(),
      };
    },
    ...options,
  });
  return {
    synthesizer,
    threads,
    killThreads(times: number) {
      deathsLeft = times;
    },
    threadsAlive: () => threads.filter(({ hasEnded }) => !hasEnded).length,
  };
}

describeSpeechSynthesizerConformance("Flite", async () => {
  const { synthesizer, killThreads, threadsAlive } = openSynthesizer();
  return {
    synthesizer,
    isDeterministic: true,
    breakEngineOnce: () => killThreads(1),
    resourcesHeld: threadsAlive,
  };
});

describe("Flite", { timeout: 60_000 }, () => {
  let opened: ReturnType<typeof openSynthesizer>;

  function open(options?: FliteOptions) {
    opened = openSynthesizer(options);
    return opened;
  }

  afterEach(async () => {
    await opened.synthesizer.close();
    expect(opened.threadsAlive()).toBe(0);
  });

  const hello = { text: "Hello, can you hear me well?", voiceId: "slt", sampleRateHz: 8_000 } as const;

  test.each(FLITE_VOICES)("the voice $id is as loud as every other one on a telephone", async ({ id }) => {
    const { synthesizer } = open();
    for (const text of ["Yes.", "Please press one to confirm, or two to cancel.", "Who am I speaking with?"]) {
      const clip = await renderClip(synthesizer, { text, voiceId: id, sampleRateHz: 8_000 });
      expect(Math.abs(activeSpeechLevelDbfs(clip, 8_000) - SPEECH_LEVEL_DBFS), text).toBeLessThan(0.5);
    }
  });

  test("a clause sounds the same whatever was said before it, and in whichever thread", async () => {
    const { synthesizer } = open();
    const first = await renderClip(synthesizer, hello);
    await renderClip(synthesizer, { ...hello, text: "Something else, in another voice.", voiceId: "awb" });
    expect(await renderClip(synthesizer, hello)).toEqual(first);
    const other = openSynthesizer();
    expect(await renderClip(other.synthesizer, hello)).toEqual(first);
    await other.synthesizer.close();
  });

  test("a clause whose thread dies is still heard", async () => {
    const { synthesizer, killThreads, threads } = open();
    const whole = await renderClip(synthesizer, hello);
    killThreads(1);
    expect(await renderClip(synthesizer, hello)).toEqual(whole);
    expect(threads).toHaveLength(2);
  });

  test("a clause whose threads keep dying fails with a retryable error, and the next is heard", async () => {
    const { synthesizer, killThreads } = open();
    killThreads(2);
    await expect(renderClip(synthesizer, hello)).rejects.toMatchObject({ name: "ProviderError", retryable: true });
    expect((await renderClip(synthesizer, hello)).length).toBeGreaterThan(8_000);
  });

  test.each([
    ["Siobhan", "/ʃɪˈvɔn/", "Hello shivawn, welcome."],
    ["Siobhan", "ʃɪvɔn", "Hello shivawn, welcome."],
    ["Siobhan", "shi-VAWN", "Hello shivawn, welcome."],
    ["Siobhan", "/ʃtk/", "Hello Siobhan, welcome."],
    ["Zoë", "/ʃtk/", "Hello Zoe, welcome."],
  ])("%s with the pronunciation %s is read in letters, never in symbols", async (written, spoken, read) => {
    const texts: string[] = [];
    const { synthesizer } = open({
      openThread: () => ({
        hasEnded: false,
        run({ text }: Clause) {
          texts.push(text);
          return Promise.resolve(new Int16Array(800));
        },
        end: () => Promise.resolve(),
      }),
    });
    await renderClip(synthesizer, { ...hello, text: `Hello ${saidAs(written, spoken)}, welcome.` });
    expect(texts).toEqual([read]);
  });

  test("what cannot be said is refused permanently", async () => {
    const { synthesizer } = open();
    for (const text of ["a".repeat(1_001), "お元気ですか"]) {
      const refusal = { name: "ProviderError", provider: "flite", retryable: false };
      await expect(renderClip(synthesizer, { ...hello, text })).rejects.toMatchObject(refusal);
    }
  });

  test("a text that would be spoken for minutes is refused rather than cut short", async () => {
    const { synthesizer } = open({ deadlineMs: 50_000 });
    await expect(renderClip(synthesizer, { ...hello, text: "7 ".repeat(450), voiceId: "kal16" })).rejects.toMatchObject(
      {
        name: "ProviderError",
        retryable: false,
        message: expect.stringContaining("two minutes"),
      },
    );
  });

  test("an installation without the program reports it when it is prepared", async () => {
    const { synthesizer } = open({ modulePath: "/nowhere/flite.wasm" });
    await expect(synthesizer.prepare()).rejects.toMatchObject({ name: "ProviderError", retryable: false });
  });
});

test("nothing is written to the operator's terminal", { timeout: 60_000 }, async () => {
  const speaker = join(import.meta.dirname, "..", "testing", "speak-once.ts");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [speaker]);
  expect(stderr).toBe("");
  expect(Number(stdout)).toBeGreaterThan(4_000);
});
