import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createManualTimers } from "@parley/time/testing/manual-timers";
import { describeSpeechSynthesizerConformance } from "@parley/voice/conformance/speech-synthesizer-conformance";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { renderClip } from "../clip-cache.ts";
import { ClipFolder } from "../clips/clip-folder.ts";
import { joinableTexts } from "../clips/cover-text.ts";
import { type ClipThread, openFliteClipThread } from "../testing/flite-clip-thread.ts";
import { KokoroRenderer } from "./kokoro-renderer.ts";
import { createKokoroSynthesizer, type KokoroOptions } from "./kokoro-synthesizer.ts";

let root: string;
let folders = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "kokoro-"));
});

afterAll(async () => {
  await rm(root, { recursive: true });
});

function openFolder(name = `clips-${folders++}`): ClipFolder {
  return new ClipFolder({ folder: join(root, name), sampleRateHz: 8_000, bytesMax: 1e9, nowMs: () => Date.now() });
}

/** A synthesizer with real files, a real queue and a quick voice in the place of the network. */
function openSynthesizer(options: Partial<KokoroOptions> = {}, folder = openFolder()) {
  const threads: ClipThread[] = [];
  let mustBreak = false;
  const renderer = new KokoroRenderer({
    openThread: async () => {
      const thread = await openFliteClipThread();
      threads.push(thread);
      if (mustBreak) thread.dieOnce();
      mustBreak = false;
      return thread;
    },
  });
  const keep = (key: string, samples: Int16Array) => folder.write(key, samples);
  return {
    synthesizer: createKokoroSynthesizer({ store: folder, renderer, keep, ...options }),
    folder,
    breakEngineOnce: () => {
      const alive = threads.find(({ hasEnded }) => !hasEnded);
      if (alive === undefined) mustBreak = true;
      else alive.dieOnce();
    },
    threadsAlive: () => threads.filter(({ hasEnded }) => !hasEnded).length,
    rendered: () => threads.flatMap((thread) => thread.rendered),
  };
}

describeSpeechSynthesizerConformance("Kokoro with clips on disk", async () => {
  const { synthesizer, breakEngineOnce, threadsAlive } = openSynthesizer();
  return { synthesizer, isDeterministic: true, breakEngineOnce, resourcesHeld: threadsAlive };
});

describe("rendering ahead", { timeout: 60_000 }, () => {
  const closers: (() => Promise<void>)[] = [];

  function open(...given: Parameters<typeof openSynthesizer>) {
    const opened = openSynthesizer(...given);
    closers.push(() => opened.synthesizer.close());
    return opened;
  }

  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });

  test("what was rendered once is played by every thread, without an engine, after a restart too", async () => {
    const { synthesizer } = open({}, openFolder("shared"));
    const result = await synthesizer.renderAhead(["Hello.", "Goodbye.", "Hello."], "af_heart");
    expect(result).toEqual({ rendered: ["Hello.", "Goodbye."], missing: [] });
    const player = open({ renderer: null }, openFolder("shared")).synthesizer;
    expect(await player.canSay(["Hello.", "Goodbye."], "af_heart")).toBe(true);
    const clip = await renderClip(player, { text: "Hello.", voiceId: "af_heart", sampleRateHz: 8_000 });
    expect(clip.length).toBeGreaterThan(2_000);
  });

  test("a text without a clip is refused where clips are only played, and in another voice", async () => {
    const { synthesizer } = open({}, openFolder("one-voice"));
    await synthesizer.renderAhead(["Hello."], "af_heart");
    const player = open({ renderer: null }, openFolder("one-voice")).synthesizer;
    for (const [text, voiceId] of [
      ["Never heard of.", "af_heart"],
      ["Hello.", "am_adam"],
    ] as const) {
      const outcome = await renderClip(player, { text, voiceId, sampleRateHz: 8_000 }).catch((error: unknown) => error);
      expect(outcome).toMatchObject({ name: "ProviderError", provider: "kokoro", retryable: false });
    }
    expect(await player.canSay(["Hello."], "am_adam")).toBe(false);
  });

  test("nothing is rendered twice, and nothing for texts without a word", async () => {
    const { synthesizer, rendered } = open();
    await synthesizer.renderAhead(["Hello.", "..."], "af_heart");
    await synthesizer.renderAhead(["Hello.", "", "Bye."], "af_heart");
    expect(rendered()).toEqual(["Hello.", "Bye."]);
  });

  test("a date that was never rendered is said in words that were", async () => {
    const { synthesizer, rendered } = open();
    await synthesizer.renderAhead(["I have noted", ...joinableTexts()], "af_heart");
    const count = rendered().length;
    const text = "I have noted Tuesday, March fourth at ten thirty A M.";
    expect(await synthesizer.canSay([text], "af_heart")).toBe(true);
    const joined = await renderClip(synthesizer, { text, voiceId: "af_heart", sampleRateHz: 8_000 });
    const carrier = await renderClip(synthesizer, { text: "I have noted", voiceId: "af_heart", sampleRateHz: 8_000 });
    expect(joined.length).toBeGreaterThan(3 * carrier.length);
    expect(rendered()).toHaveLength(count);
  });

  test("where the time cannot be enough, nothing is begun and the call is not kept waiting", async () => {
    const { synthesizer, rendered } = open();
    const texts = Array.from({ length: 50 }, (_, index) => `This is the sentence with the number ${index}.`);
    const result = await synthesizer.renderAhead(texts, "af_heart", { deadlineMs: 5_000 });
    expect(result.rendered).toEqual([]);
    expect(result.missing).toEqual(texts);
    expect(rendered()).toEqual([]);
  });

  test("when the time is over, what is missing is said to be", async () => {
    const timers = createManualTimers();
    const begun = Promise.withResolvers<void>();
    const { synthesizer } = open({
      timers,
      renderer: {
        isLoaded: true,
        render: (_, wish = {}) => {
          begun.resolve();
          const { promise, reject } = Promise.withResolvers<never>();
          wish.signal?.addEventListener("abort", () => reject(wish.signal?.reason));
          return promise;
        },
        close: async () => undefined,
      },
    });
    const ahead = synthesizer.renderAhead(["Hello."], "af_heart", { deadlineMs: 9_000 });
    await begun.promise;
    timers.pass(9_000);
    expect(await ahead).toEqual({ rendered: [], missing: ["Hello."] });
    expect(timers.pending()).toBe(0);
  });

  test("a disk that keeps nothing leaves the texts missing, and nobody fails", async () => {
    const { synthesizer } = open({ keep: async () => false });
    expect(await synthesizer.renderAhead(["Hello."], "af_heart")).toEqual({ rendered: [], missing: ["Hello."] });
  });
});
