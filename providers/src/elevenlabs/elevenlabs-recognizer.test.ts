import { systemClock } from "@parley/time/clock";
import { describeSpeechRecognizerConformance } from "@parley/voice/conformance/speech-recognizer-conformance";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { LevelSpeech } from "../speech/testing/level-speech.ts";
import { describeStreamingFaults, EventLog, QUESTION } from "../speech/testing/streaming-faults.ts";
import { createElevenLabsRecognizer } from "./elevenlabs-recognizer.ts";
import { type ElevenLabsServer, startElevenLabsServer } from "./testing/elevenlabs-server.ts";

const KEY = "xi-5f2b7a91c3d84e60b1";

const servers: ElevenLabsServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

function start(speech: LevelSpeech, clock = systemClock): Promise<ElevenLabsServer> {
  const recognize = (samples: Int16Array) => speech.read(samples);
  return startElevenLabsServer({ apiKey: KEY, voiceIds: [], speak: () => new Int16Array(0), recognize, clock });
}

describeSpeechRecognizerConformance(
  "ElevenLabs Scribe",
  async () => {
    const speech = new LevelSpeech();
    const server = await start(speech);
    servers.push(server);
    const recognizer = createElevenLabsRecognizer({ apiKey: KEY, baseUrl: server.url, clock: systemClock });
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

describeStreamingFaults("ElevenLabs Scribe", async (clock) => {
  const speech = new LevelSpeech();
  const server = await start(speech, clock);
  return {
    server,
    speech,
    title: "ElevenLabs",
    apiKey: KEY,
    create: (access) => createElevenLabsRecognizer({ apiKey: KEY, baseUrl: server.url, clock, ...access }),
    requestName: "commit",
    malformed: [
      '{"message_type":"partial_transcript"}',
      '{"message_type":"committed_transcript_with_timestamps","text":"x","words":[{"text":"Kowalczyk"}]}',
    ],
    unknown: '{"message_type":"edited_transcript","text":"x","edited_text":"y"}',
    closes: [
      [1011, "", true],
      [1008, "quota_exceeded", false],
      [1000, "session_time_limit_exceeded", true],
      [1000, "", true],
    ],
  };
});

describe("a call through ElevenLabs Scribe", () => {
  let server: ElevenLabsServer;
  let speech: LevelSpeech;
  let log: EventLog;

  beforeEach(async () => {
    speech = new LevelSpeech();
    server = await start(speech);
    log = new EventLog();
  });

  afterEach(() => server.close());

  const create = () => createElevenLabsRecognizer({ apiKey: KEY, baseUrl: server.url, clock: systemClock });
  const committed = (text: string, words: unknown, more: object = {}) =>
    JSON.stringify({ message_type: "committed_transcript_with_timestamps", text, words, ...more });

  it("sends the key in a header, to one host, and asks for telephone audio and the given terms", async () => {
    const recognizer = create();
    await recognizer.open(log.request({ language: "de-AT", terms: ["Parley", " ", "x".repeat(30), "Žižkov 2"] }));
    const [seen] = server.requests;
    expect(seen?.headers).toMatchObject({ "xi-api-key": KEY, host: new URL(server.url).host });
    expect(seen?.url).not.toContain(KEY);
    const query = new URL(seen?.url ?? "", server.url).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      model_id: "scribe_v2_realtime",
      audio_format: "pcm_8000",
      language_code: "de",
      commit_strategy: "vad",
      include_timestamps: "true",
    });
    expect(query.getAll("keyterms")).toEqual(["Parley", "Žižkov 2"]);
    await recognizer.close();
  });

  it("reports words while they are spoken, and their times when Scribe commits them", async () => {
    const recognizer = create();
    const stream = await recognizer.open(log.request({ language: "de-DE" }));
    stream.hear(new Int16Array(8_000));
    stream.hear(speech.speak("guten Tag zusammen"));
    stream.hear(new Int16Array(8 * 700));
    await log.untilType("turn_ended");
    expect(log.types).toContain("turn_updated");
    expect(log.types.slice(-2)).toEqual(["turn_probably_ended", "turn_ended"]);
    const ended = log.all.at(-1);
    expect(ended).toMatchObject({ text: "guten Tag zusammen", language: "de", atMs: expect.any(Number) });
    expect(ended && "confidence" in ended && ended.confidence).toBeCloseTo(0.98, 5);
    expect(await stream.recognize({ ...QUESTION, isGuess: true })).toMatchObject({
      words: [{ text: "guten", startMs: 1_000 }, { text: "Tag" }, { text: "zusammen" }],
    });
    await recognizer.close();
  });

  it("is not disturbed by a request with too little audio to commit", async () => {
    const recognizer = create();
    const stream = await recognizer.open(log.request());
    stream.hear(new Int16Array(80));
    expect(await stream.recognize({ ...QUESTION, isSpeechCertain: false })).toMatchObject({ text: "" });
    expect(log.all).toEqual([]);
    await recognizer.close();
  });

  it("takes languages of three letters, sounds that are no words, and texts without times", async () => {
    const recognizer = create();
    await recognizer.open(log.request());
    const words = [
      { text: "well", start: 0.1, end: 0.4, type: "word", logprob: 0 },
      { text: " ", start: 0.4, end: 0.4, type: "spacing" },
      { text: "(laughter)", start: 0.4, end: 0.9, type: "audio_event" },
    ];
    server.inject(committed("well (laughter)", words, { language_code: "deu" }));
    server.inject(committed("indeed so", null));
    await log.until(() => log.turns.length === 2, "two turns");
    expect(log.turns).toEqual(["well", "indeed so"]);
    expect(log.all.find(({ type }) => type === "turn_ended")).toMatchObject({ language: "de", confidence: 1 });
    await recognizer.close();
  });

  it.each([
    ["auth_error", false, "refused the API key"],
    ["quota_exceeded", false, "has no credit left on this account"],
    ["rate_limited", true, "takes no more requests at the moment"],
    ["transcriber_error", true, "failed to recognize speech"],
    ["error", true, "reported a failure"],
  ])("that fails with %s says whether a retry may help", async (type, retryable, complaint) => {
    const recognizer = create();
    await recognizer.open(log.request());
    server.inject(JSON.stringify({ message_type: type, error: `no luck with ${KEY}` }));
    await log.untilType("failed");
    expect(log.all).toHaveLength(1);
    expect(log.all[0]).toMatchObject({ error: { retryable, message: expect.stringContaining(complaint) } });
    expect(JSON.stringify(log.all[0])).not.toContain(KEY);
    await recognizer.close();
  });
});
