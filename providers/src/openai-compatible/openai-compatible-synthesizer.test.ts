import { levelDbfsOf } from "@parley/audio/level";
import { wavHeader } from "@parley/audio/wav-header";
import { createManualClock, type ManualClock } from "@parley/time/testing/manual-clock";
import { joinPieces, outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { describeSpeechSynthesizerConformance } from "@parley/voice/conformance/speech-synthesizer-conformance";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { pace, pause, saidAs } from "@parley/voice/ports/speech-notation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenAiFault, type OpenAiServer, startOpenAiServer } from "../openai/testing/openai-server.ts";
import {
  createOpenAiCompatibleSynthesizer,
  type OpenAiCompatibleSynthesizerOptions,
} from "./openai-compatible-synthesizer.ts";

const KEY = "sk-own-voice-2b9d44f0";
const VOICES = [{ id: "af_heart", language: "en-US", description: "A warm voice" }];

const fake = createFakeSpeechSynthesizer();
const speak = (text: string) => joinPieces(fake.speak({ text, voiceId: "low", sampleRateHz: 8_000 }));

const startServer = (voiceRateHz: number, apiKey: string | null = null) =>
  startOpenAiServer({ apiKey, recognize: () => [], speak, voiceRateHz });

const running: OpenAiServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

for (const [format, rateHz] of [
  ["wav", 22_050],
  ["pcm", 24_000],
] as const) {
  describeSpeechSynthesizerConformance(`a speech server with ${format} at ${rateHz} Hz`, async () => {
    const server = await startServer(rateHz);
    running.push(server);
    const clock = createManualClock();
    const synthesizer = createOpenAiCompatibleSynthesizer({
      apiKey: null,
      baseUrl: server.url,
      model: "kokoro",
      voices: VOICES,
      clock,
      format,
    });
    return {
      synthesizer,
      isDeterministic: true,
      breakEngineOnce: () => server.breakNext({ type: "cut" }),
      // Every request waits with a time limit.
      resourcesHeld: () => clock.pending(),
    };
  });
}

describe("speech of a server of the operator's own", () => {
  let server: OpenAiServer;
  let clock: ManualClock;

  beforeEach(async () => {
    clock = createManualClock();
    server = await startServer(22_050, KEY);
  });

  afterEach(async () => {
    await soon(server.nothingLeft(), "letting go of every request");
    await server.close();
    expect(clock.pending(), "timers left behind").toBe(0);
  });

  const say = (text: string, wanted: Partial<OpenAiCompatibleSynthesizerOptions> = {}) => {
    const options = { apiKey: KEY, baseUrl: server.url, model: "kokoro", voices: VOICES, clock, ...wanted };
    const request = { text, voiceId: "af_heart", sampleRateHz: 8_000 } as const;
    return joinPieces(createOpenAiCompatibleSynthesizer(options).speak(request));
  };

  const failureOf = async (fault: OpenAiFault) => {
    server.breakNext(fault);
    const failure = await outcomeOf(say("Hello there, how are you?"));
    expect(failure).toMatchObject({ name: "ProviderError", provider: "openai-compatible" });
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toContain(KEY.slice(3, 12));
    return failure;
  };

  it("asks for a voice, a model and a speed, with the key in the header", async () => {
    await say("Hello.", { speed: 1.1 });
    expect(server.requests[0]).toMatchObject({
      path: "/v1/audio/speech",
      headers: { authorization: `Bearer ${KEY}` },
      fields: { model: "kokoro", voice: "af_heart", input: "Hello.", response_format: "wav", speed: 1.1 },
    });
  });

  it("sounds the same as it was rendered, at the rate of the telephone", async () => {
    const [original, heard] = [await speak("Hello there"), await say("Hello there")];
    expect(Math.abs(heard.length - original.length)).toBeLessThanOrEqual(2);
    expect(Math.abs(levelDbfsOf(heard) - levelDbfsOf(original))).toBeLessThan(0.5);
  });

  it("arrives in pieces, the first of them before the last was sent", async () => {
    server.breakNext({ type: "stall" });
    const options = { apiKey: KEY, baseUrl: server.url, model: "kokoro", voices: VOICES, clock };
    const controller = new AbortController();
    const pieces = createOpenAiCompatibleSynthesizer(options)
      .speak({ text: "One two three four", voiceId: "af_heart", sampleRateHz: 8_000, signal: controller.signal })
      [Symbol.asyncIterator]();
    expect((await soon(pieces.next(), "the first audio")).done).toBe(false);
    controller.abort(new Error("cut in"));
    for (let next = await outcomeOf(pieces.next()); ; next = await outcomeOf(pieces.next())) {
      if (next instanceof Error) break;
    }
  });

  it("reads respellings and ignores phonemes, changes its pace and makes pauses", async () => {
    const plain = await say("Hello Siobhan");
    const text = `${pace(0.8)}Hello ${saidAs("Siobhan", "/ʃɪˈvɔn/")} ${saidAs("Nguyen", "win")}${pause(500)}`;
    const marked = await say(text);
    expect(server.requests[1]?.fields).toMatchObject({ input: "Hello Siobhan win", speed: 0.8 });
    expect(marked.length - (await speak("Hello Siobhan win")).length).toBeGreaterThan(3_990);
    expect(plain.length).toBeGreaterThan(0);
  });

  it.each([
    ["audio/mpeg", "ID3 and so on", "audio/mpeg instead of WAV or PCM"],
    ["text/html", "<html>", "text/html instead of WAV or PCM"],
    ["audio/wav", wavOf({ bits: 32 }), "format 1, 32 bits"],
    ["audio/wav", wavOf({ rateHz: 1 }), "a rate of 1 Hz"],
    ["audio/wav", wavOf({}).subarray(0, 40), "without audio"],
  ])("of the type %s that cannot be used says why", async (contentType, body, words) => {
    const failure = await failureOf({ type: "body", contentType, body });
    expect(failure).toMatchObject({ retryable: false, message: expect.stringContaining(words) });
  });

  it("mixes two channels into one and ignores what follows the audio", async () => {
    const samples = Int16Array.from([1_000, 3_000, 1_000, 3_000]);
    const bytes = Buffer.concat([
      wavHeader({ sampleRateHz: 8_000, channels: 2 }, 8),
      Buffer.from(samples.buffer),
      Buffer.from("LIST and a comment"),
    ]);
    server.breakNext({ type: "body", contentType: "audio/wav", body: bytes });
    expect(Array.from(await say("Hello."))).toEqual([2_000, 2_000]);
  });

  it("that has no audio is a failure that may pass", async () => {
    const failure = await failureOf({ type: "body", contentType: "audio/pcm", body: "" });
    expect(failure).toMatchObject({ retryable: true, message: "The speech server sent no audio." });
  });

  it.each([
    [400, false],
    [401, false],
    [404, false],
    [429, true],
    [500, true],
  ])("that is refused with status %i says whether a retry may help: %s", async (status, retryable) => {
    const body = JSON.stringify({ error: { message: `key ${KEY} is not enough` } });
    expect(await failureOf({ type: "status", status, body })).toMatchObject({ retryable });
  });

  it("is given up when nothing comes", async () => {
    const stuck = server.stuck();
    const failure = failureOf({ type: "silent" });
    await soon(stuck, "asking");
    clock.pass(10_000);
    expect(await failure).toMatchObject({ retryable: true, message: expect.stringContaining("within 10000 ms") });
  });

  it("cannot be asked for with a key that cannot be sent, which is not shown", async () => {
    const failure = await outcomeOf(say("Hello.", { apiKey: "sk-line\nbreak" }));
    expect(failure).toMatchObject({ retryable: false, message: expect.stringContaining("cannot be sent") });
    expect(String(failure)).not.toContain("sk-line");
  });
});

function wavOf({ bits = 16, rateHz = 8_000 }: { readonly bits?: number; readonly rateHz?: number }): Uint8Array {
  const header = wavHeader({ sampleRateHz: rateHz, channels: 1 }, 4);
  header[34] = bits;
  return Buffer.concat([header, Buffer.alloc(4)]);
}
