import { levelDbfsOf } from "@parley/audio/level";
import { createManualClock } from "@parley/time/testing/manual-clock";
import { joinPieces, outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { describeSpeechSynthesizerConformance } from "@parley/voice/conformance/speech-synthesizer-conformance";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { pace, pause, saidAs } from "@parley/voice/ports/speech-notation";
import type { SpeechRequest, SpeechSynthesizer, WordTime } from "@parley/voice/ports/speech-synthesizer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWatchedClock } from "../testing/watched-clock.ts";
import { createElevenLabsSynthesizer, type ElevenLabsSynthesizerOptions } from "./elevenlabs-synthesizer.ts";
import { type ElevenLabsServer, startElevenLabsServer } from "./testing/elevenlabs-server.ts";

const KEY = "xi-5f2b7a91c3d84e60b1";
const VOICES = [
  { id: "rachel", language: "en-US", description: "A calm voice" },
  { id: "adam", language: "de-DE", description: "A deep voice" },
];

function startServer(beforePiece: () => Promise<void> = async () => undefined): Promise<ElevenLabsServer> {
  const voice = createFakeSpeechSynthesizer();
  return startElevenLabsServer({
    apiKey: KEY,
    voiceIds: VOICES.map(({ id }) => id),
    beforePiece,
    speak: (text, voiceId, sampleRateHz) =>
      joinPieces(
        voice.speak({ text, voiceId: voiceId === "adam" ? "low" : "high", sampleRateHz: sampleRateHz as 8_000 }),
      ),
  });
}

for (const telephoneFormat of ["pcm", "mulaw"] as const) {
  describeSpeechSynthesizerConformance(`ElevenLabs (${telephoneFormat})`, async () => {
    const server = await startServer();
    const clock = createWatchedClock();
    const baseUrl = server.url;
    const synthesizer = createElevenLabsSynthesizer({ apiKey: KEY, baseUrl, clock, voices: VOICES, telephoneFormat });
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
}

describe("ElevenLabs", () => {
  let server: ElevenLabsServer;
  let synthesizer: SpeechSynthesizer;

  beforeEach(async () => {
    server = await startServer();
    synthesizer = open();
  });

  afterEach(async () => {
    await synthesizer.close();
    await server.close();
  });

  function open(changes: Partial<ElevenLabsSynthesizerOptions> = {}): SpeechSynthesizer {
    const clock = createWatchedClock();
    return createElevenLabsSynthesizer({ apiKey: KEY, baseUrl: server.url, clock, voices: VOICES, ...changes });
  }

  const requestOf = (changes: Partial<SpeechRequest> = {}): SpeechRequest => ({
    text: "Your appointment is on Tuesday.",
    voiceId: "rachel",
    sampleRateHz: 8_000,
    ...changes,
  });
  const listen = (changes: Partial<SpeechRequest> = {}, voice = synthesizer) =>
    outcomeOf(joinPieces(voice.speak(requestOf(changes))));

  it("speaks all clauses of a voice on one connection, and keeps it for the next ones", async () => {
    await Promise.all([listen({ text: "One." }), listen({ text: "Two." }), listen({ text: "Three." })]);
    await listen({ text: "Four." });
    expect(server.requests).toHaveLength(1);
    expect(server.spoken.map(({ text }) => text)).toEqual(["One.", "Two.", "Three.", "Four."]);
    await listen({ voiceId: "adam" });
    expect(server.requests).toHaveLength(2);
  });

  it("opens another connection when one has as many contexts as ElevenLabs allows", async () => {
    const clips = await Promise.all(Array.from({ length: 12 }, (_, index) => listen({ text: `Number ${index}.` })));
    for (const clip of clips) expect(levelDbfsOf(clip as Int16Array)).toBeGreaterThan(-40);
    expect(server.requests).toHaveLength(3);
  });

  it("has the next connection open when the last context of one is taken, so that no clause waits for a handshake", async () => {
    const four = Array.from({ length: 4 }, (_, index) => listen({ text: `Number ${index}.` }));
    await Promise.all(four);
    expect(server.requests).toHaveLength(1);
    const five = Array.from({ length: 5 }, (_, index) => listen({ text: `Number ${index}.` }));
    await expect.poll(() => server.requests.length).toBe(2);
    await Promise.all([...five, listen({ text: "One more." })]);
    expect(server.requests).toHaveLength(2);
  });

  it("closes a connection that was not used for a while", async () => {
    const clock = createManualClock();
    const voice = open({ clock, keepWarmMs: 3_000 });
    await listen({}, voice);
    expect(server.openSockets).toBe(1);
    clock.pass(3_000);
    await soon(server.nothingLeft(), "closing");
    await listen({}, voice);
    expect(server.requests).toHaveLength(2);
    await Promise.all([voice.close(), server.nothingLeft()]);
  });

  it("sends the key in a header to its own host, and nowhere else", async () => {
    await listen();
    for (const { url, headers } of server.requests) {
      expect(headers["xi-api-key"]).toBe(KEY);
      expect(url).not.toContain(KEY);
    }
    const elsewhere = await startServer();
    server.refuseNext({ status: 302, headers: { location: elsewhere.url.replace("http", "ws") } });
    expect(await listen({}, open())).toMatchObject({ name: "ProviderError" });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it("asks for the model, the language and the format, and sends voice settings and the pace", async () => {
    const voice = open({ model: "eleven_turbo_v2_5", voiceSettings: { stability: 0.4, similarityBoost: 0.8 } });
    await listen({ voiceId: "adam", text: `${pace(0.9)}Guten Tag.` }, voice);
    const url = new URL(server.requests[0]?.url ?? "", server.url);
    expect(url.pathname).toBe("/v1/text-to-speech/adam/multi-stream-input");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      model_id: "eleven_turbo_v2_5",
      language_code: "de",
      output_format: "pcm_8000",
      sync_alignment: "true",
    });
    expect(server.spoken).toEqual([
      {
        ...{ text: "Guten Tag.", voiceId: "adam", language: "de" },
        voiceSettings: { stability: 0.4, similarity_boost: 0.8, speed: 0.9 },
      },
    ]);
    await voice.close();
  });

  it("names the language of a text for voices that speak several, where the model takes one", async () => {
    const languageOf = async (model: string, language?: string) => {
      const voice = open({ model, voices: [], languageOfOthers: "mul" });
      await listen({ voiceId: "rachel", text: "7", ...(language === undefined ? {} : { language }) }, voice);
      await voice.close();
      return server.spoken.at(-1)?.language;
    };
    expect(await languageOf("eleven_flash_v2_5", "fr-FR")).toBe("fr");
    expect(await languageOf("eleven_flash_v2_5")).toBeNull();
    expect(await languageOf("eleven_multilingual_v2", "fr-FR")).toBeNull();
  });

  it("says words as they are to be said, makes the pause, and still knows where they are", async () => {
    const lists: (readonly WordTime[])[] = [];
    const text = `Ask ${saidAs("Siobhan", "Shivawn")} now.${pause(250)}`;
    const clip = (await listen({ text, onWordTimes: (times) => lists.push(times) })) as Int16Array;
    expect(server.spoken[0]?.text).toBe("Ask Shivawn now.");
    expect(clip).toHaveLength(3 * 300 * 8 + 250 * 8);
    expect(lists.at(-1)).toHaveLength(3);
  });

  it("reports the times of words as they arrive, each before the end of its audio", async () => {
    let allow = Promise.withResolvers<void>();
    const slow = await startServer(async () => {
      await allow.promise;
      allow = Promise.withResolvers<void>();
    });
    const voice = open({ baseUrl: slow.url });
    let times: readonly WordTime[] = [];
    const counts: number[] = [];
    const onWordTimes = (given: readonly WordTime[]) => {
      times = given;
      counts.push(given.length);
    };
    let receivedMs = 0;
    allow.resolve();
    const text = "alpha bravo charlie delta echo";
    for await (const piece of voice.speak(requestOf({ text, onWordTimes }))) {
      receivedMs += piece.length / 8;
      // 1,500 ms of audio for 31 characters with the space at the end, evenly: where the words end is known.
      const over = [5, 11, 19, 25, 30].filter((end) => ((end + 1) * 1_500) / 31 <= receivedMs);
      expect(times.length).toBeGreaterThanOrEqual(over.length);
      allow.resolve();
    }
    expect(counts).toEqual([1, 2, 3, 4, 5]);
    expect(times.map(({ startMs }) => Math.round(startMs))).toEqual([0, 290, 581, 968, 1_258]);
    await voice.close();
    await slow.close();
  });

  it("gives no times when ElevenLabs sends none", async () => {
    server.failNext({ type: "no_alignment" });
    const lists: unknown[] = [];
    expect(await listen({ onWordTimes: (times) => lists.push(times) })).toBeInstanceOf(Int16Array);
    expect(lists).toEqual([]);
  });

  it("tells ElevenLabs to stop a clause that is not needed any more, and ignores what still comes of it", async () => {
    const controller = new AbortController();
    const pieces = synthesizer.speak(requestOf({ signal: controller.signal }))[Symbol.asyncIterator]();
    await pieces.next();
    controller.abort(new Error("cut in"));
    expect(await outcomeOf(pieces.next())).toMatchObject({ message: "cut in" });
    expect(levelDbfsOf((await listen()) as Int16Array)).toBeGreaterThan(-40);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [400, false],
    [401, false],
    [403, false],
    [429, true],
    [500, true],
    [503, true],
  ])("with the status %i says whether asking again may help: %s", async (status, retryable) => {
    server.refuseNext({ status, headers: { "retry-after": "7" } });
    const failure = await listen();
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure).toMatchObject({ provider: "elevenlabs", retryable, retryAfterMs: 7_000 });
    expect(await listen()).toBeInstanceOf(Int16Array);
  });

  it("says in plain words that the key is wrong, without a piece of it", async () => {
    const wrong = "xi-wrong-key-9f8e7d6c";
    const failure = await listen({}, open({ apiKey: wrong }));
    expect(failure).toMatchObject({ message: expect.stringContaining("ElevenLabs refused the API key") });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain("9f8e7d6c");
  });

  it.each([
    ["quota_exceeded", "has no credit left", false],
    ["rate_limited", "takes no more requests", true],
    ["something_new", "reported a failure", true],
  ])("reports the error %s of a clause in plain words", async (error, words, retryable) => {
    server.failNext({ type: "error", error, message: `no luck with ${KEY}` });
    const failure = (await listen()) as ProviderError;
    expect(failure).toMatchObject({ name: "ProviderError", retryable, message: expect.stringContaining(words) });
    expect(failure.message).not.toContain(KEY);
    expect(await listen()).toBeInstanceOf(Int16Array);
  });

  it.each([
    ["cut off", { type: "cut", afterPieces: 1 } as const],
    ["cut off before any audio", { type: "cut", afterPieces: 0 } as const],
    ["malformed", { type: "garbage" } as const],
    ["closed", { type: "close", code: 1011, reason: "internal error" } as const],
    ["closed without a complaint", { type: "close", code: 1000, reason: "" } as const],
  ])("is a temporary failure when it is %s, and the next clause gets a new connection", async (_what, fault) => {
    server.failNext(fault);
    expect(await listen()).toMatchObject({ name: "ProviderError", provider: "elevenlabs", retryable: true });
    expect(await listen()).toBeInstanceOf(Int16Array);
    expect(server.requests).toHaveLength(2);
  });

  it("is a permanent failure when the connection is closed because the credit is used up", async () => {
    server.failNext({ type: "close", code: 1008, reason: "quota_exceeded: 0 credits remaining" });
    expect(await listen()).toMatchObject({ retryable: false, message: expect.stringContaining("no credit left") });
  });

  it("ignores messages about contexts that it does not have", async () => {
    server.failNext({ type: "repeat_final" });
    const clip = (await listen()) as Int16Array;
    expect(clip).toHaveLength(5 * 300 * 8);
  });

  it("gives up on silence after its time limit, and on a handshake without an answer", async () => {
    const clock = createManualClock();
    const voice = open({ clock, audioWithinMs: 4_000, connectWithinMs: 2_000 });
    server.ignoreNext();
    const connecting = listen({}, voice);
    await soon(
      untilTrue(() => server.requests.length === 1),
      "connecting",
    );
    clock.pass(2_000);
    expect(await connecting).toMatchObject({ name: "ProviderError", retryable: true });
    server.failNext({ type: "silent" });
    const silent = listen({}, voice);
    await soon(
      untilTrue(() => server.spoken.length === 1),
      "speaking",
    );
    clock.pass(4_000);
    expect(await silent).toMatchObject({
      retryable: true,
      message: expect.stringContaining("sent no audio for 4000 ms"),
    });
    await voice.close();
  });
});

async function untilTrue(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
