import { connect } from "node:net";
import { createManualClock, type ManualClock } from "@parley/time/testing/manual-clock";
import { soon } from "@parley/voice/conformance/outcome-of";
import { describeSpeechModel } from "@parley/voice/conformance/speech-model-conformance";
import type { SpeechModelEvent } from "@parley/voice/ports/speech-model";
import OpenAI from "openai";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { CodedSpeech } from "../testing/coded-speech.ts";
import { createOpenAiSpeechModel } from "./openai-speech-model.ts";
import { type OpenAiServer, startOpenAiServer } from "./testing/openai-server.ts";
import { type RealtimeMove, serveRealtime } from "./testing/realtime-conversation.ts";
import type { RealtimeEvent } from "./testing/realtime-input.ts";

const KEY = "sk-realtime-8e21f0aa";
const TOOL = { name: "book", description: "Books a visit.", inputSchema: { type: "object", properties: {} } };

describeSpeechModel("OpenAI's Realtime API", async () => {
  const speech = new CodedSpeech();
  const clock = createManualClock();
  const moves: RealtimeMove[] = [];
  const sockets = new Set<WebSocket>();
  const recognize = (samples: Int16Array) => speech.read(samples);
  const speak = (text: string) => speech.speak(text);
  const server = await startOpenAiServer({
    apiKey: KEY,
    recognize,
    speak,
    onRealtime(socket) {
      sockets.add(socket);
      serveRealtime(socket, { recognize, speak, moves, received: [], hasLateMessages: true });
    },
  });
  const at = { baseUrl: server.url, clock };
  return {
    model: createOpenAiSpeechModel({ apiKey: KEY, ...at }),
    refused: { model: createOpenAiSpeechModel({ apiKey: "sk-wrong-77c1", ...at }), key: "sk-wrong-77c1" },
    plan: (...replies) => void moves.push(...replies),
    speak,
    read: (samples) =>
      speech
        .read(samples)
        .map(({ text }) => text)
        .join(" "),
    cut() {
      for (const socket of sockets) socket.terminate();
    },
    nothingLeft: () => server.nothingLeft(),
    close: () => server.close(),
  };
});

describe("OpenAI's Realtime API", () => {
  let speech: CodedSpeech;
  let server: OpenAiServer;
  let clock: ManualClock;
  let moves: RealtimeMove[];
  let received: RealtimeEvent[];
  let sockets: WebSocket[];
  let events: SpeechModelEvent[];
  let onEvent: () => void;

  beforeEach(async () => {
    speech = new CodedSpeech();
    clock = createManualClock();
    moves = [];
    received = [];
    sockets = [];
    events = [];
    onEvent = () => undefined;
    const recognize = (samples: Int16Array) => speech.read(samples);
    const speak = (text: string) => speech.speak(text);
    server = await startOpenAiServer({
      apiKey: KEY,
      recognize,
      speak,
      onRealtime(socket) {
        sockets.push(socket);
        serveRealtime(socket, { recognize, speak, moves, received, hasLateMessages: true });
      },
    });
  });

  afterEach(() => server.close());

  const opening = (isInterruptible = true) =>
    createOpenAiSpeechModel({ apiKey: KEY, baseUrl: server.url, clock }).open({
      instructions: "Confirm the visit.",
      tools: [TOOL],
      language: "en-US",
      voiceId: "marin",
      isInterruptible,
      onEvent(event) {
        events.push(event);
        onEvent();
      },
    });
  const open = (isInterruptible = true) => soon(opening(isInterruptible), "opening");
  const send = (message: object | string) => {
    for (const socket of sockets) socket.send(typeof message === "string" ? message : JSON.stringify(message));
  };

  function until(type: SpeechModelEvent["type"], count = 1): Promise<void> {
    const there = Promise.withResolvers<void>();
    onEvent = () => {
      if (events.filter((event) => event.type === type).length >= count) there.resolve();
    };
    onEvent();
    return soon(there.promise, type);
  }

  const sent = (type: string) => received.filter((event) => event.type === type);
  const said = () => events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");

  it("is opened with instructions, functions, voice and telephone audio both ways, and the key in its header", async () => {
    const session = await open(false);
    expect(server.handshakes[0]).toMatchObject({
      url: "/v1/realtime?model=gpt-realtime-2.1-mini",
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(received[0]).toMatchObject({
      type: "session.update",
      session: {
        type: "realtime",
        instructions: "Confirm the visit.",
        audio: {
          input: {
            format: { type: "audio/pcmu" },
            transcription: { language: "en" },
            turn_detection: { type: "server_vad", create_response: false, interrupt_response: false },
          },
          output: { format: { type: "audio/pcmu" }, voice: "marin" },
        },
        tools: [{ type: "function", name: "book" }],
      },
    });
    session.close();
  });

  it("hears and speaks another language from when it is told to, without losing its functions", async () => {
    const session = await open();
    session.reply("Greet.");
    session.changeLanguage("es-ES", "Confirma la visita.");
    await expect.poll(() => sent("session.update").length).toBe(3);
    expect(sent("session.update").at(-1)).toMatchObject({
      session: {
        instructions: "Confirma la visita.",
        audio: { input: { transcription: { language: "es" }, turn_detection: { create_response: true } } },
        tools: [{ type: "function", name: "book" }],
      },
    });
    session.close();
  });

  it("forgets what was not heard, and is not asked to forget more than it said", async () => {
    const session = await open();
    moves.push({ type: "say", text: "hello dear callee" });
    session.reply("Greet.");
    await until("reply_done");
    const itemId = events.find((event) => event.type === "audio")?.itemId ?? "";
    session.interrupt(itemId, { ms: 400, text: "hello" });
    session.interrupt(itemId, { ms: 60_000, text: "hello dear callee" });
    session.interrupt("item_unknown", { ms: 10, text: "" });
    session.reply("Go on.");
    await until("reply_done", 2);
    const [cut, whole, ...others] = sent("conversation.item.truncate");
    expect(cut).toMatchObject({ item_id: itemId, content_index: 0, audio_end_ms: 400 });
    expect(whole?.audio_end_ms).toBeLessThan(1_000);
    expect(others).toEqual([]);
    session.close();
  });

  it("gives a requested reply after one that it began by itself at the same time", async () => {
    const session = await open();
    session.reply("Greet.");
    await until("reply_done");
    moves.push({ type: "say", text: "one two three four", holds: true });
    const callee = new Int16Array(12_000);
    callee.set(speech.speak("wait"));
    session.hear(callee);
    // The server has begun a reply of which nothing is known here yet: the request is refused, and repeated.
    session.reply("Say goodbye.");
    await until("audio", 2);
    expect(sent("response.create").map(({ event_id: id }) => id)).toHaveLength(2);
    moves.push({ type: "say", text: "good bye" });
    const itemId = events.findLast((event) => event.type === "audio")?.itemId ?? null;
    session.hear(callee);
    await until("callee_started", 2);
    await until("reply_done", 2);
    expect(itemId).not.toBeNull();
    session.close();
  });

  it("lets a callee who speaks finish before it replies to the result of a function", async () => {
    const session = await open();
    moves.push({ type: "call", name: "book", input: {} });
    session.reply("Book it.");
    await until("reply_done");
    session.hear(speech.speak("wait"));
    await until("callee_started");
    const call = events.find((event) => event.type === "function_called");
    session.answer(call?.callId ?? "", { ok: true }, false);
    moves.push({ type: "say", text: "it is done" });
    session.hear(new Int16Array(12_000));
    await until("reply_done", 2);
    expect(sent("response.create")).toHaveLength(1);
    expect(said()).toBe("it is done");
    session.close();
  });

  it("is asked again when the input of a function is no JSON", async () => {
    const session = await open();
    moves.push({ type: "call", name: "book", input: '{"day": "Mon' }, { type: "say", text: "sorry" });
    session.reply("Book it.");
    await until("reply_done", 2);
    expect(sent("conversation.item.create")).toMatchObject([
      { item: { type: "function_call_output", output: '{"error":"the input is not valid JSON"}' } },
    ]);
    expect(said()).toBe("sorry");
    expect(events.some(({ type }) => type === "function_called")).toBe(false);
    session.close();
  });

  it("reports a reply that failed, without the key that the vendor wrote into its message", async () => {
    const session = await open();
    moves.push({ type: "fail", message: `The key ${KEY} has used up its quota.` });
    session.reply("Greet.");
    await until("reply_done");
    const done = events.find((event) => event.type === "reply_done");
    expect(done?.failure?.message).toBe("OpenAI could not reply: The key [removed] has used up its quota.");
    session.close();
  });

  it("says nothing twice when it is reminded while it begins to reply by itself", async () => {
    const session = await open();
    session.reply("Greet.");
    await until("reply_done");
    moves.push({ type: "say", text: "very well" });
    const callee = new Int16Array(12_000);
    callee.set(speech.speak("wait"));
    session.hear(callee);
    // The server has begun a reply of which nothing is known here yet, and refuses the reminder.
    session.remind("The callee waits.");
    await until("reply_done", 2);
    moves.push({ type: "say", text: "good bye" });
    session.reply("Say goodbye.");
    await until("reply_done", 3);
    expect(said()).toBe("Yes.very wellgood bye");
    session.close();
  });

  it("ignores messages about replies that it does not know, or knows to be over", async () => {
    const session = await open();
    const delta = { response_id: "resp_old", item_id: "item_old", delta: Buffer.alloc(800).toString("base64") };
    send({ type: "response.output_audio.delta", ...delta });
    send({ type: "response.output_audio_transcript.delta", ...delta, delta: "old words" });
    send({ type: "response.done", response: { id: "resp_old", status: "failed" } });
    send({
      type: "response.function_call_arguments.done",
      ...delta,
      call_id: "call_old",
      name: "book",
      arguments: "{}",
    });
    send({ type: "rate_limits.updated", rate_limits: [] });
    moves.push({ type: "say", text: "hello there" });
    session.reply("Greet.");
    await until("reply_done");
    send({ type: "response.done", response: { id: "resp_1", status: "completed" } });
    moves.push({ type: "say", text: " good bye" });
    session.reply("Say goodbye.");
    await until("reply_done", 2);
    expect(said()).toBe("hello there good bye");
    expect(events.some(({ type }) => type === "function_called" || type === "failed")).toBe(false);
    session.close();
  });

  it("understands messages that come after the one that should follow them", async () => {
    const session = await open();
    session.reply("Greet.");
    await until("reply_done");
    const about = { response_id: "resp_9", item_id: "item_9" };
    send({ type: "input_audio_buffer.speech_stopped", item_id: "in_9", audio_end_ms: 900 });
    send({ type: "input_audio_buffer.speech_started", item_id: "in_9", audio_start_ms: 400 });
    send({ type: "response.created", response: { id: "resp_9" } });
    send({ type: "response.done", response: { id: "resp_9", status: "completed" } });
    send({ type: "response.output_audio_transcript.delta", ...about, delta: "late" });
    send({ type: "response.function_call_arguments.done", ...about, call_id: "call_9", name: "book", arguments: "{}" });
    await until("function_called");
    expect(events.filter(({ type }) => /^callee_s(?:tarted|topped)$/.test(type))).toEqual([
      { type: "callee_started", itemId: "in_9", atMs: 400 },
      { type: "callee_stopped", itemId: "in_9", atMs: 900 },
    ]);
    expect(said()).toBe("Yes.late");
    session.close();
  });

  it.each([
    ["that is no JSON", '{"type": "response.cre'],
    ["without its fields", { type: "response.created" }],
  ])("fails on a message %s", async (_, message) => {
    await open();
    send(message);
    await until("failed");
    expect(events.at(-1)).toMatchObject({
      error: { retryable: true, message: expect.stringMatching(/cannot be understood/) },
    });
  });

  it("fails in plain words when the credit is used up during a call", async () => {
    await open();
    const error = { type: "insufficient_quota", code: "insufficient_quota", message: `No credit for ${KEY}.` };
    send({ type: "error", error });
    await until("failed");
    expect(events.at(-1)).toMatchObject({
      error: { retryable: false, message: "OpenAI reported an error: No credit for [removed]." },
    });
  });

  it.each([
    [401, false],
    [429, true],
    [503, true],
  ])("explains a refused handshake (%i)", async (status, retryable) => {
    server.breakNext({ type: "status", status });
    await expect(opening()).rejects.toMatchObject({ retryable });
    expect(events).toEqual([]);
  });

  it("is spoken to in the same way by OpenAI's own package", async () => {
    moves.push({ type: "call", name: "book", input: {} }, { type: "say", text: "hello there" });
    const options = { createConnection: () => connect(server.port, "127.0.0.1") };
    const client = new OpenAI({ apiKey: KEY, baseURL: server.url });
    const realtime = new OpenAIRealtimeWS({ model: "gpt-realtime", options }, client);
    const truncated = Promise.withResolvers<number>();
    realtime.on("error", (error) => truncated.reject(error));
    realtime.on("session.created", () => realtime.send({ type: "response.create" }));
    realtime.on("response.function_call_arguments.done", ({ call_id }) => {
      realtime.send({ type: "conversation.item.create", item: { type: "function_call_output", call_id, output: "1" } });
      realtime.send({ type: "response.create" });
    });
    realtime.on("response.output_audio.done", ({ item_id }) =>
      realtime.send({ type: "conversation.item.truncate", item_id, content_index: 0, audio_end_ms: 250 }),
    );
    realtime.on("conversation.item.truncated", ({ audio_end_ms }) => truncated.resolve(audio_end_ms));
    expect(await truncated.promise).toBe(250);
    realtime.close();
  });
});
