import { DeepgramClient, DeepgramError } from "@deepgram/sdk";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LevelSpeech } from "../speech/testing/level-speech.ts";
import { type DeepgramServer, startDeepgramServer } from "./testing/deepgram-server.ts";

const KEY = "dg-7d1f0c55a9e84b2f";
const SENTENCE = "please call me back tomorrow";

/** Deepgram's own client works with the stand-in, so what passes against the stand-in speaks Deepgram's protocol. */
describe("Deepgram's SDK against the stand-in", { timeout: 60_000 }, () => {
  let server: DeepgramServer;
  let speech: LevelSpeech;

  beforeEach(async () => {
    speech = new LevelSpeech();
    server = await startDeepgramServer({
      key: KEY,
      recognize: (samples) => speech.read(samples),
      speak: (text) => speech.speak(text),
    });
  });

  afterEach(async () => {
    await server.close();
  });

  function open(apiKey = KEY): DeepgramClient {
    const ws = server.url.replace("http:", "ws:");
    return new DeepgramClient({
      apiKey,
      environment: { base: server.url, production: ws, agent: ws, agentRest: server.url },
      maxRetries: 0,
    });
  }

  const audio = (text: string, silenceMs = 0): ArrayBuffer => {
    const spoken = speech.speak(text);
    const samples = new Int16Array(spoken.length + silenceMs * 8);
    samples.set(spoken);
    return samples.buffer;
  };

  /** The messages of a socket until it is closed. */
  async function collect<Message>(socket: AsyncIterable<Message>): Promise<Message[]> {
    const all: Message[] = [];
    for await (const message of socket) all.push(message);
    return all;
  }

  it("transcribes with Nova: interim, final, end of speech, end of utterance, Finalize, KeepAlive and CloseStream", async () => {
    const socket = await open().listen.v1.connect({
      model: "nova-3",
      language: "en-US",
      encoding: "linear16",
      sample_rate: 8000,
      interim_results: "true",
      vad_events: "true",
      smart_format: "true",
      endpointing: 300,
      utterance_end_ms: 1000,
      keyterm: ["Parley", "callback"],
      reconnectAttempts: 0,
    });
    const received = collect(socket);
    socket.connect();
    await soon(socket.waitForOpen(), "connecting");
    socket.sendKeepAlive({ type: "KeepAlive" });
    socket.sendMedia(audio(SENTENCE, 1_500));
    socket.sendMedia(audio("good bye"));
    socket.sendFinalize({ type: "Finalize" });
    socket.sendCloseStream({ type: "CloseStream" });
    const messages = await soon(received, "transcribing");
    const results = messages.flatMap((message) => (message.type === "Results" ? [message] : []));
    expect(messages[0]?.type).toBe("SpeechStarted");
    expect(results.some(({ is_final }) => is_final === false)).toBe(true);
    const ended = results.find(({ speech_final }) => speech_final);
    expect(ended?.channel.alternatives[0]).toMatchObject({ transcript: "Please call me back tomorrow" });
    expect(messages).toContainEqual(expect.objectContaining({ type: "UtteranceEnd", last_word_end: 1.46 }));
    expect(results.find(({ from_finalize }) => from_finalize)?.channel.alternatives[0]?.transcript).toBe("Good bye");
    expect(messages.at(-1)?.type).toBe("Metadata");
    expect(server.messages).toEqual(["KeepAlive", "Finalize", "CloseStream"]);
    expect(server.handshakes[0]?.query.getAll("keyterm")).toEqual(["Parley", "callback"]);
    expect(server.handshakes[0]?.headers.authorization).toBe(`Token ${KEY}`);
  });

  it("follows turns with Flux: start, updates, eager end, resumption, end, Configure and ForceEndTurn", async () => {
    const socket = await open().listen.v2.connect({
      model: "flux-general-en",
      encoding: "linear16",
      sample_rate: 8000,
      eager_eot_threshold: 0.5,
      eot_threshold: 0.7,
      reconnectAttempts: 0,
    });
    const received = collect(socket);
    socket.connect();
    await soon(socket.waitForOpen(), "connecting");
    socket.sendMedia(audio(SENTENCE, 400));
    socket.sendMedia(audio("or never", 1_000));
    socket.sendConfigure({ type: "Configure", thresholds: { eot_threshold: 0.8 }, keyterms: ["Parley"] });
    socket.sendConfigure({ type: "Configure", thresholds: { eot_threshold: 3 } });
    socket.sendMedia(audio("good bye"));
    socket.sendForceEndTurn({ type: "ForceEndTurn" });
    socket.sendCloseStream({ type: "CloseStream" });
    const messages = await soon(received, "transcribing");
    expect(messages.map((message) => ("sequence_id" in message ? message.sequence_id : -1))).toEqual(
      messages.map((_, index) => index),
    );
    expect(messages[0]?.type).toBe("Connected");
    const turns = messages.flatMap((message) => (message.type === "TurnInfo" ? [message] : []));
    expect(turns.map(({ event }) => event).filter((event) => event !== "Update")).toEqual([
      "StartOfTurn",
      "EagerEndOfTurn",
      "TurnResumed",
      "EagerEndOfTurn",
      "EndOfTurn",
      "StartOfTurn",
      "EndOfTurn",
    ]);
    const ended = turns.filter(({ event }) => event === "EndOfTurn");
    expect(ended.map(({ transcript, trigger, turn_index }) => [transcript, trigger, turn_index])).toEqual([
      [`${SENTENCE} or never`, "model", 0],
      ["good bye", "manual", 1],
    ]);
    expect(messages.map(({ type }) => type)).toContain("ConfigureSuccess");
    expect(messages.map(({ type }) => type)).toContain("ConfigureFailure");
  });

  it("is told by Flux about a fatal error", async () => {
    const socket = await open().listen.v2.connect({
      model: "flux-general-multi",
      language_hint: ["de"],
      encoding: "linear16",
      sample_rate: 8000,
      reconnectAttempts: 0,
    });
    const received = collect(socket);
    socket.connect();
    await soon(socket.waitForOpen(), "connecting");
    socket.sendCloseStream({ type: "Nonsense" });
    expect((await soon(received, "an error")).at(-1)).toMatchObject({
      type: "Error",
      code: "UNPARSABLE_CLIENT_MESSAGE",
    });
  });

  it("speaks with Aura over a WebSocket: Speak, Flush, Clear and Close", async () => {
    const socket = await open().speak.v1.connect({
      model: "aura-2-thalia-en",
      encoding: "linear16",
      sample_rate: "8000",
      reconnectAttempts: 0,
    });
    const received = collect(socket);
    socket.connect();
    await soon(socket.waitForOpen(), "connecting");
    socket.sendText({ type: "Speak", text: "never heard" });
    socket.sendClear({ type: "Clear" });
    socket.sendText({ type: "Speak", text: SENTENCE });
    socket.sendFlush({ type: "Flush" });
    socket.sendText({ type: "Speak", text: "x".repeat(2_001) });
    socket.sendClose({ type: "Close" });
    const messages = await soon(received, "speaking");
    const pieces = messages.filter((message): message is Blob => message instanceof Blob);
    const bytes = await new Blob(pieces).arrayBuffer();
    expect(speech.read(new Int16Array(bytes))).toBe(SENTENCE);
    const types = messages.flatMap((message) =>
      typeof message === "string" || message instanceof Blob ? [] : [message.type],
    );
    expect(types).toEqual(["Metadata", "Cleared", "Flushed", "Warning"]);
  });

  it("speaks with Aura over REST", async () => {
    const reply = await open().speak.v1.audio.generate({
      text: SENTENCE,
      model: "aura-2-thalia-en",
      encoding: "linear16",
      container: "none",
      sample_rate: 8000,
    });
    const samples = new Int16Array(await reply.arrayBuffer());
    expect(speech.read(samples)).toBe(SENTENCE);
  });

  it.each([
    [401, { key: "wrong" }],
    [429, { key: KEY }],
  ])("reports a refusal with status %i as its own error", async (status, { key }) => {
    if (status === 429)
      server.refuseNext({ status, body: '{"err_code":"TOO_MANY_REQUESTS","err_msg":"Too many requests"}' });
    const outcome = await outcomeOf(open(key).speak.v1.audio.generate({ text: "x", model: "aura-2-thalia-en" }));
    expect(outcome).toBeInstanceOf(DeepgramError);
    expect(outcome).toMatchObject({ statusCode: status });
  });
});
