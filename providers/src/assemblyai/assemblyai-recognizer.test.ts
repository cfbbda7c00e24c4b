import { systemClock } from "@parley/time/clock";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { describeSpeechRecognizerConformance } from "@parley/voice/conformance/speech-recognizer-conformance";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { LevelSpeech } from "../speech/testing/level-speech.ts";
import { describeStreamingFaults, EventLog, QUESTION } from "../speech/testing/streaming-faults.ts";
import { type AssemblyAiRecognizerOptions, createAssemblyAiRecognizer } from "./assemblyai-recognizer.ts";
import { type AssemblyAiServer, startAssemblyAiServer } from "./testing/assemblyai-server.ts";

const KEY = "aai-2b7e151628aed2a6";

const servers: AssemblyAiServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

for (const model of ["universal-streaming", "u3-rt-pro"]) {
  describeSpeechRecognizerConformance(
    `AssemblyAI (${model})`,
    async () => {
      const speech = new LevelSpeech();
      const server = await startAssemblyAiServer({ key: KEY, recognize: (samples) => speech.read(samples) });
      servers.push(server);
      const recognizer = createAssemblyAiRecognizer({ apiKey: KEY, baseUrl: server.url, clock: systemClock, model });
      return {
        recognizer: {
          ...recognizer,
          async close() {
            await recognizer.close();
            await server.idle();
          },
        },
        speak: async (text) => speech.speak(text),
        breakEngineOnce: () => server.breakAtNextRequest({ type: "cut" }),
        resourcesHeld: () => server.openSockets,
      };
    },
    { followsWholeCall: true },
  );
}

describeStreamingFaults("AssemblyAI", async (clock) => {
  const speech = new LevelSpeech();
  const server = await startAssemblyAiServer({ key: KEY, recognize: (samples) => speech.read(samples), clock });
  return {
    server,
    speech,
    title: "AssemblyAI",
    apiKey: KEY,
    create: (access) => createAssemblyAiRecognizer({ apiKey: KEY, baseUrl: server.url, clock, ...access }),
    requestName: "ForceEndpoint",
    malformed: ['{"type":"Turn"}', '{"type":"Turn","turn_order":0,"words":[{"text":"Kowalczyk"}]}'],
    unknown: '{"type":"SpeechStarted","timestamp":100}',
    closes: [
      [3005, "", true],
      [3008, "Session Expired: Maximum session duration exceeded", true],
      [3009, "", true],
      [1008, "Too many concurrent sessions", true],
      [1008, "Unauthorized Connection", false],
      [3007, "", false],
      [4002, "", false],
      [1000, "", true],
    ],
  };
});

describe("a call through AssemblyAI", () => {
  let server: AssemblyAiServer;
  let speech: LevelSpeech;
  let log: EventLog;

  beforeEach(async () => {
    speech = new LevelSpeech();
    server = await startAssemblyAiServer({ key: KEY, recognize: (samples) => speech.read(samples) });
    log = new EventLog();
  });

  afterEach(() => server.close());

  function create(options: Partial<AssemblyAiRecognizerOptions> = {}) {
    return createAssemblyAiRecognizer({ apiKey: KEY, baseUrl: server.url, clock: systemClock, ...options });
  }
  const query = () => new URL(server.requests[0]?.url ?? "", server.url).searchParams;
  const turn = (order: number, text: string, is: object = {}) =>
    JSON.stringify({
      ...{
        type: "Turn",
        turn_order: order,
        turn_is_formatted: false,
        end_of_turn: false,
        transcript: "",
        utterance: "",
      },
      words: text.split(" ").map((each, index) => ({
        ...{ text: each, start: order * 5_000 + index * 300, end: order * 5_000 + index * 300 + 200, confidence: 0.8 },
      })),
      ...is,
    });

  it("sends the key in a header, to one host, and asks for telephone audio and the given terms", async () => {
    const recognizer = create();
    await recognizer.open(log.request({ terms: ["Parley", " ", "x".repeat(60), "Žižkov 2"] }));
    expect(server.requests[0]?.headers).toMatchObject({ authorization: KEY, host: new URL(server.url).host });
    expect(server.requests[0]?.url).not.toContain(KEY);
    expect(Object.fromEntries(query())).toMatchObject({
      sample_rate: "8000",
      encoding: "pcm_s16le",
      format_turns: "true",
      keyterms_prompt: '["Parley","Žižkov 2"]',
    });
    await recognizer.close();
  });

  it.each([
    ["en-GB", undefined, { speech_model: "universal-streaming-english" }],
    ["de-DE", undefined, { speech_model: "universal-streaming-multilingual", language_detection: "true" }],
    ["fr-CA", "u3-rt-pro", { speech_model: "u3-rt-pro", language_codes: '["fr"]' }],
    ["sv-SE", "whisper-rt", { speech_model: "whisper-rt" }],
  ])("chooses the model by the language, unless it is named: %s, %s", async (language, model, expected) => {
    const recognizer = create(model === undefined ? {} : { model });
    await recognizer.open(log.request({ language }));
    expect(Object.fromEntries(query())).toMatchObject(expected);
    await recognizer.close();
  });

  it("is refused before a connection is opened in a language that the model lacks", async () => {
    expect(await outcomeOf(create().open(log.request({ language: "sv-SE" })))).toMatchObject({
      retryable: false,
      message: "AssemblyAI's model universal-streaming-multilingual does not understand the language sv-SE.",
    });
    expect(server.requests).toHaveLength(0);
  });

  it("reports a pause as a probable end, takes it back, and ends with the formatted text", async () => {
    const recognizer = create();
    const stream = await recognizer.open(log.request());
    stream.hear(speech.speak("on Tuesday"));
    stream.hear(new Int16Array(8 * 200));
    stream.hear(speech.speak("or Thursday"));
    stream.hear(new Int16Array(8 * 600));
    await log.untilType("turn_ended");
    expect(log.types.filter((type) => type !== "turn_updated")).toEqual([
      "turn_started",
      "turn_probably_ended",
      "turn_resumed",
      "turn_probably_ended",
      "turn_ended",
    ]);
    expect(log.turns).toEqual(["On Tuesday or Thursday."]);
    expect(await stream.recognize({ ...QUESTION, isGuess: true })).toMatchObject({ text: "On Tuesday or Thursday." });
    await recognizer.close();
  });

  it("ignores turns that come twice or late, and ends one whose end was lost", async () => {
    const recognizer = create();
    await recognizer.open(log.request());
    server.inject(turn(0, "yes", { end_of_turn: true }));
    server.inject(turn(0, "Yes.", { end_of_turn: true, turn_is_formatted: true }));
    server.inject(turn(0, "Yes.", { end_of_turn: true, turn_is_formatted: true }));
    server.inject(turn(1, "no"));
    server.inject(turn(0, "maybe"));
    server.inject(turn(2, "Never.", { end_of_turn: true, turn_is_formatted: true }));
    await log.until(() => log.turns.length === 3, "three turns");
    expect(log.turns).toEqual(["Yes.", "no", "Never."]);
    await recognizer.close();
  });

  it("reports the language that was spoken, if the model identifies it", async () => {
    const recognizer = create();
    const stream = await recognizer.open(log.request({ language: "de-DE" }));
    stream.hear(speech.speak("guten Tag zusammen"));
    stream.hear(new Int16Array(8 * 600));
    await log.untilType("turn_ended");
    expect(log.all.at(-1)).toMatchObject({ text: "Guten Tag zusammen.", language: "de", confidence: 0.98 });
    await recognizer.close();
  });

  it.each([
    [3006, "Bad connection parameters", false],
    [3009, "Too many concurrent sessions", true],
    [4002, "Insufficient funds", false],
  ])("that is refused with the error %i after the handshake says so", async (code, error, retryable) => {
    const recognizer = create();
    const opened = await recognizer.open(log.request());
    server.inject(JSON.stringify({ type: "Error", error_code: code, error: `${error} for ${KEY}` }));
    await log.untilType("failed");
    expect(log.all).toHaveLength(1);
    expect(log.all[0]).toMatchObject({ error: { retryable, message: expect.stringContaining(error) } });
    expect(JSON.stringify(log.all[0])).not.toContain(KEY);
    opened.close();
    await recognizer.close();
  });

  it("terminates its session, which is billed until then", async () => {
    const recognizer = create();
    const stream = await recognizer.open(log.request());
    stream.close();
    await soon(server.received("Terminate"), "Terminate");
    await recognizer.close();
  });

  it("never sends audio in pieces that AssemblyAI refuses, however it arrives", async () => {
    const recognizer = create();
    const stream = await recognizer.open(log.request());
    for (const samples of [10, 400, 7, 8_000, 1]) stream.hear(new Int16Array(samples));
    stream.startUtterance();
    stream.hear(new Int16Array(3));
    const answer = await outcomeOf(stream.recognize({ ...QUESTION, isSpeechCertain: false }));
    expect(answer).toMatchObject({ text: "" });
    expect(log.types).not.toContain("failed");
    await recognizer.close();
  });
});
