import { connect } from "node:net";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import type { SpeechModelEvent } from "@parley/voice/ports/speech-model";
import OpenAI from "openai";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedSpeech } from "../testing/coded-speech.ts";
import { createManualClock, type ManualClock } from "../testing/manual-clock.ts";
import { createOpenAiSpeechModel } from "./openai-speech-model.ts";
import { type OpenAiServer, startOpenAiServer } from "./testing/openai-server.ts";
import { type RealtimeMove, serveRealtime } from "./testing/realtime-conversation.ts";
import type { RealtimeEvent } from "./testing/realtime-input.ts";

const KEY = "sk-realtime-8e21f0aa";
const TOOL = { name: "book", description: "Books a visit.", inputSchema: { type: "object", properties: {} } };

describe("OpenAI's Realtime API", () => {
  let speech: CodedSpeech;
  let server: OpenAiServer;
  let clock: ManualClock;
  let moves: RealtimeMove[];
  let received: RealtimeEvent[];
  let events: SpeechModelEvent[];
  let onEvent: () => void;

  beforeEach(async () => {
    speech = new CodedSpeech();
    clock = createManualClock();
    moves = [];
    received = [];
    events = [];
    onEvent = () => undefined;
    const recognize = (samples: Int16Array) => speech.read(samples);
    const speak = (text: string) => speech.speak(text);
    server = await startOpenAiServer({
      apiKey: KEY,
      recognize,
      speak,
      onRealtime: (socket) => serveRealtime(socket, { recognize, speak, moves, received }),
    });
  });

  afterEach(() => server.close());

  const open = () =>
    soon(
      createOpenAiSpeechModel({ apiKey: KEY, baseUrl: server.url, clock }).open({
        instructions: "Confirm the visit.",
        tools: [TOOL],
        language: "en-US",
        voiceId: "marin",
        onEvent(event) {
          events.push(event);
          onEvent();
        },
      }),
      "opening",
    );

  function until(type: SpeechModelEvent["type"], count = 1): Promise<void> {
    const there = Promise.withResolvers<void>();
    onEvent = () => {
      if (events.filter((event) => event.type === type).length >= count) there.resolve();
    };
    onEvent();
    return soon(there.promise, type);
  }

  it("is opened with instructions, functions, voice and telephone audio both ways, and the key in its header", async () => {
    const session = await open();
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
          input: { format: { type: "audio/pcmu" }, transcription: { language: "en" } },
          output: { format: { type: "audio/pcmu" }, voice: "marin" },
        },
        tools: [{ type: "function", name: "book" }],
      },
    });
    session.close();
  });

  it("speaks when it is asked to, and forgets what was not heard", async () => {
    const session = await open();
    moves.push({ type: "say", text: "hello dear callee" });
    session.reply("Greet.");
    await until("reply_done");
    const audio = events.flatMap((event) => (event.type === "audio" ? [...event.samples] : []));
    expect(speech.read(Int16Array.from(audio)).map(({ text }) => text)).toEqual(["hello", "dear", "callee"]);
    expect(events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("")).toBe("hello dear callee");
    const itemId = events.find((event) => event.type === "audio")?.itemId ?? "";
    session.interrupt(itemId, 400);
    session.reply("Go on.");
    await until("reply_done", 2);
    expect(received.filter(({ type }) => type === "conversation.item.truncate")).toEqual([
      { type: "conversation.item.truncate", item_id: itemId, content_index: 0, audio_end_ms: 400 },
    ]);
    session.close();
  });

  it("hears the callee, replies, and writes down what was said", async () => {
    const session = await open();
    const said = new Int16Array(12_000);
    said.set(speech.speak("yes please"));
    session.hear(said);
    await until("callee_said");
    await until("reply_done");
    expect(events.map(({ type }) => type).slice(0, 2)).toEqual(["callee_started", "callee_stopped"]);
    expect(events.find((event) => event.type === "callee_said")?.text).toBe("yes please");
    session.close();
  });

  it("calls functions and replies to their results", async () => {
    const session = await open();
    moves.push({ type: "call", name: "book", input: { day: "Monday" } }, { type: "say", text: "done" });
    session.reply("Book it.");
    await until("function_called");
    const call = events.find((event) => event.type === "function_called");
    expect(call).toMatchObject({ name: "book", input: { day: "Monday" } });
    session.answer(call?.callId ?? "", { ok: true }, false);
    await until("reply_done", 2);
    expect(received.find(({ type }) => type === "conversation.item.create")).toMatchObject({
      item: { type: "function_call_output", output: '{"ok":true}' },
    });
    expect(events.some((event) => event.type === "text" && event.text === "done")).toBe(true);
    session.close();
  });

  it("reports a reply that failed and a lost connection, and refuses a wrong key in plain words", async () => {
    const session = await open();
    moves.push({ type: "fail", message: `The key ${KEY} has used up its quota.` });
    session.reply("Greet.");
    await until("reply_done");
    const done = events.find((event) => event.type === "reply_done");
    expect(done?.failure?.message).toBe("OpenAI could not reply: The key [removed] has used up its quota.");
    await server.close();
    await until("failed");
    expect(events.filter(({ type }) => type === "failed")).toHaveLength(1);
    server = await startOpenAiServer({ apiKey: "other", recognize: () => [], speak: () => new Int16Array(0) });
    const failure = await outcomeOf(open());
    expect(failure).toMatchObject({ retryable: false, message: "OpenAI refused the API key (status 401)." });
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
