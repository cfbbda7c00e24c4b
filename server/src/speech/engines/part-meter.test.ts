import { withFallback } from "@parley/providers/language-model/with-fallback";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SpeechModelRequest } from "@parley/voice/ports/speech-model";
import { expect, test } from "vitest";
import { meterModel, meterSpeechModel, type PartUse } from "./part-meter.ts";

function failing(name: string): LanguageModel {
  return {
    name,
    // biome-ignore lint/correctness/useYield: it fails before its first part.
    async *reply() {
      throw new ProviderError(name, "used up its quota", { retryable: true });
    },
  };
}

function answering(name: string): LanguageModel {
  return {
    name,
    async *reply() {
      yield { type: "text", text: "Hello." };
      yield { type: "finished", inputTokens: 40, outputTokens: 2 };
    },
  };
}

async function usesOf(models: readonly LanguageModel[]): Promise<PartUse[]> {
  const clock = createVirtualClock();
  const uses: PartUse[] = [];
  const joined = withFallback(models, { firstTokenTimeoutMs: 1_000, totalTimeoutMs: 10_000, clock });
  const metered = meterModel(joined, { clock, note: (use) => uses.push(use) });
  const request = { instructions: "", messages: [], tools: [], signal: new AbortController().signal };
  try {
    for await (const _ of metered.reply(request));
  } catch {
    // The caller's concern.
  }
  return uses;
}

test("tokens are counted for the language model that answered, and a failure for the one that failed", async () => {
  expect(await usesOf([failing("openai/gpt"), answering("anthropic/claude")])).toMatchObject([
    { provider: "openai", model: "gpt", hasFailed: true, inputTokens: 0, outputTokens: 0 },
    { provider: "anthropic", model: "claude", hasFailed: false, inputTokens: 40, outputTokens: 2 },
  ]);
});

test("each of several language models that fail has its failure", async () => {
  expect(await usesOf([failing("openai/gpt"), failing("google/gemini")])).toMatchObject([
    { provider: "openai", hasFailed: true },
    { provider: "google", hasFailed: true },
  ]);
});

test("of two language models that are asked for one reply, both are counted, and neither fails for having lost", async () => {
  const clock = createVirtualClock();
  const uses: PartUse[] = [];
  const slow: LanguageModel = {
    name: "openai/gpt",
    async *reply(request) {
      await new Promise<void>((resolve) => clock.setTimer(1_500, resolve));
      yield* answering("openai/gpt").reply(request);
    },
  };
  const silent: LanguageModel = {
    name: "google/gemini",
    async *reply({ signal }) {
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  };
  const joined = withFallback([slow, silent], { firstTokenTimeoutMs: 4_000, totalTimeoutMs: 10_000, clock });
  const metered = meterModel(joined, { clock, note: (use) => uses.push(use) });
  const request = { instructions: "", messages: [], tools: [], signal: new AbortController().signal };
  const replied = (async () => {
    for await (const _ of metered.reply(request));
  })();
  await clock.advance(2_000);
  await replied;
  expect(uses).toMatchObject([
    { provider: "openai", hasFailed: false, inputTokens: 40, firstResultMs: 1_500 },
    { provider: "google", hasFailed: false, inputTokens: 0, firstResultMs: null },
  ]);
});

test("the language model that answers at once is the only one that was used", async () => {
  expect(await usesOf([answering("openai/gpt"), failing("google/gemini")])).toMatchObject([
    { provider: "openai", hasFailed: false, inputTokens: 40 },
  ]);
});

test.each([
  ["silent", true],
  [undefined, false],
] as const)("a speech model that is closed because it was %s has failed: %s", async (why, hasFailed) => {
  const uses: PartUse[] = [];
  const ignore = () => undefined;
  const session = {
    ...{ hear: ignore, reply: ignore, remind: ignore, interrupt: ignore, inform: ignore },
    ...{ changeLanguage: ignore, answer: ignore, close: ignore },
  };
  const model = { name: "gpt-realtime", open: async () => session, close: async () => undefined };
  const clock = createVirtualClock();
  const metered = meterSpeechModel(
    model,
    { provider: "openai", model: "gpt-realtime" },
    { clock, note: (use) => uses.push(use) },
  );
  const opened = await metered.open({ onEvent: () => undefined } as unknown as SpeechModelRequest);
  opened.hear(new Int16Array(800));
  opened.reply("Greet the callee.");
  opened.close(why);
  expect(uses).toMatchObject([{ part: "speech", provider: "openai", hasFailed, audioMs: 100 }]);
});
