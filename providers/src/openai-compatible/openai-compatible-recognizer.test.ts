import { createManualClock, type ManualClock } from "@parley/time/testing/manual-clock";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { describeSpeechRecognizerConformance } from "@parley/voice/conformance/speech-recognizer-conformance";
import { MarkedSpeech } from "@parley/voice/fakes/marked-speech";
import type { RecognitionQuestion } from "@parley/voice/ports/speech-recognizer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenAiFault, type OpenAiServer, startOpenAiServer } from "../openai/testing/openai-server.ts";
import {
  createOpenAiCompatibleRecognizer,
  type OpenAiCompatibleRecognizerOptions,
} from "./openai-compatible-recognizer.ts";

const KEY = "sk-own-server-71c0a9e4";
const QUESTION: RecognitionQuestion = { expected: [], isSpeechCertain: true, isGuess: false };

for (const isStreamed of [false, true]) {
  const servers: OpenAiServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  describeSpeechRecognizerConformance(`a server of the operator's own${isStreamed ? ", streamed" : ""}`, async () => {
    const speech = new MarkedSpeech();
    const server = await startOpenAiServer({
      apiKey: null,
      recognize: (samples) => speech.read(samples),
      speak: () => new Int16Array(0),
    });
    servers.push(server);
    const clock = createManualClock();
    const recognizer = createOpenAiCompatibleRecognizer({
      apiKey: null,
      baseUrl: server.url,
      model: "whisper-1",
      clock,
      isStreamed,
    });
    return {
      recognizer,
      speak: async (text) => speech.speak(text),
      breakEngineOnce: () => server.breakNext({ type: "cut" }),
      // Every request waits with a time limit.
      resourcesHeld: () => clock.pending(),
    };
  });
}

describe("recognition by a server of the operator's own", () => {
  let speech: MarkedSpeech;
  let server: OpenAiServer;
  let clock: ManualClock;

  beforeEach(async () => {
    speech = new MarkedSpeech();
    clock = createManualClock();
    server = await startOpenAiServer({
      apiKey: KEY,
      recognize: (samples) => speech.read(samples),
      speak: () => new Int16Array(0),
    });
  });

  afterEach(async () => {
    await soon(server.nothingLeft(), "letting go of every request");
    await server.close();
    expect(clock.pending(), "timers left behind").toBe(0);
  });

  async function hear(text: string, wanted: Partial<OpenAiCompatibleRecognizerOptions> = {}, terms: string[] = []) {
    const recognizer = createOpenAiCompatibleRecognizer({
      apiKey: KEY,
      baseUrl: server.url,
      model: "large-v3",
      clock,
      ...wanted,
    });
    const stream = await recognizer.open({ language: "en-US", sampleRateHz: 8_000, terms });
    stream.hear(speech.speak(text));
    return stream;
  }

  const failureOf = async (fault: OpenAiFault) => {
    server.breakNext(fault);
    const stream = await hear("hello");
    const failure = await outcomeOf(stream.recognize(QUESTION));
    expect(failure).toMatchObject({ name: "ProviderError", provider: "openai-compatible" });
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toContain(KEY.slice(3, 12));
    return failure;
  };

  it("sends one WAV file with language, model and the words to expect, and the key in its header", async () => {
    const stream = await hear("hello Kowalczyk", {}, ["Kowalczyk", "Parley"]);
    await stream.recognize({ ...QUESTION, expected: ["yes", "no"] });
    expect(server.requests).toHaveLength(1);
    const { path, headers, fields } = server.requests[0] as OpenAiServer["requests"][number];
    expect(path).toBe("/v1/audio/transcriptions");
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(fields).toMatchObject({
      model: "large-v3",
      language: "en",
      prompt: "yes, no, Kowalczyk, Parley",
      response_format: "verbose_json",
      "timestamp_granularities[]": ["word", "segment"],
    });
  });

  it("reports word times, confidence and language if the server does", async () => {
    const stream = await hear("two words");
    const { words, confidence, language } = await stream.recognize(QUESTION);
    expect(words).toEqual([
      { text: "two", startMs: 0, endMs: 260 },
      { text: "words", startMs: 300, endMs: 560 },
    ]);
    expect(confidence).toBeCloseTo(0.905, 3);
    expect(language).toBe("en");
  });

  it("works with servers that know plain text only", async () => {
    const stream = await hear("two words", { format: "json" });
    expect(await stream.recognize(QUESTION)).toEqual({ text: "two words", words: [], best: null, confidence: null });
    expect(server.requests[0]?.fields).toMatchObject({ response_format: "json" });
  });

  it("does not believe words that Whisper finds in silence", async () => {
    const stream = await hear("");
    stream.hear(new Int16Array(8_000));
    expect((await stream.recognize({ ...QUESTION, isSpeechCertain: false })).text).toBe("");
  });

  it("uses the answer to a guess if the utterance did not go on", async () => {
    const stream = await hear("hello");
    const guess = stream.recognize({ ...QUESTION, isGuess: true });
    const final = stream.recognize(QUESTION);
    expect((await final).text).toBe("hello");
    expect((await guess).text).toBe("hello");
    await stream.recognize(QUESTION);
    expect(server.requests).toHaveLength(1);
    stream.hear(speech.speak(" there"));
    await stream.recognize(QUESTION);
    expect(server.requests).toHaveLength(2);
  });

  it("closes the connection of a request that is no longer needed", async () => {
    server.breakNext({ type: "silent" });
    const stream = await hear("hello");
    const stuck = server.stuck();
    const controller = new AbortController();
    const outcome = outcomeOf(stream.recognize({ ...QUESTION, signal: controller.signal }));
    await soon(stuck, "asking");
    controller.abort(new Error("went on"));
    expect(await outcome).toMatchObject({ message: "went on" });
    await soon(server.nothingLeft(), "closing the connection");
    expect((await stream.recognize(QUESTION)).text).toBe("hello");
  });

  const sizeOfFile = (index: number) => {
    const file = server.requests[index]?.fields.file;
    return file instanceof Uint8Array ? file.length : Number.NaN;
  };

  it("pads audio that is too short for the server, and keeps the end of audio that is too long", async () => {
    const short = await hear("");
    short.hear(new Int16Array(80));
    await short.recognize(QUESTION);
    expect(sizeOfFile(0)).toBe(44 + 2 * 1_600);
    const long = await hear("");
    for (let second = 0; second < 100; second++) long.hear(new Int16Array(8_000));
    await long.recognize(QUESTION);
    expect(sizeOfFile(1)).toBeLessThanOrEqual(44 + 2 * 61 * 8_000);
  });

  it.each([
    [400, false, "refused the request (status 400)"],
    [401, false, "refused the API key (status 401)"],
    [403, false, "does not allow this API key"],
    [404, false, "does not know this address, model or voice"],
    [429, true, "takes no more requests at the moment"],
    [500, true, "has a failure of its own"],
    [503, true, "has a failure of its own"],
  ])("that is refused with status %i says whether a retry may help: %s", async (status, retryable, words) => {
    const body = JSON.stringify({ error: { message: `key ${KEY} is not enough` } });
    const failure = await failureOf({ type: "status", status, body });
    expect(failure).toMatchObject({ retryable, message: expect.stringContaining(`The recognition server ${words}`) });
  });

  it("reports how long the server asks not to be called", async () => {
    const failure = await failureOf({ type: "status", status: 429, headers: { "Retry-After": "3" } });
    expect(failure).toMatchObject({ retryable: true, retryAfterMs: 3_000 });
  });

  it("does not follow redirects, so that the key stays with its host", async () => {
    const failure = await failureOf({ type: "status", status: 307, headers: { Location: "http://127.0.0.1:1/" } });
    expect(failure).toMatchObject({ retryable: false, message: expect.stringContaining("redirect") });
  });

  it.each<[string, OpenAiFault]>([
    ["is cut off", { type: "cut" }],
    ["is a page", { type: "body", contentType: "text/html", body: "<html>Welcome</html>" }],
    ["is not a transcript", { type: "body", contentType: "application/json", body: '{"segments":[]}' }],
    ["is empty", { type: "body", contentType: "application/json", body: "" }],
  ])("whose reply %s is a failure that may pass", async (_what, fault) => {
    expect(await failureOf(fault)).toMatchObject({ retryable: true });
  });

  it.each(["silent", "stall"] as const)("is given up when the server falls %s", async (type) => {
    const stuck = server.stuck();
    const failure = failureOf({ type });
    await soon(stuck, "asking");
    // The reply's first bytes may still be on their way, with a time limit of their own after them.
    await new Promise((resolve) => setImmediate(resolve));
    while (clock.pending() > 0) {
      clock.pass(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await failure).toMatchObject({ retryable: true, message: expect.stringContaining("did not answer within") });
  });

  it("that no server answers is a temporary failure, without its address", async () => {
    const gone = await startOpenAiServer({ apiKey: null, recognize: () => [], speak: () => new Int16Array(0) });
    await gone.close();
    const stream = await hear("hello", { baseUrl: gone.url });
    expect(await outcomeOf(stream.recognize(QUESTION))).toMatchObject({
      retryable: true,
      message: "The recognition server cannot be reached (ECONNREFUSED).",
    });
  });
});
