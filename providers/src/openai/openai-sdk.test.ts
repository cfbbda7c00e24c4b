import { connect } from "node:net";
import { encodeMulaw } from "@parley/audio/g711";
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
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedSpeech } from "../testing/coded-speech.ts";
import { type OpenAiServer, startOpenAiServer } from "./testing/openai-server.ts";
import { serveTranscription } from "./testing/realtime-input.ts";

const KEY = "sk-sdk-0011223344";

/** OpenAI's own package, which shows that the stand-in speaks the protocol. */
describe("OpenAI's package against the stand-in", () => {
  let speech: MarkedSpeech;
  const coded = new CodedSpeech();
  let server: OpenAiServer;
  let client: OpenAI;

  beforeEach(async () => {
    speech = new MarkedSpeech();
    const fake = createFakeSpeechSynthesizer();
    server = await startOpenAiServer({
      apiKey: KEY,
      recognize: (samples) => speech.read(samples),
      speak: (text) => joinPieces(fake.speak({ text, voiceId: "low", sampleRateHz: 8_000 })),
      onRealtime: (socket) => serveTranscription(socket, { recognize: (samples) => coded.read(samples) }),
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

  /** The package always uses TLS, which the stand-in does not have. */
  const plainSocket = { createConnection: () => connect(server.port, "127.0.0.1") };

  it("follows a realtime transcription from the start of speech to the transcript", async () => {
    const realtime = new OpenAIRealtimeWS({ intent: "transcription", options: plainSocket }, client);
    const types: string[] = [];
    const done = Promise.withResolvers<string>();
    realtime.on("error", (error) => done.reject(error));
    realtime.on("event", ({ type }) => types.push(type));
    realtime.on("session.created", () =>
      realtime.send({
        type: "session.update",
        session: {
          type: "transcription",
          audio: {
            input: {
              format: { type: "audio/pcmu" },
              transcription: { model: "gpt-4o-mini-transcribe", language: "en" },
              turn_detection: { type: "server_vad", silence_duration_ms: 500, prefix_padding_ms: 300 },
            },
          },
        },
      }),
    );
    realtime.on("session.updated", () => {
      const samples = new Int16Array(16_000);
      samples.set(coded.speak("hello there"));
      const codes = new Uint8Array(samples.length);
      encodeMulaw(samples, codes);
      realtime.send({ type: "input_audio_buffer.append", audio: Buffer.from(codes).toString("base64") });
    });
    realtime.on("conversation.item.input_audio_transcription.completed", ({ transcript }) => done.resolve(transcript));
    expect(await done.promise).toBe("hello there");
    expect(types).toEqual([
      "session.created",
      "session.updated",
      "input_audio_buffer.speech_started",
      "input_audio_buffer.speech_stopped",
      "input_audio_buffer.committed",
      "conversation.item.added",
      "conversation.item.done",
      "conversation.item.input_audio_transcription.delta",
      "conversation.item.input_audio_transcription.delta",
      "conversation.item.input_audio_transcription.completed",
    ]);
    realtime.close();
  });

  it("reports what a realtime session refuses, and a wrong key", async () => {
    const realtime = new OpenAIRealtimeWS({ intent: "transcription", options: plainSocket }, client);
    const refused = Promise.withResolvers<unknown>();
    realtime.on("error", (error) => refused.resolve(error));
    realtime.on("session.created", () => realtime.send({ type: "input_audio_buffer.commit", event_id: "mine" }));
    expect(await refused.promise).toMatchObject({
      error: { code: "input_audio_buffer_commit_empty", event_id: "mine" },
    });
    realtime.close();
    const stranger = new OpenAI({ apiKey: "sk-wrong", baseURL: server.url });
    const denied = new OpenAIRealtimeWS({ intent: "transcription", options: plainSocket }, stranger);
    const failed = Promise.withResolvers<unknown>();
    denied.on("error", (error) => failed.resolve(error));
    expect(String(await failed.promise)).toContain("401");
  });
});
