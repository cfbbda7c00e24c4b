import { GoogleGenAI, type LiveConnectConfig, type LiveServerMessage, Modality, type Session } from "@google/genai";
import { createRateConverter } from "@parley/audio/rate-converter";
import { soon } from "@parley/voice/conformance/outcome-of";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedSpeech } from "../testing/coded-speech.ts";
import { type GeminiLiveServer, type LiveMove, startGeminiLiveServer } from "./testing/gemini-live-server.ts";

const KEY = "AIza-live-51f7c02e";
const CONFIG: LiveConnectConfig = {
  responseModalities: [Modality.AUDIO],
  systemInstruction: "Confirm the visit.",
  tools: [{ functionDeclarations: [{ name: "book", description: "Books a visit." }] }],
  inputAudioTranscription: {},
  outputAudioTranscription: {},
  contextWindowCompression: { slidingWindow: {} },
  sessionResumption: {},
};

/** Google's own package works with the stand-in, so what passes against the stand-in speaks the protocol of the Live API. */
describe("Google's SDK against the stand-in", { timeout: 60_000 }, () => {
  let speech: CodedSpeech;
  let moves: LiveMove[];
  let server: GeminiLiveServer;
  let messages: LiveServerMessage[];
  let onMessage: () => void;
  let closed: PromiseWithResolvers<{ code: number; reason: string }>;
  const sessions: Session[] = [];

  beforeEach(async () => {
    speech = new CodedSpeech();
    moves = [];
    messages = [];
    onMessage = () => undefined;
    closed = Promise.withResolvers();
    server = await startGeminiLiveServer({
      apiKey: KEY,
      recognize: (samples) => speech.read(samples),
      speak: (text) => speech.speak(text),
      moves,
    });
  });

  afterEach(async () => {
    for (const session of sessions.splice(0)) session.close();
    await server.close();
  });

  function connecting(apiKey = KEY, config = CONFIG): Promise<Session> {
    const { resolve } = closed;
    const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.url } });
    return client.live.connect({
      model: "gemini-3.8-live",
      config,
      callbacks: {
        onmessage(message) {
          messages.push(message);
          onMessage();
        },
        onclose: ({ code, reason }) => resolve({ code, reason }),
      },
    });
  }

  async function open(config = CONFIG): Promise<Session> {
    const session = await soon(connecting(KEY, config), "opening");
    sessions.push(session);
    return session;
  }

  function until(isIt: (message: LiveServerMessage) => boolean, what: string, count = 1): Promise<void> {
    const there = Promise.withResolvers<void>();
    onMessage = () => {
      if (messages.filter(isIt).length >= count) there.resolve();
    };
    onMessage();
    return soon(there.promise, what);
  }

  const untilTurns = (count: number) =>
    until((message) => message.serverContent?.turnComplete === true, "the end of the turn", count);

  /** What the audio of all messages says. */
  function read(): string {
    const pieces = messages.flatMap((message) => message.serverContent?.modelTurn?.parts ?? []);
    const bytes = Buffer.concat(pieces.map(({ inlineData }) => Buffer.from(inlineData?.data ?? "", "base64")));
    const samples = Int16Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(2 * index));
    const converter = createRateConverter(24_000, 8_000);
    const words = speech.read(Int16Array.from([...converter.process(samples), ...converter.flush()]));
    return words.map(({ text }) => text).join(" ");
  }

  function say(session: Session, text: string): void {
    const spoken = speech.speak(text);
    const padded = new Int16Array(spoken.length + 12_000);
    padded.set(spoken);
    const samples = createRateConverter(8_000, 16_000).process(padded);
    const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString("base64");
    session.sendRealtimeInput({ audio: { data, mimeType: "audio/pcm;rate=16000" } });
  }

  it("hears and speaks: audio both ways with transcripts, and the tokens that were used", async () => {
    const session = await open();
    moves.push({ type: "say", text: "good morning Maria" });
    say(session, "hello there");
    await untilTurns(1);
    expect(read()).toBe("good morning Maria");
    const contents = messages.map(({ serverContent }) => serverContent);
    expect(contents.map((content) => content?.inputTranscription?.text ?? "").join("")).toBe("hello there");
    expect(contents.map((content) => content?.outputTranscription?.text ?? "").join("")).toBe("good morning Maria");
    expect(contents.some((content) => content?.generationComplete)).toBe(true);
    expect(messages.find(({ usageMetadata }) => usageMetadata)?.usageMetadata?.responseTokenCount).toBeGreaterThan(0);
  });

  it("calls functions and replies to their results", async () => {
    const session = await open();
    moves.push({ type: "call", name: "book", input: { day: "Monday" } }, { type: "say", text: "done" });
    session.sendClientContent({ turns: "Book it.", turnComplete: true });
    await until(({ toolCall }) => toolCall !== undefined, "the call");
    const [call] = messages.find(({ toolCall }) => toolCall)?.toolCall?.functionCalls ?? [];
    expect(call).toMatchObject({ name: "book", args: { day: "Monday" } });
    const response = { id: call?.id ?? "", name: "book", response: { output: true } };
    session.sendToolResponse({ functionResponses: [response] });
    await untilTurns(2);
    expect(read()).toBe("done");
  });

  it("is interrupted by speech: the turn ends without a generation that is complete", async () => {
    const session = await open();
    moves.push({ type: "say", text: "one two three four", holds: true });
    session.sendClientContent({ turns: "Count." });
    await until(({ data }) => data !== undefined, "audio");
    moves.push({ type: "nothing" });
    say(session, "wait");
    await untilTurns(2);
    const marks = messages.flatMap(({ serverContent: content }) =>
      content?.interrupted ? ["interrupted"] : content?.turnComplete ? ["complete"] : [],
    );
    expect(marks).toEqual(["interrupted", "complete", "complete"]);
  });

  it("announces its end, and is continued by another connection with the last handle", async () => {
    await open();
    await until(({ sessionResumptionUpdate }) => sessionResumptionUpdate?.resumable === true, "a handle");
    const handle = messages.find(({ sessionResumptionUpdate: update }) => update)?.sessionResumptionUpdate?.newHandle;
    server.goAway("10s");
    await until(({ goAway }) => goAway?.timeLeft === "10s", "the announcement");
    await open({ ...CONFIG, sessionResumption: { handle: handle ?? "" } });
    expect(server.received.at(-1)).toMatchObject({ setup: { sessionResumption: { handle } } });
  });

  it("refuses a wrong key and reports a used-up quota when it closes the connection", async () => {
    // The package waits for the session for ever.
    connecting("AIza-wrong").catch(() => undefined);
    expect(await soon(closed.promise, "the refusal")).toMatchObject({
      code: 1007,
      reason: expect.stringMatching(/API key not valid/),
    });
    closed = Promise.withResolvers();
    await open();
    server.host.closeAll(1011, "You exceeded your current quota, please check your plan and billing details.");
    expect(await soon(closed.promise, "the end")).toMatchObject({
      code: 1011,
      reason: expect.stringMatching(/exceeded your current quota/),
    });
  });
});
