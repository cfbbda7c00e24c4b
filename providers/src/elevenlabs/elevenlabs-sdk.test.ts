import { once } from "node:events";
import {
  AudioFormat,
  CommitStrategy,
  type ElevenLabs,
  ElevenLabsClient,
  ElevenLabsError,
  RealtimeEvents,
} from "@elevenlabs/elevenlabs-js";
import * as wire from "@elevenlabs/elevenlabs-js/serialization/index.js";
import { joinPieces, outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { LevelSpeech } from "../speech/testing/level-speech.ts";
import { type ElevenLabsServer, startElevenLabsServer } from "./testing/elevenlabs-server.ts";

const KEY = "xi-5f2b7a91c3d84e60b1";

describe("the stand-in for ElevenLabs, seen by ElevenLabs' own SDK", () => {
  let server: ElevenLabsServer;

  beforeEach(async () => {
    const voice = createFakeSpeechSynthesizer();
    server = await startElevenLabsServer({
      apiKey: KEY,
      voiceIds: ["rachel"],
      speak: (text, _voiceId, sampleRateHz) =>
        joinPieces(voice.speak({ text, voiceId: "low", sampleRateHz: sampleRateHz as 8_000 })),
    });
  });

  afterEach(() => server.close());

  const clientWith = (apiKey: string) => new ElevenLabsClient({ apiKey, baseUrl: server.url, maxRetries: 0 });

  it("streams speech over HTTP", async () => {
    const stream = await clientWith(KEY).textToSpeech.stream("rachel", { text: "one two", outputFormat: "pcm_8000" });
    let bytes = 0;
    for await (const piece of stream) bytes += piece.length;
    expect(bytes).toBe(2 * 300 * 16);
  });

  it.each([
    [401, { status: 401 }],
    [429, { status: 429 }],
    [500, { status: 500 }],
  ])("is refused with the status %i as the SDK's error", async (statusCode, refusal) => {
    server.refuseNext(refusal);
    const failure = await outcomeOf(clientWith(KEY).textToSpeech.stream("rachel", { text: "one" }));
    expect(failure).toBeInstanceOf(ElevenLabsError);
    expect(failure).toMatchObject({ statusCode });
  });

  it("refuses a wrong key and an unknown voice", async () => {
    const refused = await outcomeOf(clientWith("xi-other").textToSpeech.stream("rachel", { text: "one" }));
    expect(refused).toMatchObject({ statusCode: 401 });
    const unknown = await outcomeOf(clientWith(KEY).textToSpeech.stream("adam", { text: "one" }));
    expect(unknown).toMatchObject({ statusCode: 404 });
  });

  it("takes and sends the messages of multi-stream-input as the SDK writes and reads them", async () => {
    const query = "model_id=eleven_flash_v2_5&output_format=pcm_8000&sync_alignment=true";
    const url = `${server.url.replace("http", "ws")}/v1/text-to-speech/rachel/multi-stream-input?${query}`;
    const socket = new WebSocket(url, { headers: { "xi-api-key": KEY } });
    await soon(once(socket, "open"), "connecting");
    const received: ElevenLabs.ReceiveMessageMulti[] = [];
    const finals = Promise.withResolvers<void>();
    socket.on("message", (data) => {
      const message = wire.ReceiveMessageMulti.parseOrThrow(JSON.parse(String(data)), {
        unrecognizedObjectKeys: "fail",
      });
      received.push(message);
      if (received.filter((each) => "isFinal" in each).length === 2) finals.resolve();
    });
    async function send(message: ElevenLabs.SendMessageMulti): Promise<void> {
      socket.send(JSON.stringify(await wire.SendMessageMulti.jsonOrThrow(message)));
    }
    for (const contextId of ["first", "second"]) {
      await send({ text: " ", voiceSettings: { stability: 0.5, speed: 1.1 }, contextId });
      await send({ text: `${contextId} clause `, contextId });
      await send({ contextId, flush: true });
      await send({ text: "", contextId });
      await send({ contextId, closeContext: true });
    }
    await soon(finals.promise, "speaking");
    for (const contextId of ["first", "second"]) {
      const own = received.filter((message) => message.contextId === contextId);
      const audio = own.filter((message): message is ElevenLabs.AudioOutputMulti => "audio" in message);
      expect(audio.reduce((sum, message) => sum + Buffer.from(message.audio, "base64").length, 0)).toBe(2 * 300 * 16);
      expect(audio.flatMap(({ alignment }) => alignment?.chars ?? []).join("")).toBe(`${contextId} clause `);
      expect(own.at(-1)).toMatchObject({ isFinal: true });
    }
    const settings = { stability: 0.5, speed: 1.1 };
    expect(server.spoken).toContainEqual({
      ...{ text: "first clause", voiceId: "rachel", language: null, voiceSettings: settings },
    });
    await send({ closeSocket: true });
    await soon(once(socket, "close"), "closing");
  });
});

describe("the stand-in for Scribe, seen by ElevenLabs' own SDK", () => {
  let server: ElevenLabsServer;
  let speech: LevelSpeech;

  beforeEach(async () => {
    speech = new LevelSpeech();
    const recognize = (samples: Int16Array) => speech.read(samples);
    server = await startElevenLabsServer({ apiKey: KEY, voiceIds: [], speak: () => new Int16Array(0), recognize });
  });

  afterEach(() => server.close());

  async function connect({ key = KEY, commitStrategy = CommitStrategy.VAD, modelId = "scribe_v2_realtime" } = {}) {
    const client = new ElevenLabsClient({ apiKey: key, baseUrl: server.url });
    const connection = await client.speechToText.realtime.connect({
      modelId,
      audioFormat: AudioFormat.PCM_8000,
      sampleRate: 8_000,
      commitStrategy,
      vadSilenceThresholdSecs: 0.5,
      languageCode: "en",
      includeTimestamps: true,
      includeLanguageDetection: true,
      keyterms: ["Parley"],
    });
    const seen: { type: string; text: string }[] = [];
    const events = [
      RealtimeEvents.SESSION_STARTED,
      RealtimeEvents.PARTIAL_TRANSCRIPT,
      RealtimeEvents.COMMITTED_TRANSCRIPT,
      RealtimeEvents.COMMITTED_TRANSCRIPT_WITH_TIMESTAMPS,
      RealtimeEvents.COMMIT_THROTTLED,
    ] as const;
    const errors: unknown[] = [];
    const waiting = new Map<string, () => void>();
    connection.on(RealtimeEvents.ERROR, (error) => {
      errors.push(error);
      waiting.get("error")?.();
    });
    for (const type of events) {
      connection.on(type, (message) => {
        seen.push({ type, text: "text" in message ? message.text : "" });
        waiting.get(type)?.();
      });
    }
    const until = (type: string) => soon(new Promise<void>((resolve) => waiting.set(type, resolve)), type);
    return { connection, seen, errors, until };
  }

  function audio(text: string, silenceMs: number): string {
    const spoken = speech.speak(text);
    const samples = new Int16Array(spoken.length + silenceMs * 8);
    samples.set(spoken);
    return Buffer.from(samples.buffer).toString("base64");
  }

  it("commits by silence: partial, committed, and with the times of words", async () => {
    const { connection, seen, until } = await connect();
    await until(RealtimeEvents.SESSION_STARTED);
    connection.send({ audioBase64: audio("please call me back tomorrow", 700) });
    await until(RealtimeEvents.COMMITTED_TRANSCRIPT_WITH_TIMESTAMPS);
    connection.close();
    expect(seen.map(({ type }) => type)).toContain("partial_transcript");
    expect(seen.slice(-2)).toEqual([
      { type: "committed_transcript", text: "please call me back tomorrow" },
      { type: "committed_transcript_with_timestamps", text: "please call me back tomorrow" },
    ]);
    expect(server.requests[0]?.url).toContain("keyterms=Parley");
  });

  it("commits on request, and says when there is too little to commit", async () => {
    const { connection, seen, errors, until } = await connect({ commitStrategy: CommitStrategy.MANUAL });
    await until(RealtimeEvents.SESSION_STARTED);
    connection.send({ audioBase64: audio("good bye", 1_000) });
    connection.commit();
    await until(RealtimeEvents.COMMITTED_TRANSCRIPT_WITH_TIMESTAMPS);
    expect(seen.at(-1)?.text).toBe("good bye");
    connection.commit();
    await until(RealtimeEvents.COMMIT_THROTTLED);
    expect(errors).toMatchObject([{ message_type: "commit_throttled" }]);
    connection.close();
    expect(server.messages).toEqual(["commit", "commit"]);
  });

  it("refuses a wrong key and an unknown model as errors of the SDK", async () => {
    const stranger = await connect({ key: "xi-other" });
    await stranger.until("error");
    expect(String(stranger.errors[0])).toContain("401");
    const other = await connect({ modelId: "whisper" });
    await other.until("error");
    expect(other.errors).toMatchObject([{ message_type: "invalid_request", error: "Unknown model or audio format." }]);
  });
});
