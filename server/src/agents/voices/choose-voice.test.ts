import { Flow } from "@parley/contract/flow";
import type { RenderAheadResult } from "@parley/providers/local/kokoro/render-ahead";
import { describe, expect, test } from "vitest";
import { RECEPTIONIST } from "../samples/receptionist.ts";
import { chooseVoice } from "./known-voices.ts";

function planOf(voice?: string, flow?: Flow) {
  const call = {
    ...({ id: "call_1", phoneNumber: "+15550100001", from: null, mode: "test", isRecorded: false } as const),
    startedAtMs: 0,
    timeZone: "UTC",
  };
  const spoken = Flow.parse({
    schemaVersion: 1,
    variables: [],
    settings: voice === undefined ? {} : { voice },
    nodes: [
      { id: "start", type: "start", next: "bye" },
      { id: "bye", type: "end", text: "Goodbye." },
    ],
  });
  return { callId: "call_1", flow: flow ?? spoken, language: "en-US", variables: {}, voicemail: null, call };
}

/** Voices that have rendered everything, or all but the last text. */
function openVoices({ isReady }: { isReady: boolean }) {
  const asked: { voiceId: string; deadlineMs: number | undefined; texts: readonly string[] }[] = [];
  return {
    asked,
    async renderAhead(
      texts: readonly string[],
      voiceId: string,
      options: { readonly deadlineMs?: number } = {},
    ): Promise<RenderAheadResult> {
      asked.push({ voiceId, deadlineMs: options.deadlineMs, texts });
      return isReady ? { rendered: texts, missing: [] } : { rendered: texts.slice(1), missing: texts.slice(0, 1) };
    },
  };
}

describe("a call has a natural voice", () => {
  test("when everything it may say lies ready, or can be rendered while it may wait", async () => {
    const natural = openVoices({ isReady: true });
    expect(await chooseVoice({ natural, waitMs: 7_000 }, planOf())).toEqual({ voiceId: "af_heart", because: null });
    expect(natural.asked).toMatchObject([{ voiceId: "af_heart", deadlineMs: 7_000 }]);
    expect(natural.asked[0]?.texts).toContain("Goodbye.");
  });

  test("of the name that its agent has", async () => {
    const natural = openVoices({ isReady: true });
    expect((await chooseVoice({ natural, waitMs: 0 }, planOf("bm_george"))).voiceId).toBe("bm_george");
  });
});

describe("a call has a light voice from start to end", () => {
  test.each([
    [undefined, "slt"],
    ["bf_emma", "slt"],
    ["am_adam", "rms"],
    ["bm_george", "awb"],
  ])("when something is missing, like the one it should have: %s", async (voice, light) => {
    const natural = openVoices({ isReady: false });
    const chosen = await chooseVoice({ natural, waitMs: 100 }, planOf(voice));
    expect(chosen.voiceId).toBe(light);
    expect(chosen.because).toContain("not rendered yet");
  });

  test("when its agent wants one, and then nothing is rendered", async () => {
    const natural = openVoices({ isReady: true });
    expect(await chooseVoice({ natural, waitMs: 100 }, planOf("rms"))).toEqual({ voiceId: "rms", because: null });
    expect(natural.asked).toEqual([]);
  });

  test("when a language model speaks, and then nothing is waited for", async () => {
    const natural = openVoices({ isReady: true });
    const chosen = await chooseVoice({ natural, waitMs: 100 }, planOf(undefined, RECEPTIONIST.flow));
    expect(chosen).toEqual({ voiceId: "slt", because: "a language model speaks in it" });
    expect(natural.asked).toEqual([]);
  });

  test("when natural voices are turned off", async () => {
    const chosen = await chooseVoice({ natural: null, waitMs: 100 }, planOf());
    expect(chosen).toEqual({ voiceId: "slt", because: "natural voices are turned off" });
  });
});

test("a version that names a voice which is gone since has the default one", async () => {
  const natural = openVoices({ isReady: true });
  expect((await chooseVoice({ natural, waitMs: 0 }, planOf("af_gone"))).voiceId).toBe("af_heart");
});
