import { createManualClock, type ManualClock } from "@parley/time/testing/manual-clock";
import { soon } from "@parley/voice/conformance/outcome-of";
import { describeSpeechModel } from "@parley/voice/conformance/speech-model-conformance";
import type { SpeechModelEvent, SpeechModelSession } from "@parley/voice/ports/speech-model";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedSpeech } from "../testing/coded-speech.ts";
import { createGeminiSpeechModel } from "./gemini-speech-model.ts";
import {
  type GeminiLiveServer,
  type GeminiLiveServerOptions,
  type LiveMove,
  startGeminiLiveServer,
} from "./testing/gemini-live-server.ts";

const KEY = "AIza-live-0b7d93e1";
const WRONG_KEY = "AIza-wrong-77c1";
const TOOL = { name: "book", description: "Books a visit.", inputSchema: { type: "object", properties: {} } };

describe.each([
  ["Gemini", { hasLateMessages: true }],
  ["Gemini with functions that the model waits for", { waitsForFunctions: true, hasVoiceActivity: true }],
] as const)("%s", (name, variant) => {
  describeSpeechModel(`${name} as a live session`, async () => {
    const speech = new CodedSpeech();
    const clock = createManualClock();
    const moves: LiveMove[] = [];
    const speak = (text: string) => speech.speak(text);
    const server = await startGeminiLiveServer({
      apiKey: KEY,
      recognize: (samples) => speech.read(samples),
      speak,
      moves,
      ...variant,
    });
    const at = { baseUrl: server.url, clock };
    return {
      model: createGeminiSpeechModel({ apiKey: KEY, ...at }),
      refused: { model: createGeminiSpeechModel({ apiKey: WRONG_KEY, ...at }), key: WRONG_KEY },
      plan: (...replies) => void moves.push(...replies),
      speak,
      read: (samples) =>
        speech
          .read(samples)
          .map(({ text }) => text)
          .join(" "),
      cut: () => server.host.cutAll(),
      nothingLeft: () => server.host.nothingLeft(),
      close: () => server.close(),
    };
  });
});

describe("Gemini's Live API", () => {
  let speech: CodedSpeech;
  let server: GeminiLiveServer;
  let clock: ManualClock;
  let moves: LiveMove[];
  let events: SpeechModelEvent[];
  let onEvent: () => void;
  let react: (event: SpeechModelEvent) => void;

  beforeEach(() => {
    speech = new CodedSpeech();
    clock = createManualClock();
    moves = [];
    events = [];
    onEvent = () => undefined;
    react = () => undefined;
  });

  afterEach(() => server.close());

  async function start(options: Partial<GeminiLiveServerOptions> = {}): Promise<void> {
    server = await startGeminiLiveServer({
      apiKey: KEY,
      recognize: (samples) => speech.read(samples),
      speak: (text) => speech.speak(text),
      moves,
      ...options,
    });
  }

  const opening = (isInterruptible = true) =>
    createGeminiSpeechModel({ apiKey: KEY, baseUrl: `${server.url}/v1beta`, clock }).open({
      instructions: "Confirm the visit.",
      tools: [TOOL],
      language: "de-DE",
      voiceId: "Kore",
      isInterruptible,
      onEvent(event) {
        events.push(event);
        react(event);
        onEvent();
      },
    });
  const open = (isInterruptible = true) => soon(opening(isInterruptible), "opening");

  function untilIt(isSo: () => boolean, what: string): Promise<void> {
    const there = Promise.withResolvers<void>();
    onEvent = () => {
      if (isSo()) there.resolve();
    };
    onEvent();
    return soon(there.promise, what);
  }

  const all = <Type extends SpeechModelEvent["type"]>(type: Type) =>
    events.filter((event): event is Extract<SpeechModelEvent, { type: Type }> => event.type === type);
  const until = (type: SpeechModelEvent["type"], count = 1) => untilIt(() => all(type).length >= count, type);
  const said = () =>
    all("text")
      .map(({ text }) => text)
      .join("");
  /** All texts that the model got, in order. */
  const texts = () =>
    server.received.flatMap(({ clientContent }) => {
      const { turns = [] } = (clientContent ?? {}) as { turns?: { parts: { text: string }[] }[] };
      return turns.flatMap(({ parts }) => parts.map(({ text }) => text));
    });

  async function speakOnce(session: SpeechModelSession, text: string): Promise<void> {
    const done = all("reply_done").length;
    moves.push({ type: "say", text });
    session.reply("Say it.");
    await until("reply_done", done + 1);
  }

  /** Callee audio in frames as they come from the line. */
  function hear(session: SpeechModelSession, text: string, pauseMs = 1_500): void {
    const spoken = speech.speak(text);
    const samples = new Int16Array(spoken.length + 8 * pauseMs);
    samples.set(spoken);
    for (let at = 0; at < samples.length; at += 320) session.hear(samples.slice(at, at + 320));
  }

  it("is opened with instructions, functions, voice and transcripts, and the key in its header only", async () => {
    await start();
    const session = await open(false);
    const [handshake] = server.host.requests;
    expect(handshake?.url).toBe("/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent");
    expect(handshake?.headers["x-goog-api-key"]).toBe(KEY);
    expect(server.received[0]).toMatchObject({
      setup: {
        model: "models/gemini-3.8-live",
        generationConfig: {
          responseModalities: ["AUDIO"],
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } },
        },
        systemInstruction: { parts: [{ text: expect.stringMatching(/^Confirm the visit\..*German/s) }] },
        tools: [{ functionDeclarations: [{ name: "book", parametersJsonSchema: TOOL.inputSchema }] }],
        realtimeInputConfig: { activityHandling: "NO_INTERRUPTION" },
        inputAudioTranscription: {},
        outputAudioTranscription: {},
        contextWindowCompression: { slidingWindow: {} },
        sessionResumption: {},
      },
    });
    expect(JSON.stringify(server.received)).not.toContain(KEY);
    session.close();
  });

  it("knows what was heard of a reply that the callee interrupted", async () => {
    await start();
    const session = await open();
    moves.push({ type: "say", text: "one two three four", holds: true }, { type: "say", text: "I listen" });
    session.reply("Count.");
    await until("audio");
    react = ({ type }) => {
      if (type === "callee_started") session.interrupt(all("audio")[0]?.itemId ?? null, { ms: 250, text: "one" });
    };
    hear(session, "wait please", 100);
    await until("callee_started");
    session.hear(new Int16Array(12_000));
    await until("callee_said");
    await until("reply_done");
    expect(all("callee_started")).toHaveLength(1);
    expect(all("callee_said")).toMatchObject([{ itemId: all("callee_started")[0]?.itemId, text: "wait please" }]);
    expect(said()).toBe("one two I listen");
    expect(texts().at(-1)).toContain('Of your last reply the callee has heard only this: "one"');
    expect(all("reply_done")).toHaveLength(1);
    session.close();
  });

  it("is informed of what was heard in the next text, and of nothing when everything was heard", async () => {
    await start();
    const session = await open();
    await speakOnce(session, "hello dear callee");
    const itemId = all("audio")[0]?.itemId ?? null;
    session.interrupt(itemId, { ms: 900, text: "hello dear callee" });
    await speakOnce(session, "go on");
    session.interrupt(all("audio").at(-1)?.itemId ?? null, { ms: 200, text: "go" });
    await speakOnce(session, "good bye");
    expect(texts().filter((text) => text.startsWith("[Note"))).toEqual([
      '[Note of the telephone system: You were stopped. Of your last reply the callee has heard only this: "go"]',
    ]);
    session.close();
  });

  it("hears nothing until it is asked to speak, because it would reply", async () => {
    await start();
    const session = await open();
    hear(session, "hello");
    await speakOnce(session, "good morning");
    expect(server.heardMs).toBe(0);
    moves.push({ type: "say", text: "very well" });
    hear(session, "yes");
    await until("reply_done", 2);
    expect(all("callee_started")[0]?.atMs).toBeGreaterThanOrEqual(1_500);
    expect(said()).toBe("good morningvery well");
    session.close();
  });

  it("dates the callee's speech by the audio", async () => {
    await start();
    const session = await open();
    await speakOnce(session, "good morning");
    session.hear(new Int16Array(8_000));
    hear(session, "yes");
    await until("callee_stopped");
    const [started, stopped] = [all("callee_started")[0]?.atMs, all("callee_stopped")[0]?.atMs];
    expect([started, stopped]).toEqual([1_000, 1_280]);
    session.close();
  });

  it("holds notes back while it speaks, and gives a requested reply after the one in progress", async () => {
    await start({ assumesPlayback: true });
    const session = await open();
    moves.push({ type: "say", text: "first" }, { type: "say", text: "second" });
    session.reply("One.");
    session.inform("The line is bad.");
    session.reply("Two.");
    await until("reply_done", 2);
    expect(said()).toBe("firstsecond");
    expect(texts()).toEqual([
      "[Instruction of the telephone system for your next reply: One.]",
      "[Note of the telephone system: The line is bad.]",
      "[Instruction of the telephone system for your next reply: Two.]",
    ]);
    server.finishPlayback();
    session.close();
  });

  it("is informed of the result of a function that it withdrew when the callee spoke", async () => {
    await start({ waitsForFunctions: true });
    const session = await open();
    moves.push({ type: "call", name: "book", input: {} }, { type: "say", text: "yes" });
    session.reply("Book it.");
    await until("function_called");
    hear(session, "wait");
    await untilIt(() => said() === "yes", "the reply to the callee");
    session.answer(all("function_called")[0]?.callId ?? "", { ok: true }, false);
    session.answer("unknown", {}, false);
    await speakOnce(session, "good bye");
    expect(server.received.some(({ toolResponse }) => toolResponse !== undefined)).toBe(false);
    expect(texts().at(-2)).toContain('The function book was carried out although you withdrew it: {"ok":true}');
    session.close();
  });

  it("moves to another connection when one is about to end, and loses no audio of the callee", async () => {
    await start();
    const session = await open();
    await speakOnce(session, "good morning");
    session.hear(new Int16Array(8_000));
    server.goAway("20s");
    // The connection is announced to end by the message before this reply.
    await speakOnce(session, "how are you");
    session.hear(new Int16Array(320));
    moves.push({ type: "say", text: "very well" });
    hear(session, "fine thanks");
    await until("reply_done", 3);
    expect(all("callee_said").at(-1)?.text).toBe("fine thanks");
    expect(said()).toBe("good morninghow are youvery well");
    expect(server.host.requests).toHaveLength(2);
    const setups = server.received.flatMap(({ setup }) => (setup ? [setup as { sessionResumption: unknown }] : []));
    expect(setups.at(-1)?.sessionResumption).toEqual({ handle: expect.stringMatching(/^handle_/) });
    expect(all("failed")).toEqual([]);
    session.close();
    await soon(server.host.nothingLeft(), "the end of both connections");
  });

  it("moves at the last moment during a reply, which is reported as lost", async () => {
    await start();
    const session = await open();
    moves.push({ type: "say", text: "one two three four", holds: true });
    session.reply("Count.");
    await until("audio");
    server.goAway("10s");
    server.send(JSON.stringify({ serverContent: { outputTranscription: { text: "three" } } }));
    await untilIt(() => said().includes("three"), "the announcement");
    clock.pass(7_000);
    expect(all("reply_done")).toMatchObject([{ failure: { retryable: true } }]);
    await speakOnce(session, "sorry");
    expect(server.host.requests).toHaveLength(2);
    session.close();
  });

  it("fails when the next connection is refused", async () => {
    await start();
    const session = await open();
    await speakOnce(session, "good morning");
    server.host.refuseNext({ status: 503 });
    session.hear(new Int16Array(8_000));
    server.goAway("1s");
    moves.push({ type: "stall" });
    await until("failed");
    expect(all("failed")).toMatchObject([{ error: { retryable: true } }]);
    await soon(server.host.nothingLeft(), "the end of the connections");
  });

  it("replies after a stopped reply of which nothing was ever received", async () => {
    await start();
    const session = await open();
    moves.push({ type: "stall" });
    session.reply("Say hello.");
    session.interrupt(null, { ms: 0, text: "" });
    await speakOnce(session, "good bye");
    expect(said()).toBe("good bye");
    expect(clock.pending()).toBeLessThan(3);
    session.close();
  });

  it.each([
    [
      1011,
      "You exceeded your current quota, please check your plan and billing details.",
      true,
      /takes no more requests/,
    ],
    [1007, `API key ${KEY} not valid. Please pass a valid API key.`, false, /refused the API key/],
    [1008, "models/gemini-9 is not found for API version v1beta.", false, /does not offer this model/],
    [1011, "Internal error encountered.", true, /Internal error/],
    [1000, "", true, /ended the connection/],
  ])("explains why the connection was closed (%i %s)", async (code, reason, retryable, message) => {
    await start();
    await open();
    server.host.closeAll(code, reason);
    await until("failed");
    expect(all("failed")).toMatchObject([{ error: { retryable, message: expect.stringMatching(message) } }]);
    expect(JSON.stringify(all("failed")[0]?.error.message)).not.toContain(KEY);
  });

  it.each([
    [401, false],
    [429, true],
    [503, true],
  ])("explains a refused handshake (%i)", async (status, retryable) => {
    await start();
    server.host.refuseNext({ status });
    await expect(opening()).rejects.toMatchObject({ retryable });
    expect(events).toEqual([]);
  });

  it("gives up a server that does not start the session", async () => {
    await start();
    server.host.ignoreNext();
    const refused = expect(opening()).rejects.toMatchObject({ retryable: true });
    clock.pass(5_000);
    await refused;
    expect(clock.pending()).toBe(0);
  });

  it("fails on a message that is no JSON, and ignores kinds of messages that it does not know", async () => {
    await start();
    const session = await open();
    server.send(JSON.stringify({ somethingNew: {}, serverContent: { turnComplete: true } }));
    await speakOnce(session, "hello");
    server.send('{"serverContent": {"mod');
    await until("failed");
    expect(all("failed")).toMatchObject([{ error: { message: expect.stringMatching(/cannot be understood/) } }]);
  });
});
