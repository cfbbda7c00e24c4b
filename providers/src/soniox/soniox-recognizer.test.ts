import { systemClock } from "@parley/time/clock";
import { createManualClock } from "@parley/time/testing/manual-clock";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { describeSpeechRecognizerConformance } from "@parley/voice/conformance/speech-recognizer-conformance";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { LevelSpeech } from "../speech/testing/level-speech.ts";
import { describeStreamingFaults, EventLog, QUESTION } from "../speech/testing/streaming-faults.ts";
import { createSonioxRecognizer, type SonioxRecognizerOptions } from "./soniox-recognizer.ts";
import { type SonioxServer, startSonioxServer } from "./testing/soniox-server.ts";

const KEY = "snx-603deb1015ca71be";

const servers: SonioxServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

for (const [name, finalEveryMs] of [
  ["Soniox", 3_000],
  ["Soniox that settles its text in pieces", 500],
] as const) {
  describeSpeechRecognizerConformance(
    name,
    async () => {
      const speech = new LevelSpeech();
      const server = await startSonioxServer({ key: KEY, recognize: (samples) => speech.read(samples), finalEveryMs });
      servers.push(server);
      const recognizer = createSonioxRecognizer({ apiKey: KEY, baseUrl: server.url, clock: systemClock });
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

describeStreamingFaults("Soniox", async (clock) => {
  const speech = new LevelSpeech();
  const server = await startSonioxServer({ key: KEY, recognize: (samples) => speech.read(samples), clock });
  return {
    server,
    speech,
    title: "Soniox",
    apiKey: KEY,
    create: (access) => createSonioxRecognizer({ apiKey: KEY, baseUrl: server.url, clock, ...access }),
    requestName: "finalize",
    malformed: ['{"tokens":7}', '{"tokens":[{"text":"Kowalczyk"}]}', '{"tokens":[]}'],
    unknown: '{"weather":"fine"}',
    closes: [
      [1011, "", true],
      [1008, "", false],
      [1000, "", true],
    ],
  };
});

describe("a call through Soniox", () => {
  let server: SonioxServer;
  let speech: LevelSpeech;
  let log: EventLog;

  beforeEach(async () => {
    speech = new LevelSpeech();
    server = await startSonioxServer({ key: KEY, recognize: (samples) => speech.read(samples) });
    log = new EventLog();
  });

  afterEach(() => server.close());

  function create(options: Partial<SonioxRecognizerOptions> = {}) {
    return createSonioxRecognizer({ apiKey: KEY, baseUrl: server.url, clock: systemClock, ...options });
  }
  const token = (text: string, startMs: number, isFinal = true, more: object = {}) => ({
    ...{ text, start_ms: startMs, end_ms: startMs + 100, confidence: 0.9, is_final: isFinal },
    ...more,
  });
  const result = (...tokens: object[]) => JSON.stringify({ tokens, final_audio_proc_ms: 0, total_audio_proc_ms: 0 });
  const END = { text: "<end>", is_final: true, confidence: 1 };

  it("sends the key with the handshake only, to one host, and asks for telephone audio and the given terms", async () => {
    const recognizer = create();
    await recognizer.open(log.request({ language: "de-AT", terms: ["Parley", " ", "Žižkov 2"] }));
    await soon(server.received("start"), "the settings");
    const [seen] = server.requests;
    expect(seen?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, host: new URL(server.url).host });
    expect(seen?.url).not.toContain(KEY);
    expect(server.starts[0]).toEqual({
      model: "stt-rt-v5",
      audio_format: "pcm_s16le",
      sample_rate: 8_000,
      num_channels: 1,
      language_hints: ["de"],
      enable_language_identification: true,
      enable_endpoint_detection: true,
      max_endpoint_delay_ms: 1_000,
      context: { terms: ["Parley", "Žižkov 2"] },
    });
    await recognizer.close();
  });

  it("is refused before a connection is opened in a language that Soniox lacks", async () => {
    expect(await outcomeOf(create().open(log.request({ language: "is-IS" })))).toMatchObject({
      retryable: false,
      message: "Soniox does not understand the language is-IS.",
    });
    expect(server.requests).toHaveLength(0);
  });

  it("joins tokens to words, whose last pieces may come later, and keeps what is final", async () => {
    const recognizer = create();
    const stream = await recognizer.open(log.request());
    server.inject(result(token("Beau", 0), token("ti", 100, false)));
    server.inject(result(token("ti", 100), token("ful", 200), token(" day", 400, false)));
    server.inject(result(token(" days", 400), token(".", 500), END));
    await log.untilType("turn_ended");
    expect(log.turns).toEqual(["Beautiful days."]);
    expect(log.all.at(-1)).toMatchObject({
      words: [
        { text: "Beautiful", startMs: 0, endMs: 300 },
        { text: "days.", startMs: 400, endMs: 600 },
      ],
    });
    expect(await stream.recognize({ ...QUESTION, isGuess: true })).toMatchObject({ text: "Beautiful days." });
    await recognizer.close();
  });

  it("ignores results that come twice or late", async () => {
    const recognizer = create();
    await recognizer.open(log.request());
    const first = result(token(" one", 0), token(" two", 300));
    server.inject(first);
    server.inject(first);
    server.inject(result(token(" three", 600), END));
    server.inject(first);
    server.inject(result(END));
    server.inject(result(token(" four", 900), END));
    await log.until(() => log.turns.length === 2, "two turns");
    expect(log.turns).toEqual(["one two three", "four"]);
    await recognizer.close();
  });

  it("reports the language of most of what was said", async () => {
    const recognizer = create();
    await recognizer.open(log.request({ language: "en-US" }));
    const german = { language: "de" };
    server.inject(result(token(" okay", 0, true, { language: "en" }), token(" guten", 300, true, german)));
    server.inject(result(token(" Tag", 600, true, german), END));
    await log.untilType("turn_ended");
    expect(log.all.at(-1)).toMatchObject({ text: "okay guten Tag", language: "de" });
    await recognizer.close();
  });

  it.each([
    [400, "Invalid model specified.", false],
    [401, "Incorrect API key provided.", false],
    [402, "Organization balance exhausted.", false],
    [408, "Audio data decode timeout.", true],
    [429, "Concurrent requests limit reached.", true],
    [503, "Cannot continue request (code 1). Please restart the request.", true],
  ])("that fails with the error %i says whether a retry may help", async (code, message, retryable) => {
    const recognizer = create();
    await recognizer.open(log.request());
    server.inject(JSON.stringify({ error_code: code, error_message: `${message} ${KEY}` }));
    await log.untilType("failed");
    expect(log.all).toHaveLength(1);
    expect(log.all[0]).toMatchObject({ error: { retryable, message: expect.stringContaining(String(code)) } });
    expect(JSON.stringify(log.all[0])).not.toContain(KEY);
    await recognizer.close();
  });

  it("is kept alive while there is no audio", async () => {
    const clock = createManualClock();
    const recognizer = create({ clock });
    await recognizer.open(log.request());
    clock.pass(8_000);
    await soon(server.received("keepalive"), "the first sign of life");
    await recognizer.close();
  });
});
