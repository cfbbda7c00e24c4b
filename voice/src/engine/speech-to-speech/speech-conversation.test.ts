import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import { createFakeLine } from "../../fakes/fake-line.ts";
import { createFakeVoiceActivityDetector } from "../../fakes/fake-voice-activity-detector.ts";
import type { ScreeningDecision } from "../../ports/call-screening.ts";
import type { JournalEntry } from "../../ports/conversation-journal.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type {
  FunctionOutcome,
  ScriptStep,
  SpeechModel,
  SpeechModelEvent,
  SpeechOpening,
  SpeechScript,
} from "../../ports/speech-model.ts";
import { createSpeechToSpeechEngine } from "./speech-to-speech-engine.ts";

const OPENING = "This is an automated assistant. This call is recorded.";
const HALF_SECOND = 4_000;
const NOTHING: ScriptStep = { say: null, next: null };
const LOST = new ProviderError("x", "The connection was lost.", { retryable: true });

interface CallOptions {
  readonly call?: (name: string) => Partial<FunctionOutcome>;
  readonly hear?: (text: string) => ScriptStep | null;
  readonly opening?: Partial<SpeechOpening>;
  readonly script?: Partial<SpeechScript>;
  readonly greeting?: "immediate" | "after_hello";
  readonly voicemail?: { readonly action: "hang_up" | "leave_message" | "continue"; readonly message: string | null };
  readonly isScreened?: boolean;
  /** How often a model can be opened. */
  readonly models?: number;
  /** The languages in which another voice can speak. Default: all. */
  readonly ownVoices?: readonly string[];
  readonly failsToClose?: boolean;
  readonly onScreenedWords?: () => void;
}

/** A call whose model does what the test says. */
async function openCall(options: CallOptions = {}) {
  const clock = createVirtualClock();
  const vad = createFakeVoiceActivityDetector();
  const line = createFakeLine({ clock, roundTripMs: 40, afterFrame: () => vad.look() });
  const journal: JournalEntry[] = [];
  const sent: unknown[][] = [];
  const languages: string[] = [];
  let heardSamples = 0;
  let opened = 0;
  const listeners: ((event: SpeechModelEvent) => void)[] = [];
  let decide: (decision: ScreeningDecision) => void = () => undefined;
  let tell: (event: SpeechModelEvent) => void = () => undefined;
  const model: SpeechModel = {
    name: "fake-speech-model",
    async open({ onEvent, instructions, language }) {
      if (opened >= (options.models ?? 1)) throw new ProviderError("x", "It is gone.", { retryable: true });
      opened += 1;
      tell = onEvent;
      listeners.push(onEvent);
      sent.push(["open", instructions]);
      languages.push(language);
      return {
        hear: (samples) => {
          heardSamples += samples.length;
        },
        reply: (instructions_) => void sent.push(["reply", instructions_]),
        remind: (instructions_) => void sent.push(["remind", instructions_]),
        interrupt: (itemId, heard) => void sent.push(["interrupt", itemId, heard]),
        inform: (text) => void sent.push(["inform", text]),
        changeLanguage: (language, instructions_) => void sent.push(["language", language, instructions_]),
        answer: (callId, output, isLast) => void sent.push(["answer", callId, output, isLast]),
        close: (why) => {
          sent.push(why === undefined ? ["close"] : ["close", why]);
          if (options.failsToClose) throw new Error("it does not close");
        },
      };
    },
    close: async () => undefined,
  };
  const outcome = (name: string): FunctionOutcome => ({ output: null, ...NOTHING, ...options.call?.(name) });
  const permits: string[] = [];
  const script: SpeechScript = {
    language: "en-US",
    instructions: "Confirm the visit.",
    tools: [],
    isInterruptible: true,
    silencePrompts: ["Are you still there?"],
    farewell: "I have to end this call now.",
    apology: "Sorry.",
    begin: () => ({ text: OPENING, mustHear: null, goesOn: false, ...options.opening }),
    permitEffects: () => void permits.push("permitted"),
    call: async ({ name }) => outcome(name),
    hear: async (text) => options.hear?.(text) ?? null,
    meetMachine: async () => NOTHING,
    failTransfer: async () => NOTHING,
  };
  // With their getters: a script changes during a call.
  Object.defineProperties(script, Object.getOwnPropertyDescriptors(options.script ?? {}));
  const screening = {
    watch: (_: unknown, listener: typeof decide) => {
      decide = listener;
      return {
        hearWindow: () => undefined,
        hearWords: () => options.onScreenedWords?.(),
        hearKey: () => undefined,
        stop: () => undefined,
      };
    },
  };
  const engine = createSpeechToSpeechEngine({ clock, vad, screening: options.isScreened ? screening : null });
  const requested: string[] = [];
  const lineIn = async (language: string, text: string) =>
    options.ownVoices?.includes(language) === false
      ? { unspoken: `${JSON.stringify(text)} was not said: no voice here speaks it` }
      : { text, clip: new Int16Array(HALF_SECOND).fill(4_000) };
  const conversation = await engine.prepare({
    callId: "call_1",
    line,
    journal: { note: (entry) => void journal.push(entry) },
    greeting: options.greeting ?? "immediate",
    voicemail: options.voicemail ?? { action: "hang_up", message: null },
    settings: {},
    script,
    models: [{ model, voiceId: "marin" }],
    ownLines: (language) => {
      requested.push(language);
      return {
        identification: lineIn(language, "This is Ada."),
        moment: lineIn(language, language === "es" ? "Un momento." : "One moment."),
        apology: lineIn(language, "Sorry."),
      };
    },
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
    languages,
    requested,
    say,
    notes,
    permits,
    listeners,
    conversation,
    engine,
    tell: (event: SpeechModelEvent) => tell(event),
    decide: (decision: ScreeningDecision) => decide(decision),
    heard: () => heardSamples,
    opened: () => opened,
    leftovers: () => ({ timers: clock.pendingTimers() - (line.isTicking ? 1 : 0), watches: vad.watched }),
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
    const heard = interrupt?.[2] as { ms: number; text: string };
    expect(heard.ms).toBeGreaterThan(1_000);
    expect(heard.ms).toBeLessThanOrEqual(1_200 - 20 - 80);
    expect(heard.text).toBe("aaaa bbbb");
    const atMs = line.positionMs;
    await clock.advance(2_000);
    expect(line.agentSpoke.at(-1)?.endMs).toBeLessThanOrEqual(atMs + 20);
    expect(notes("agent_said")).toHaveLength(1);
  });

  it("carries out functions and gives their results to the model", async () => {
    const { clock, line, sent, tell } = await openCall({ call: () => ({ output: { slot: "ten" } }) });
    line.answer();
    tell({ type: "function_called", callId: "fc_1", name: "book", input: { day: "Monday" } });
    await clock.advance(20);
    expect(sent.at(-1)).toEqual(["answer", "fc_1", { slot: "ten" }, false]);
    // Some models repeat a call.
    tell({ type: "function_called", callId: "fc_1", name: "book", input: { day: "Monday" } });
    await clock.advance(20);
    expect(sent.filter(([what]) => what === "answer")).toHaveLength(1);
  });

  it("presses keys and transfers, when the model asks for it", async () => {
    const request = { to: "+15550100002", how: "auto" } as const;
    const { clock, line, tell, notes, conversation } = await openCall({
      call: (name) => ({
        next: name === "keys" ? { type: "press", keys: "12" } : { type: "transfer", request },
      }),
    });
    line.answer();
    tell({ type: "reply_done", failure: null });
    tell({ type: "function_called", callId: "fc_1", name: "keys", input: {} });
    await clock.advance(20);
    expect(line.keysSent).toEqual(["12"]);
    tell({ type: "reply_done", failure: null });
    tell({ type: "function_called", callId: "fc_2", name: "transfer", input: {} });
    await clock.advance(100);
    expect(line.transfers).toEqual([request]);
    line.tell({ type: "transfer_progressed", state: "completed", reason: "" });
    await conversation.finished;
    expect(notes("over")).toEqual([{ type: "over", reason: "transferred" }]);
  });

  it("goes on with the callee when nobody could be reached", async () => {
    const request = { to: "+15550100002", how: "auto" } as const;
    const { clock, line, sent, tell, notes } = await openCall({
      call: () => ({ next: { type: "transfer", request } }),
    });
    line.answer();
    tell({ type: "reply_done", failure: null });
    tell({ type: "function_called", callId: "fc_1", name: "transfer", input: {} });
    await clock.advance(100);
    line.tell({ type: "transfer_progressed", state: "failed", reason: "busy" });
    await clock.advance(20);
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("could not be transferred")]);
    expect(notes("note")).toMatchObject([{ text: "The transfer failed: busy" }]);
    expect(notes("over")).toEqual([]);
  });

  it("hangs up after the farewell was heard, whatever the callee says meanwhile", async () => {
    const { clock, line, say, sent, notes, tell, conversation } = await openCall({
      call: () => ({ say: "Goodbye and thanks.", next: { type: "hang_up", reason: "agent_hangup" } }),
    });
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

  it("says goodbye when the service ends it, and nothing when the engine is closed", async () => {
    const { clock, line, say, sent, conversation } = await openCall();
    line.answer();
    say("item_1", "one two three four five six");
    await clock.advance(500);
    conversation.endPolitely();
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("I have to end this call now.")]);
    await clock.advance(16_000);
    await conversation.finished;
    expect(line.hangups).toBe(1);
    const other = await openCall();
    other.line.answer();
    await other.engine.close();
    expect(other.line.hangups).toBe(1);
  });

  it("asks a silent callee once, and then hangs up", async () => {
    const { clock, line, say, sent, notes, tell, conversation } = await openCall();
    line.answer();
    say("item_1", "Hello.");
    await clock.advance(11_000);
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("still there")]);
    tell({ type: "reply_done", failure: null });
    await clock.advance(21_000);
    await conversation.finished;
    expect(notes("over")).toEqual([{ type: "over", reason: "silence" }]);
  });

  it("ends with a reason when the callee hangs up, and leaves nothing behind", async () => {
    const { line, conversation, notes, sent, leftovers } = await openCall();
    line.answer();
    line.end();
    await conversation.finished;
    expect(notes("over")).toEqual([{ type: "over", reason: "callee_hangup" }]);
    expect(sent.at(-1)).toEqual(["close"]);
    expect(leftovers()).toEqual({ timers: 0, watches: 0 });
  });
});

describe("when the model fails during a call", () => {
  it("the next one takes over with what was said, and only what was heard", async () => {
    const { clock, line, say, sent, notes, tell, opened } = await openCall({ models: 2 });
    line.answer();
    say("item_1", "aaaa bbbb cccc dddd");
    await clock.advance(1_200);
    tell({ type: "failed", error: LOST });
    await clock.advance(1_000);
    expect(opened()).toBe(2);
    expect(sent.find(([what], index) => what === "open" && index > 0)?.[1]).toMatch(/agent: aaaa bbbb$/);
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("go on")]);
    expect(notes("incident")).toMatchObject([
      { what: "model_failed", reason: "The connection was lost; fake-speech-model has taken over" },
    ]);
    say("item_1b", "Sorry go on");
    await clock.advance(2_000);
    expect(notes("agent_said").map(({ heardText }) => heardText)).toEqual(["aaaa bbbb", "Sorry go on"]);
    expect(notes("over")).toEqual([]);
  });

  it("the next one learns what a function returned that the lost one had called", async () => {
    const result = Promise.withResolvers<FunctionOutcome>();
    const { clock, line, sent, tell } = await openCall({ models: 2, script: { call: () => result.promise } });
    line.answer();
    tell({ type: "function_called", callId: "fc_1", name: "book", input: {} });
    tell({ type: "failed", error: LOST });
    await clock.advance(100);
    result.resolve({ ...NOTHING, output: { slot: "ten" } });
    await clock.advance(20);
    expect(sent.slice(-2)).toEqual([
      ["inform", expect.stringContaining('{"slot":"ten"}')],
      ["reply", "Go on with the conversation."],
    ]);
    expect(sent.filter(([what]) => what === "answer")).toEqual([]);
  });

  it("what the callee says meanwhile is heard by the next one", async () => {
    const { clock, line, tell, heard } = await openCall({ models: 2 });
    line.answer();
    await clock.advance(1_000);
    tell({ type: "failed", error: LOST });
    await clock.advance(1_000);
    expect(heard()).toBeGreaterThanOrEqual(15_000);
  });

  it("and none is left, the callee hears an apology, and the call ends as a failure", async () => {
    const { clock, line, notes, tell, conversation } = await openCall();
    line.answer();
    tell({ type: "failed", error: LOST });
    await clock.advance(400);
    expect(line.agentSpoke).toHaveLength(1);
    await clock.advance(2_000);
    await conversation.finished;
    expect(notes("agent_said")).toMatchObject([{ heardText: "Sorry." }]);
    expect(notes("incident")).toMatchObject([{ what: "model_failed" }]);
    expect(notes("over")).toEqual([{ type: "over", reason: "engine_error" }]);
    expect(line.hangups).toBe(1);
  });

  it("and there is no other voice either, the call ends at once", async () => {
    const { clock, line, notes, tell, conversation } = await openCall({ ownVoices: [] });
    line.answer();
    tell({ type: "failed", error: LOST });
    await clock.advance(500);
    await conversation.finished;
    expect(notes("over")).toEqual([{ type: "over", reason: "engine_error" }]);
    expect(notes("incident")).toMatchObject([
      { what: "model_failed" },
      { what: "speech_failed", reason: '"Sorry." was not said: no voice here speaks it' },
    ]);
  });

  it("a reply that fails is asked for again, and the second time the model is replaced", async () => {
    const { clock, line, sent, tell, opened } = await openCall({ models: 2 });
    line.answer();
    tell({ type: "reply_done", failure: LOST });
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("lost")]);
    expect(opened()).toBe(1);
    tell({ type: "reply_done", failure: LOST });
    await clock.advance(100);
    expect(opened()).toBe(2);
  });

  it("a model that stays silent is replaced after three seconds, and the callee is kept informed", async () => {
    const { clock, line, opened, notes, sent, say } = await openCall({ models: 2 });
    line.answer();
    await clock.advance(2_900);
    expect(opened()).toBe(1);
    await clock.advance(200);
    expect(opened()).toBe(2);
    expect(sent).toContainEqual(["close", "silent"]);
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining(OPENING)]);
    say("item_2", "Hello there");
    await clock.advance(2_000);
    expect(notes("agent_said")).toMatchObject([{ heardText: "This is Ada." }, { heardText: "Hello there" }]);
    expect(notes("incident")).toMatchObject([
      { what: "speech_late" },
      { what: "model_failed", reason: "fake-speech-model did not reply in time; fake-speech-model has taken over" },
    ]);
  });

  it("and the next one is silent as well, the call ends with an apology, and nobody heard silence for long", async () => {
    const { clock, line, opened, notes, conversation } = await openCall({ models: 9 });
    line.answer();
    await clock.advance(9_000);
    await conversation.finished;
    expect(opened()).toBe(2);
    const said = notes("agent_said");
    expect(said.map(({ text }) => text)).toEqual(["This is Ada.", "One moment.", "Sorry."]);
    for (const [index, { startMs }] of said.entries()) {
      expect(startMs - (said[index - 1]?.endMs ?? 0)).toBeLessThanOrEqual(2_600);
    }
    expect(notes("incident").at(-1)).toMatchObject({ reason: expect.stringContaining("so did the model before it") });
    expect(notes("over")).toEqual([{ type: "over", reason: "engine_error" }]);
  });

  it("the call does not wait for last words that do not come", async () => {
    const next = { type: "hang_up", reason: "agent_hangup" } as const;
    const { clock, line, say, tell, notes, conversation } = await openCall({ call: () => ({ say: "Goodbye.", next }) });
    line.answer();
    say("item_1", "Hello.");
    await clock.advance(1_000);
    tell({ type: "function_called", callId: "call_1", name: "done", input: {} });
    await clock.advance(4_000);
    await conversation.finished;
    expect(notes("over")).toEqual([{ type: "over", reason: "agent_hangup" }]);
    expect(notes("incident")).toMatchObject([
      { what: "model_failed", reason: "fake-speech-model did not reply in time." },
    ]);
  });

  it("a model that stops in the middle of a reply is replaced", async () => {
    const { clock, line, opened, notes, sent, tell } = await openCall({ models: 2 });
    line.answer();
    tell({ type: "text", itemId: "item_1", text: "This is an automated" });
    for (const _ of "four") tell({ type: "audio", itemId: "item_1", samples: new Int16Array(HALF_SECOND).fill(5_000) });
    await clock.advance(4_900);
    // It was heard for two seconds.
    expect(opened()).toBe(1);
    await clock.advance(300);
    expect(opened()).toBe(2);
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("go on where the call was")]);
    await clock.advance(500);
    expect(notes("agent_said").map(({ text }) => text)).toEqual(["This is an automated", "One moment."]);
  });

  it("a model that does not reply to the callee is reminded, and then replaced", async () => {
    const { clock, line, opened, sent, say, tell } = await openCall({ models: 2 });
    line.answer();
    say("item_1", "Hello.");
    await clock.advance(1_000);
    tell({ type: "callee_started", itemId: "in_1", atMs: 1_000 });
    tell({ type: "callee_stopped", itemId: "in_1", atMs: 1_000 });
    await clock.advance(2_100);
    expect(sent.at(-1)).toEqual(["remind", expect.stringContaining("waits for your reply")]);
    await clock.advance(1_800);
    expect(opened()).toBe(1);
    await clock.advance(300);
    expect(opened()).toBe(2);
  });

  it("a model that no longer hears the callee is noticed by our own detector", async () => {
    const { clock, line, opened, sent, say, notes } = await openCall({ models: 2 });
    line.answer();
    say("item_1", "Hello.");
    await clock.advance(1_000);
    line.hear(new Int16Array(HALF_SECOND).fill(6_000));
    await clock.advance(2_700);
    expect(sent.at(-1)).toEqual(["remind", expect.stringContaining("did not hear")]);
    await clock.advance(2_200);
    expect(opened()).toBe(2);
    await clock.advance(500);
    expect(notes("agent_said").map(({ text }) => text)).toEqual(["Hello.", "One moment."]);
  });

  it("nothing is said in a language that no other voice speaks, and the call says so once", async () => {
    const { clock, line, say, tell, notes } = await openCall({
      ownVoices: [],
      script: { call: () => new Promise(() => undefined) },
    });
    line.answer();
    say("item_1", "Hello.");
    await clock.advance(1_000);
    tell({ type: "function_called", callId: "call_1", name: "look_up", input: {} });
    await clock.advance(9_000);
    expect(notes("agent_said").map(({ text }) => text)).toEqual(["Hello."]);
    expect(notes("incident")).toMatchObject([
      { what: "speech_failed", reason: '"One moment." was not said: no voice here speaks it' },
    ]);
  });

  it("the callee is asked for a moment in the language to which the call has changed", async () => {
    let language = "en-US";
    const { clock, line, say, tell, notes, requested } = await openCall({
      script: {
        get language() {
          return language;
        },
        call: async ({ name }) => {
          if (name === "look_up") return new Promise(() => undefined);
          language = "es";
          return { output: null, ...NOTHING };
        },
      },
    });
    line.answer();
    say("item_1", "Hello.");
    await clock.advance(1_000);
    tell({ type: "function_called", callId: "call_1", name: "change_language", input: {} });
    await clock.advance(20);
    // Before they are needed, because they take a while to be made.
    expect(requested).toEqual(["es"]);
    tell({ type: "function_called", callId: "call_2", name: "look_up", input: {} });
    await clock.advance(4_000);
    expect(notes("agent_said").map(({ text }) => text)).toEqual(["Hello.", "Un momento."]);
  });

  it("a cough is no reason to doubt a model", async () => {
    const { clock, line, sent, say } = await openCall();
    line.answer();
    say("item_1", "Hello.");
    await clock.advance(1_000);
    line.hear(new Int16Array(1_600).fill(6_000));
    await clock.advance(5_000);
    expect(sent.filter(([what]) => what === "remind")).toEqual([]);
  });

  it("waiting for a function is no failure of the model, and the callee is asked for a moment", async () => {
    const { promise, resolve } = Promise.withResolvers<FunctionOutcome>();
    const { clock, line, opened, sent, say, notes, tell } = await openCall({ script: { call: () => promise } });
    line.answer();
    say("item_1", "Hello.");
    await clock.advance(1_000);
    tell({ type: "callee_started", itemId: "in_1", atMs: 1_000 });
    tell({ type: "callee_stopped", itemId: "in_1", atMs: 1_000 });
    tell({ type: "function_called", callId: "call_1", name: "look_up", input: {} });
    tell({ type: "reply_done", failure: null });
    await clock.advance(4_900);
    expect(opened()).toBe(1);
    expect(sent.filter(([what]) => what === "remind")).toEqual([]);
    expect(notes("agent_said").map(({ text }) => text)).toEqual(["Hello.", "One moment."]);
    resolve({ output: "found", ...NOTHING });
    await clock.advance(100);
    expect(sent.at(-1)).toEqual(["answer", "call_1", "found", false]);
    expect(notes("incident")).toEqual([]);
  });

  it("and cannot even be closed, the call still ends", async () => {
    const { line, conversation, notes, leftovers } = await openCall({ failsToClose: true });
    line.answer();
    conversation.notify({ type: "ended" });
    await conversation.finished;
    expect(notes("over")).toHaveLength(1);
    expect(line.hangups).toBe(1);
    expect(leftovers()).toEqual({ timers: 0, watches: 0 });
  });

  it("what a lost model still reports is not heard", async () => {
    const { clock, line, listeners } = await openCall({ models: 2 });
    line.answer();
    listeners[0]?.({ type: "failed", error: LOST });
    await clock.advance(100);
    listeners[0]?.({ type: "audio", itemId: "late", samples: new Int16Array(HALF_SECOND).fill(5_000) });
    listeners[0]?.({ type: "failed", error: LOST });
    await clock.advance(1_000);
    expect(listeners).toHaveLength(2);
    expect(line.agentSpoke).toEqual([]);
  });
});

describe("what must be said", () => {
  const opening = { text: `Hello. ${OPENING}`, mustHear: OPENING };

  it("is asked for again when the model left it out", async () => {
    const { clock, line, say, sent } = await openCall({ opening });
    line.answer();
    say("item_1", "Hello how are you");
    await clock.advance(2_500);
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining(OPENING)]);
    say("item_2", OPENING);
    const replies = sent.length;
    await clock.advance(6_000);
    expect(sent).toHaveLength(replies);
  });

  it("is owed to a callee who interrupted it", async () => {
    const { clock, line, say, sent, tell } = await openCall({ opening });
    line.answer();
    say("item_1", `Hello. ${OPENING}`);
    await clock.advance(1_000);
    tell({ type: "callee_started", itemId: "in_1", atMs: 900 });
    expect(sent.at(-1)).toEqual(["inform", expect.stringContaining(OPENING)]);
  });

  it("is an incident when the model never says it", async () => {
    const { clock, line, say, notes } = await openCall({ opening });
    line.answer();
    for (const item of ["item_1", "item_2", "item_3"]) {
      say(item, "Hello you");
      await clock.advance(1_500);
    }
    expect(notes("incident")).toMatchObject([{ what: "agent_failed" }]);
  });
});

describe("a function that changes the language of the call", () => {
  const SPANISH = {
    language: "es-ES",
    instructions: "Confirma la visita.",
    disclosure: "Soy un asistente automático.",
  };

  /** The script is in Spanish as soon as the function was called. */
  function openChanging(models = 1) {
    const now = { language: "en-US", instructions: "Confirm the visit." };
    const script = {
      get language() {
        return now.language;
      },
      get instructions() {
        return now.instructions;
      },
      call: async () => {
        Object.assign(now, SPANISH);
        return { output: "done", ...NOTHING, mustHear: SPANISH.disclosure };
      },
    };
    return openCall({ models, script });
  }

  it("reaches the model before it replies, and the disclosure is due in that language", async () => {
    const { clock, line, say, sent, tell } = await openChanging();
    line.answer();
    say("item_1", "Hello");
    await clock.advance(600);
    tell({ type: "function_called", callId: "call_a", name: "CHANGE_LANGUAGE", input: { language: "es" } });
    await clock.advance(1);
    expect(sent.slice(-2)).toEqual([
      ["language", "es-ES", "Confirma la visita."],
      ["answer", "call_a", "done", false],
    ]);
    say("item_2", "Muy bien");
    await clock.advance(1_500);
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining(SPANISH.disclosure)]);
  });

  it("is known to the model that takes over", async () => {
    const { clock, line, say, sent, tell, languages } = await openChanging(2);
    line.answer();
    say("item_1", "Hello");
    await clock.advance(600);
    tell({ type: "function_called", callId: "call_a", name: "CHANGE_LANGUAGE", input: { language: "es" } });
    await clock.advance(1);
    tell({ type: "failed", error: new ProviderError("x", "It is gone.", { retryable: true }) });
    await clock.advance(1);
    expect(languages).toEqual(["en-US", "es-ES"]);
    expect(sent.filter(([what]) => what === "open").at(-1)?.[1]).toContain("Confirma la visita.");
  });
});

describe("the callee", () => {
  it("is let say hello before the agent speaks", async () => {
    const { clock, line, sent } = await openCall({ greeting: "after_hello" });
    line.answer();
    await clock.advance(300);
    line.hear(new Int16Array(8_000).fill(6_000));
    await clock.advance(1_200);
    expect(sent).toHaveLength(1);
    await clock.advance(700);
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining(OPENING)]);
    const quiet = await openCall({ greeting: "after_hello" });
    quiet.line.answer();
    await quiet.clock.advance(1_400);
    expect(quiet.sent.at(-1)).toEqual(["reply", expect.stringContaining(OPENING)]);
  });

  it("does not stop an agent that may not be interrupted", async () => {
    const { clock, line, say, notes, tell } = await openCall({ script: { isInterruptible: false } });
    line.answer();
    say("item_1", "aaaa bbbb cccc dddd");
    await clock.advance(1_000);
    tell({ type: "callee_started", itemId: "in_1", atMs: 900 });
    await clock.advance(1_500);
    expect(notes("agent_said")).toMatchObject([{ heardText: "aaaa bbbb cccc dddd", wasInterrupted: false }]);
  });

  it("is not replied to twice when the flow has an answer of its own", async () => {
    const { clock, line, say, sent, notes, tell, conversation } = await openCall({
      hear: () => ({ say: "We will not call again.", next: { type: "hang_up", reason: "agent_hangup" } }),
    });
    line.answer();
    tell({ type: "reply_done", failure: null });
    tell({ type: "callee_started", itemId: "in_1", atMs: 100 });
    tell({ type: "callee_stopped", itemId: "in_1", atMs: 500 });
    tell({ type: "callee_said", itemId: "in_1", text: "Never call me again." });
    await clock.advance(20);
    expect(sent.slice(-2)).toEqual([
      ["interrupt", null, { ms: 0, text: "" }],
      ["reply", expect.stringContaining("We will not call again.")],
    ]);
    say("item_2", "We will not call again.");
    await clock.advance(3_500);
    await conversation.finished;
    expect(notes("over")).toEqual([{ type: "over", reason: "agent_hangup" }]);
  });

  it("who presses keys is replied to when the keys are complete", async () => {
    const { clock, line, sent, notes, tell } = await openCall();
    line.answer();
    tell({ type: "reply_done", failure: null });
    for (const key of ["4", "2"]) line.tell({ type: "dtmf", key });
    await clock.advance(1_600);
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("42")]);
    expect(notes("dtmf")).toMatchObject([{ key: "4" }, { key: "2" }]);
  });
});

describe("a machine that answers", () => {
  const machine = (kind: "voicemail" | "human" | "fax") =>
    ({ type: "answered_by", kind, reason: "it said so" }) as const;

  it("is hung up on, and nothing that it said counts", async () => {
    const { line, decide, notes, conversation } = await openCall({ isScreened: true });
    line.answer();
    decide(machine("voicemail"));
    await conversation.finished;
    expect(notes("answered_by")).toMatchObject([{ kind: "voicemail" }]);
    expect(notes("answers_withdrawn")).toEqual([{ type: "answers_withdrawn", collected: {} }]);
    expect(notes("over")).toEqual([{ type: "over", reason: "voicemail_hangup" }]);
  });

  it("is left a message after its tone, and the model does not talk to it", async () => {
    const { clock, line, say, tell, sent, decide, notes, conversation, heard } = await openCall({
      isScreened: true,
      voicemail: { action: "leave_message", message: "Please call us back." },
    });
    line.answer();
    say("item_1", "Hello there you");
    await clock.advance(500);
    decide(machine("voicemail"));
    const samples = heard();
    tell({ type: "audio", itemId: "item_2", samples: new Int16Array(HALF_SECOND).fill(5_000) });
    await clock.advance(500);
    decide({ type: "beep", atMs: line.positionMs });
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("Please call us back.")]);
    say("item_3", "Please call us back.");
    await clock.advance(3_000);
    await conversation.finished;
    expect(heard() - samples).toBeLessThan(1_000);
    expect(notes("agent_said").map(({ text }) => text)).toEqual(["Hello there you", "Please call us back."]);
    expect(notes("over")).toEqual([{ type: "over", reason: "voicemail_left" }]);
  });

  it("is left the message again when its tone comes after the message has begun", async () => {
    const { clock, line, say, sent, decide, notes, conversation } = await openCall({
      isScreened: true,
      voicemail: { action: "leave_message", message: "Please call us back." },
    });
    line.answer();
    decide(machine("voicemail"));
    await clock.advance(10_000);
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("Please call us back.")]);
    say("item_1", "Please call us back.");
    await clock.advance(1_000);
    decide({ type: "beep", atMs: line.positionMs });
    expect(sent.at(-1)).toEqual(["reply", expect.stringContaining("Please call us back.")]);
    say("item_2", "Please call us back.");
    await clock.advance(3_500);
    await conversation.finished;
    expect(notes("agent_said").map(({ wasInterrupted }) => wasInterrupted)).toEqual([true, false]);
    expect(notes("over")).toEqual([{ type: "over", reason: "voicemail_left" }]);
  });

  it("ends the call before the script hears words that gave it away", async () => {
    const heard: string[] = [];
    const { line, tell, decide, conversation } = await openCall({
      isScreened: true,
      onScreenedWords: () => decide(machine("voicemail")),
      hear: (text) => {
        heard.push(text);
        return null;
      },
    });
    line.answer();
    tell({ type: "callee_started", itemId: "in_1", atMs: 0 });
    tell({ type: "callee_said", itemId: "in_1", text: "Leave a message after the tone." });
    await conversation.finished;
    expect(heard).toEqual([]);
  });

  it("keeps effects waiting until a person is there", async () => {
    const { clock, line, decide, permits } = await openCall({ isScreened: true });
    line.answer();
    await clock.advance(1_000);
    expect(permits).toEqual([]);
    decide(machine("human"));
    expect(permits).toEqual(["permitted"]);
  });
});
