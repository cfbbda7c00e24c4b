import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import { createFakeLine } from "../fakes/fake-line.ts";
import type { JournalEntry } from "../ports/conversation-journal.ts";
import { ProviderError } from "../ports/provider-error.ts";
import type { FunctionOutcome, SpeechModel, SpeechModelEvent, SpeechScript } from "../ports/speech-model.ts";
import { createSpeechToSpeechEngine } from "./speech-to-speech.ts";

const OPENING = "This is an automated assistant. This call is recorded.";
const HALF_SECOND = 4_000;

/** A call whose model does what the test says. */
async function openCall(call: (name: string) => FunctionOutcome = () => ({ ok: true, output: null })) {
  const clock = createVirtualClock();
  const line = createFakeLine({ clock, roundTripMs: 40 });
  const journal: JournalEntry[] = [];
  const sent: unknown[][] = [];
  let heardSamples = 0;
  let tell: (event: SpeechModelEvent) => void = () => undefined;
  const model: SpeechModel = {
    name: "fake-speech-model",
    async open({ onEvent, instructions }) {
      tell = onEvent;
      sent.push(["open", instructions]);
      return {
        hear: (samples) => {
          heardSamples += samples.length;
        },
        reply: (instructions_) => void sent.push(["reply", instructions_]),
        interrupt: (itemId, heardMs) => void sent.push(["interrupt", itemId, heardMs]),
        answer: (callId, output, isLast) => void sent.push(["answer", callId, output, isLast]),
        close: () => void sent.push(["close"]),
      };
    },
    close: async () => undefined,
  };
  const script: SpeechScript = {
    instructions: "Confirm the visit.",
    opening: OPENING,
    tools: [],
    call: async ({ name }) => call(name),
  };
  const engine = createSpeechToSpeechEngine(model, clock);
  const conversation = await engine.prepare({
    callId: "call_1",
    line,
    journal: { note: (entry) => void journal.push(entry) },
    language: "en-US",
    voiceId: "marin",
    greeting: "immediate",
    voicemail: { action: "hang_up", message: null },
    settings: {},
    script,
  });
  line.connect((event) => conversation.notify(event));
  /** The model says something of this many half seconds, a word each. */
  function say(itemId: string, text: string): void {
    const words = text.split(" ");
    tell({ type: "text", itemId, text });
    for (const _ of words) tell({ type: "audio", itemId, samples: new Int16Array(HALF_SECOND).fill(5_000) });
    tell({ type: "reply_done", failure: null });
  }
  const notes = <Type extends JournalEntry["type"]>(type: Type) =>
    journal.filter((entry): entry is Extract<JournalEntry, { type: Type }> => entry.type === type);
  return {
    clock,
    line,
    sent,
    say,
    notes,
    conversation,
    engine,
    tell: (event: SpeechModelEvent) => tell(event),
    heard: () => heardSamples,
  };
}

describe("a conversation by a model that hears and speaks", () => {
  it("begins with the disclosure, word for word, and not before the callee has answered", async () => {
    const { clock, line, sent } = await openCall();
    await clock.advance(1_000);
    expect(sent).toEqual([["open", "Confirm the visit."]]);
    line.answer();
    expect(sent[1]).toEqual(["reply", expect.stringContaining(OPENING)]);
  });

  it("hears everything from the answer on", async () => {
    const { clock, line, heard } = await openCall();
    await clock.advance(1_000);
    line.answer();
    await clock.advance(1_000);
    expect(heard()).toBeGreaterThanOrEqual(7_600);
    expect(heard()).toBeLessThanOrEqual(8_400);
  });

  it("writes down what was said once it was heard", async () => {
    const { clock, line, say, notes, tell } = await openCall();
    line.answer();
    say("item_1", "Hello there friend");
    await clock.advance(1_000);
    expect(notes("agent_said")).toEqual([]);
    await clock.advance(1_000);
    expect(notes("agent_said")).toMatchObject([
      { text: "Hello there friend", heardText: "Hello there friend", wasInterrupted: false },
    ]);
    tell({ type: "callee_started", itemId: "in_1", atMs: 2_000 });
    tell({ type: "callee_stopped", itemId: "in_1", atMs: 2_500 });
    tell({ type: "callee_said", itemId: "in_1", text: "Hi." });
    expect(notes("callee_said")).toMatchObject([{ text: "Hi.", endMs: expect.any(Number) }]);
  });

  it("writes down a reply of the model's own in one piece, although its audio paused", async () => {
    const { clock, line, notes, tell } = await openCall();
    line.answer();
    tell({ type: "reply_done", failure: null });
    const audio = { type: "audio", itemId: "item_1", samples: new Int16Array(HALF_SECOND).fill(5_000) } as const;
    tell({ type: "text", itemId: "item_1", text: "Hello there" });
    tell(audio);
    await clock.advance(2_000);
    expect(notes("agent_said")).toEqual([]);
    tell(audio);
    tell({ type: "reply_done", failure: null });
    await clock.advance(1_000);
    expect(notes("agent_said")).toMatchObject([{ heardText: "Hello there" }]);
  });

  it("stops at once when the callee speaks, and the model forgets what was not heard", async () => {
    const { clock, line, say, sent, notes, tell } = await openCall();
    line.answer();
    say("item_1", "aaaa bbbb cccc dddd");
    await clock.advance(1_200);
    tell({ type: "callee_started", itemId: "in_1", atMs: 1_150 });
    tell({ type: "audio", itemId: "item_1", samples: new Int16Array(HALF_SECOND).fill(5_000) });
    const [said] = notes("agent_said");
    expect(said).toMatchObject({ text: "aaaa bbbb cccc dddd", heardText: "aaaa bbbb", wasInterrupted: true });
    const interrupt = sent.find(([what]) => what === "interrupt");
    expect(interrupt?.[1]).toBe("item_1");
    // Of the 1,200 ms, half the round trip and the usual delay had not arrived.
    expect(interrupt?.[2]).toBeGreaterThan(1_000);
    expect(interrupt?.[2]).toBeLessThanOrEqual(1_200 - 20 - 80);
    const atMs = line.positionMs;
    await clock.advance(2_000);
    expect(line.agentSpoke.at(-1)?.endMs).toBeLessThanOrEqual(atMs + 20);
    expect(notes("agent_said")).toHaveLength(1);
  });

  it("carries out functions and gives their results to the model", async () => {
    const { clock, line, sent, notes, tell } = await openCall(() => ({ ok: true, output: { slot: "ten" } }));
    line.answer();
    tell({ type: "function_called", callId: "fc_1", name: "book", input: { day: "Monday" } });
    await clock.advance(20);
    expect(sent.at(-1)).toEqual(["answer", "fc_1", { slot: "ten" }, false]);
    expect(notes("tool_call")).toMatchObject([{ id: "fc_1", name: "book", input: { day: "Monday" } }]);
    expect(notes("tool_result")).toMatchObject([{ id: "fc_1", output: { slot: "ten" }, ok: true }]);
  });

  it("presses keys and transfers, when the model asks for it", async () => {
    const request = { to: "+15550100002", how: "auto" } as const;
    const { clock, line, tell, notes, conversation } = await openCall((name) =>
      name === "keys"
        ? { ok: true, output: null, next: { type: "press", keys: "12" } }
        : { ok: true, output: null, next: { type: "transfer", request } },
    );
    line.answer();
    tell({ type: "reply_done", failure: null });
    tell({ type: "function_called", callId: "fc_1", name: "keys", input: {} });
    await clock.advance(20);
    expect(line.keysSent).toEqual(["12"]);
    tell({ type: "reply_done", failure: null });
    tell({ type: "function_called", callId: "fc_2", name: "transfer", input: {} });
    await clock.advance(100);
    expect(line.transfers).toEqual([request]);
    line.tell({ type: "transferProgress", state: "completed", reason: "" });
    await conversation.finished;
    expect(notes("over")).toEqual([{ type: "over", reason: "transferred" }]);
  });

  it("hangs up after the farewell was heard, whatever the callee says meanwhile", async () => {
    const { clock, line, say, sent, notes, tell, conversation } = await openCall(() => ({
      ok: true,
      output: null,
      next: { type: "hang_up", farewell: "Goodbye and thanks." },
    }));
    line.answer();
    tell({ type: "reply_done", failure: null });
    tell({ type: "function_called", callId: "fc_1", name: "hang_up", input: {} });
    await clock.advance(20);
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("Goodbye and thanks.")]);
    say("item_1", "Goodbye and thanks.");
    await clock.advance(600);
    tell({ type: "callee_started", itemId: "in_1", atMs: 600 });
    expect(line.hangups).toBe(0);
    await clock.advance(1_500);
    await conversation.finished;
    expect(line.hangups).toBe(1);
    expect(notes("agent_said")).toMatchObject([{ heardText: "Goodbye and thanks.", wasInterrupted: false }]);
    expect(notes("over")).toEqual([{ type: "over", reason: "agent_hangup" }]);
  });

  it("ends politely when the service wants it to, and at once without a farewell", async () => {
    const { clock, line, say, sent, conversation } = await openCall();
    line.answer();
    say("item_1", "one two three four five six");
    await clock.advance(500);
    conversation.endPolitely("Your credit is used up.");
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("Your credit is used up.")]);
    await clock.advance(16_000);
    await conversation.finished;
    expect(line.hangups).toBe(1);
    const other = await openCall();
    other.line.answer();
    await other.engine.close();
    expect(other.line.hangups).toBe(1);
  });

  it("asks a silent callee once, and then hangs up", async () => {
    const { clock, line, sent, notes, tell, conversation } = await openCall();
    line.answer();
    tell({ type: "reply_done", failure: null });
    await clock.advance(11_000);
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("still there")]);
    tell({ type: "reply_done", failure: null });
    await clock.advance(21_000);
    await conversation.finished;
    expect(notes("over")).toEqual([{ type: "over", reason: "silence" }]);
  });

  it("ends with a reason when the model fails, and when the callee hangs up", async () => {
    const lost = await openCall();
    lost.line.answer();
    lost.tell({ type: "failed", error: new ProviderError("x", "The connection was lost.", { retryable: true }) });
    await lost.conversation.finished;
    expect(lost.notes("incident")).toMatchObject([{ what: "model_failed", reason: "The connection was lost." }]);
    expect(lost.notes("over")).toEqual([{ type: "over", reason: "engine_error" }]);
    const left = await openCall();
    left.line.answer();
    left.line.end();
    await left.conversation.finished;
    expect(left.notes("over")).toEqual([{ type: "over", reason: "callee_hangup" }]);
    expect(left.sent.at(-1)).toEqual(["close"]);
    expect(left.clock.pendingTimers()).toBe(0);
  });
});
