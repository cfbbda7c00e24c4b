import { wavHeader } from "@parley/audio/wav-header";
import { joinPieces } from "@parley/voice/conformance/outcome-of";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { MarkedSpeech } from "@parley/voice/fakes/marked-speech";
import OpenAI, {
  APIConnectionTimeoutError,
  AuthenticationError,
  InternalServerError,
  RateLimitError,
  toFile,
} from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenAiServer, startOpenAiServer } from "./testing/openai-server.ts";

const KEY = "sk-sdk-0011223344";

/** OpenAI's own package, which shows that the stand-in speaks the protocol. */
describe("OpenAI's package against the stand-in", () => {
  let speech: MarkedSpeech;
  let server: OpenAiServer;
  let client: OpenAI;

  beforeEach(async () => {
    speech = new MarkedSpeech();
    const fake = createFakeSpeechSynthesizer();
    server = await startOpenAiServer({
      apiKey: KEY,
      recognize: (samples) => speech.read(samples),
      speak: (text) => joinPieces(fake.speak({ text, voiceId: "low", sampleRateHz: 8_000 })),
    });
    client = new OpenAI({ apiKey: KEY, baseURL: server.url, maxRetries: 0 });
  });

  afterEach(() => server.close());

  async function wavOf(text: string) {
    const samples = speech.speak(text);
    const header = wavHeader({ sampleRateHz: 8_000, channels: 1 }, samples.byteLength);
    return toFile(Buffer.concat([header, new Uint8Array(samples.buffer)]), "utterance.wav", { type: "audio/wav" });
  }

  it("transcribes to text", async () => {
    const { text } = await client.audio.transcriptions.create({ file: await wavOf("hello there"), model: "whisper-1" });
    expect(text).toBe("hello there");
  });

  it("transcribes with word times", async () => {
    const transcript = await client.audio.transcriptions.create({
      file: await wavOf("hello there"),
      model: "whisper-1",
      response_format: "verbose_json",
      timestamp_granularities: ["word", "segment"],
    });
    expect(transcript.words).toEqual([
      { word: "hello", start: 0, end: 0.26 },
      { word: "there", start: 0.3, end: 0.56 },
    ]);
    expect(transcript.segments?.[0]).toMatchObject({ no_speech_prob: 0.01 });
    expect(transcript.language).toBe("english");
  });

  it("transcribes as a stream", async () => {
    const stream = await client.audio.transcriptions.create({
      file: await wavOf("hello there"),
      model: "gpt-4o-transcribe",
      stream: true,
    });
    const types: string[] = [];
    let text = "";
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === "transcript.text.done") text = event.text;
    }
    expect(types).toEqual(["transcript.text.delta", "transcript.text.delta", "transcript.text.done"]);
    expect(text).toBe("hello there");
  });

  it("speaks, in pieces", async () => {
    const reply = await client.audio.speech.create({
      model: "gpt-4o-mini-tts",
      voice: "marin",
      input: "Hello there.",
      response_format: "pcm",
    });
    let bytes = 0;
    let pieces = 0;
    for await (const piece of reply.body ?? []) {
      bytes += piece.length;
      pieces += 1;
    }
    expect(bytes).toBe(2 * 3 * 8 * 600);
    expect(pieces).toBeGreaterThan(1);
  });

  it("reports a wrong key, a limit, a failure and silence by its own classes", async () => {
    const speak = (other = client) => other.audio.speech.create({ model: "tts-1", voice: "nova", input: "Hello." });
    const stranger = new OpenAI({ apiKey: "sk-wrong", baseURL: server.url, maxRetries: 0 });
    await expect(speak(stranger)).rejects.toThrow(AuthenticationError);
    server.breakNext({ type: "status", status: 429, headers: { "Retry-After": "1" } });
    await expect(speak()).rejects.toThrow(RateLimitError);
    server.breakNext({ type: "status", status: 500 });
    await expect(speak()).rejects.toThrow(InternalServerError);
    server.breakNext({ type: "silent" });
    const hasty = new OpenAI({ apiKey: KEY, baseURL: server.url, maxRetries: 0, timeout: 50 });
    await expect(speak(hasty)).rejects.toThrow(APIConnectionTimeoutError);
  });
});
