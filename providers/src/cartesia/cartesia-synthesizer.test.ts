import { levelDbfsOf } from "@parley/audio/level";
import { createManualClock } from "@parley/time/testing/manual-clock";
import { joinPieces, outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { describeSpeechSynthesizerConformance } from "@parley/voice/conformance/speech-synthesizer-conformance";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { pace } from "@parley/voice/ports/speech-notation";
import type { SpeechRequest, SpeechSynthesizer, WordTime } from "@parley/voice/ports/speech-synthesizer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWatchedClock } from "../testing/watched-clock.ts";
import { type CartesiaSynthesizerOptions, createCartesiaSynthesizer } from "./cartesia-synthesizer.ts";
import { type CartesiaServer, startCartesiaServer } from "./testing/cartesia-server.ts";

const KEY = "sk_car_5f2b7a91c3d84e60b1";
const VOICES = [
  { id: "katie", language: "en-US", description: "A warm voice" },
  { id: "lukas", language: "de-DE", description: "A clear voice" },
];

function startServer(): Promise<CartesiaServer> {
  const voice = createFakeSpeechSynthesizer();
  return startCartesiaServer({
    apiKey: KEY,
    voiceIds: VOICES.map(({ id }) => id),
    speak: (text, voiceId, sampleRateHz) =>
      joinPieces(
        voice.speak({ text, voiceId: voiceId === "lukas" ? "low" : "high", sampleRateHz: sampleRateHz as 8_000 }),
      ),
  });
}

describeSpeechSynthesizerConformance("Cartesia", async () => {
  const server = await startServer();
  const clock = createWatchedClock();
  const synthesizer = createCartesiaSynthesizer({ apiKey: KEY, baseUrl: server.url, clock, voices: VOICES });
  let left = 0;
  return {
    synthesizer: {
      ...synthesizer,
      async close() {
        await synthesizer.close();
        await server.nothingLeft();
        left = server.openSockets + clock.pending();
      },
    },
    isDeterministic: true,
    breakEngineOnce: () => server.failNext({ type: "cut", afterPieces: 1 }),
    resourcesHeld: () => left,
  };
});

describe("Cartesia", () => {
  let server: CartesiaServer;
  let synthesizer: SpeechSynthesizer;

  beforeEach(async () => {
    server = await startServer();
    synthesizer = open();
  });

  afterEach(async () => {
    await synthesizer.close();
    await server.close();
  });

  function open(changes: Partial<CartesiaSynthesizerOptions> = {}): SpeechSynthesizer {
    const clock = createWatchedClock();
    return createCartesiaSynthesizer({ apiKey: KEY, baseUrl: server.url, clock, voices: VOICES, ...changes });
  }

  const requestOf = (changes: Partial<SpeechRequest> = {}): SpeechRequest => ({
    text: "Your appointment is on Tuesday.",
    voiceId: "katie",
    sampleRateHz: 8_000,
    ...changes,
  });
  const listen = (changes: Partial<SpeechRequest> = {}, voice = synthesizer) =>
    outcomeOf(joinPieces(voice.speak(requestOf(changes))));

  it("speaks with all voices on one connection, in the language and at the pace of each clause", async () => {
    await Promise.all([listen({ text: "One." }), listen({ voiceId: "lukas", text: `${pace(0.8)}Guten Tag.` })]);
    expect(server.requests).toHaveLength(1);
    expect(server.generations).toMatchObject([
      { transcript: "One.", voice: { mode: "id", id: "katie" }, language: "en", add_timestamps: true, continue: false },
      { transcript: "Guten Tag.", voice: { id: "lukas" }, language: "de", generation_config: { speed: 0.8 } },
    ]);
    const format = { container: "raw", encoding: "pcm_s16le", sample_rate: 8_000 };
    expect(server.generations[0]?.output_format).toEqual(format);
  });

  it("sends the key in a header to its own host, and nowhere else", async () => {
    await listen();
    for (const { url, headers } of server.requests) {
      expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, "cartesia-version": "2026-08-14" });
      expect(url).toBe("/tts/websocket");
    }
  });

  it("knows where the words are, also when Cartesia says so after the audio", async () => {
    for (const isLate of [false, true]) {
      if (isLate) server.failNext({ type: "out_of_order" });
      let times: readonly WordTime[] = [];
      const clip = await listen({
        onWordTimes: (given) => {
          times = given;
        },
      });
      expect(clip).toHaveLength(5 * 300 * 8);
      expect(times.map(({ startMs, endMs }) => [Math.round(startMs), Math.round(endMs)])).toEqual([
        [0, 270],
        [300, 570],
        [600, 870],
        [900, 1_170],
        [1_200, 1_470],
      ]);
    }
  });

  it("cancels a clause that is not needed any more, and goes on with the next", async () => {
    const controller = new AbortController();
    server.failNext({ type: "hang", afterPieces: 1 });
    const pieces = synthesizer.speak(requestOf({ signal: controller.signal }))[Symbol.asyncIterator]();
    await pieces.next();
    controller.abort(new Error("cut in"));
    expect(await outcomeOf(pieces.next())).toMatchObject({ message: "cut in" });
    expect(levelDbfsOf((await listen()) as Int16Array)).toBeGreaterThan(-40);
    expect(server.cancelled).toEqual([server.generations[0]?.context_id]);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [400, false],
    [401, false],
    [403, false],
    [429, true],
    [500, true],
  ])("with the status %i says whether asking again may help: %s", async (status, retryable) => {
    server.refuseNext({ status, headers: { "retry-after": "7" } });
    const failure = await listen();
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure).toMatchObject({ provider: "cartesia", retryable, retryAfterMs: 7_000 });
    expect(await listen()).toBeInstanceOf(Int16Array);
  });

  it("says in plain words that the key is wrong, without a piece of it", async () => {
    const failure = await listen({}, open({ apiKey: "sk_car_wrong-9f8e7d6c" }));
    expect(failure).toMatchObject({ message: expect.stringContaining("Cartesia refused the API key") });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain("9f8e7d6c");
  });

  it.each([
    [402, "quota_exceeded", "has no credit left", false],
    [400, "invalid_transcript", "refused the request", false],
    [429, "concurrency_limited", "takes no more requests", true],
    [500, "internal", "has a failure of its own", true],
  ])(
    "reports the error %i of a clause in plain words, and keeps the connection",
    async (status, code, words, retryable) => {
      server.failNext({ type: "error", status, code, message: `no luck with ${KEY}` });
      const failure = (await listen()) as ProviderError;
      expect(failure).toMatchObject({ name: "ProviderError", retryable, message: expect.stringContaining(words) });
      expect(failure.message).not.toContain(KEY);
      expect(await listen()).toBeInstanceOf(Int16Array);
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each([
    ["cut off", { type: "cut", afterPieces: 1 } as const],
    ["malformed", { type: "garbage" } as const],
    ["closed", { type: "close", code: 1011, reason: "internal error" } as const],
    ["closed without a complaint", { type: "close", code: 1000, reason: "" } as const],
  ])("is a temporary failure when it is %s, and the next clause gets a new connection", async (_what, fault) => {
    server.failNext(fault);
    expect(await listen()).toMatchObject({ name: "ProviderError", provider: "cartesia", retryable: true });
    expect(await listen()).toBeInstanceOf(Int16Array);
    expect(server.requests).toHaveLength(2);
  });

  it("gives up on silence after its time limit", async () => {
    const clock = createManualClock();
    const voice = open({ clock, audioWithinMs: 4_000 });
    server.failNext({ type: "hang", afterPieces: 0 });
    const silent = listen({}, voice);
    const asked = async () => {
      while (server.generations.length === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    await soon(asked(), "asking");
    clock.pass(4_000);
    expect(await silent).toMatchObject({ retryable: true, message: expect.stringContaining("sent no audio") });
    await voice.close();
  });
});
