import { afterEach, describe, expect, it } from "vitest";
import { ProviderError } from "../ports/provider-error.ts";
import { openScene, replyHeld, type Scene, type SceneOptions } from "./testing/conversation-scene.ts";

let scene: Scene;
const open = (options?: SceneOptions) => {
  scene = openScene(options);
  return scene;
};

afterEach(async () => {
  scene.line.end();
  const closed = scene.engine.close();
  await scene.advance(3_000);
  await closed;
  expect(scene.leftovers()).toEqual({ timers: 0, watches: 0, streams: 0 });
});

const YES_NO = { kind: "yes_no", answers: ["yes", "no"] } as const;
const heardTexts = () => scene.notes("agent_said").map(({ heardText }) => heardText);

describe("a conversation", () => {
  it("greets, listens, answers and hangs up", async () => {
    open({
      brain: {
        greeting: ["Hello.", "Can you come on Tuesday?"],
        expectation: YES_NO,
        reply: () => ["See you then.", { type: "end", reason: "finished" }],
      },
    });
    const conversation = await scene.greet();
    await scene.advance(scene.say("yes"));
    await scene.untilAgentSpoke(2);
    await scene.advance(1_000);
    await conversation.finished;
    expect(scene.brain.turns).toEqual([{ type: "said", text: "yes", best: { answer: "yes", score: 1, margin: 1 } }]);
    expect(scene.line.hangups).toBe(1);
    expect(heardTexts()).toEqual(["Hello. Can you come on Tuesday?", "See you then."]);
    expect(scene.notes("over")).toEqual([{ type: "over", reason: "agent_hangup" }]);
    expect([...scene.incidents, ...scene.notes("incident")]).toEqual([]);
  });

  it("sends its first audio in the frame after the decision", async () => {
    open({ brain: { expectation: YES_NO } });
    await scene.greet();
    await scene.advance(scene.say("yes"));
    await scene.untilAgentSpoke(2);
    expect(scene.notes("turn_timing")[0]?.timing).toMatchObject({ holdMs: 240, recognitionMs: 0, decisionMs: 0 });
    expect(scene.notes("turn_timing")[0]?.timing.totalMs).toBeLessThanOrEqual(260);
  });

  it("speaks the first clause while the second is still being decided", async () => {
    const second = Promise.withResolvers<void>();
    open({ brain: { reply: () => ["One moment.", second.promise, "Here it is."] } });
    await scene.greet();
    await scene.advance(scene.say("show me."));
    await scene.untilAgentSpoke(2);
    second.resolve();
    await scene.untilAgentSpoke(3);
    scene.line.end();
    expect(heardTexts().at(-1)).toBe("One moment. Here it is.");
  });

  it("renders what it may say next while the callee is still listening, and uses it", async () => {
    open({ brain: { likelyClauses: ["All right.", "What a pity."], expectation: YES_NO } });
    await scene.greet();
    const rendered = scene.synthesizer.requests.map(({ text }) => text);
    expect(rendered).toEqual(["Hello there.", "All right.", "What a pity."]);
    await scene.advance(scene.say("yes"));
    await scene.untilAgentSpoke(2);
    expect(scene.synthesizer.requests.filter(({ text }) => text === "All right.")).toHaveLength(1);
  });

  it("gives recognition the audio from before speech was detected", async () => {
    open();
    await scene.greet();
    await scene.advance(scene.say("good morning"));
    await scene.advance(800);
    const said = scene.notes("callee_said")[0];
    expect(said?.words.map(({ text }) => text)).toEqual(["good", "morning"]);
    const [first, last] = [said?.words[0], said?.words[1]];
    expect(Math.abs((first?.startMs ?? 0) - (said?.startMs ?? 0))).toBeLessThanOrEqual(20);
    expect(Math.abs((last?.endMs ?? 0) - (said?.endMs ?? 0))).toBeLessThanOrEqual(20);
  });

  it("records nodes, values and tools as they come", async () => {
    open({
      brain: {
        reply: () => [
          { type: "entered", nodeId: "confirm", exit: "next" },
          { type: "collected", name: "day", value: "Tuesday" },
          { type: "tool_call", id: "t1", name: "book", input: {} },
          { type: "tool_result", id: "t1", name: "book", output: "done", ok: true },
          { type: "suppress" },
          "Done.",
        ],
      },
    });
    await scene.greet();
    await scene.advance(scene.say("Tuesday."));
    await scene.untilAgentSpoke(2);
    const types = scene.journal.map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(["entered", "collected", "tool_call", "tool_result", "suppress", "turn_timing"]),
    );
    expect(scene.notes("entered").at(-1)).toMatchObject({ nodeId: "confirm", exit: "next" });
  });

  it("reports for each reply what the callee waited for", async () => {
    const model = replyHeld();
    open({ brain: { reply: () => [{ type: "waits", on: "model" }, model.promise, "At ten."] } });
    await scene.greet();
    await scene.advance(scene.say("when is it?"));
    await scene.advance(3_000);
    model.resolve();
    await scene.untilAgentSpoke(2);
    const timing = scene.notes("turn_timing")[0]?.timing;
    const stages = new Map(timing?.stages.map(({ stage, ms }) => [stage, ms]));
    expect(stages.get("hold")).toBe(timing?.holdMs);
    expect(stages.get("model")).toBeGreaterThan(1_000);
    expect([...stages.values()].reduce((sum, ms) => sum + ms, 0)).toBe(Math.round(timing?.totalMs ?? 0));
  });

  it("presses keys and transfers only after the preceding words were said", async () => {
    open({
      brain: {
        reply: () => [
          "I connect you now.",
          { type: "press", keys: "12" },
          { type: "transfer", to: "+15550100", how: "auto" },
        ],
      },
    });
    const conversation = await scene.greet();
    await scene.advance(scene.say("a human please."));
    await scene.advance(600);
    expect(scene.line.keysSent).toEqual([]);
    await scene.untilAgentSpoke(2);
    await scene.advance(300);
    expect(scene.line.keysSent).toEqual(["12"]);
    expect(scene.line.transfers).toEqual([{ to: "+15550100", how: "auto" }]);
    scene.line.tell({ type: "transfer_progressed", state: "completed", reason: "" });
    await conversation.finished;
    expect(scene.notes("over")).toEqual([{ type: "over", reason: "transferred" }]);
    expect(scene.line.hangups).toBe(0);
  });

  it("ends with its last line when the service stops", async () => {
    open({ brain: { farewell: "We have to stop here. Goodbye." } });
    const conversation = await scene.greet();
    conversation.endPolitely();
    await scene.untilAgentSpoke(2);
    await scene.advance(1_000);
    await conversation.finished;
    expect(heardTexts().at(-1)).toBe("We have to stop here. Goodbye.");
    expect(scene.notes("over")).toEqual([{ type: "over", reason: "agent_hangup" }]);
  });

  it("says who is calling when the greeting is late, and greets when it is ready", async () => {
    const late = replyHeld();
    open({
      brain: { greeting: [late.promise, "Hello, this is Anna."] },
      setup: { identification: { text: "This is the clinic calling.", clip: null } },
    });
    const preparing = scene.prepare();
    await scene.advance(3_500);
    await preparing;
    scene.line.answer();
    await scene.untilAgentSpoke(1);
    late.resolve();
    await scene.untilAgentSpoke(2);
    await scene.advance(500);
    expect(heardTexts()).toEqual(["This is the clinic calling.", "Hello, this is Anna."]);
    expect(scene.notes("incident")).toMatchObject([{ what: "speech_late", turnId: 1 }]);
  });

  it("says it clause by clause, however long it is", async () => {
    const late = replyHeld();
    const text = "This is the clinic calling. We have a question about Friday.";
    open({
      brain: { greeting: [late.promise, "Hello, this is Anna."] },
      setup: { identification: { text, clip: null } },
    });
    const preparing = scene.prepare();
    await scene.advance(3_500);
    await preparing;
    scene.line.answer();
    await scene.untilAgentSpoke(1);
    late.resolve();
    await scene.untilAgentSpoke(2);
    await scene.advance(500);
    expect(heardTexts()).toEqual([text, "Hello, this is Anna."]);
    const clauses = scene.synthesizer.requests.map((request) => request.text).filter((each) => text.includes(each));
    expect(clauses).toEqual(["This is the clinic calling.", "We have a question about Friday."]);
  });

  it("does so two seconds after an answer that came before preparation was done", async () => {
    const answered = new AbortController();
    const late = replyHeld();
    open({
      brain: { greeting: [late.promise, "Hello, this is Anna."] },
      setup: {
        identification: { text: "This is the clinic calling.", clip: null },
        hurry: answered.signal,
      },
    });
    const preparing = scene.prepare();
    await scene.advance(500);
    answered.abort();
    await preparing;
    scene.line.answer();
    const answeredMs = scene.line.positionMs;
    await scene.untilAgentSpoke(1);
    expect((scene.line.agentSpoke[0]?.startMs ?? 0) - answeredMs).toBeLessThanOrEqual(2_050);
    late.resolve();
    await scene.untilAgentSpoke(2);
  });

  it("does so even without a voice if a clip was provided", async () => {
    open({
      setup: { identification: { text: "This is the clinic calling.", clip: new Int16Array(8_000).fill(3_000) } },
    });
    const letGo = scene.synthesizer.holdBack();
    const preparing = scene.prepare();
    await scene.advance(3_500);
    await preparing;
    scene.line.answer();
    await scene.untilAgentSpoke(1);
    expect(heardTexts()).toEqual(["This is the clinic calling."]);
    letGo();
    await scene.untilAgentSpoke(2);
  });
});

describe("preparing", () => {
  it("is refused when recognition is unavailable", async () => {
    open();
    await scene.recognizer.close();
    await expect(scene.prepare()).rejects.toThrow("it was closed");
    expect(scene.notes("over")).toEqual([{ type: "over", reason: "engine_error" }]);
  });

  it("is refused when the voice does not work", async () => {
    open({ setup: { voiceId: "nobody" } });
    await expect(scene.prepare()).rejects.toThrow("no voice");
  });

  it("waits for a greeting for a reasonable time and no longer", async () => {
    open();
    const letGo = scene.synthesizer.holdBack();
    let isPrepared = false;
    const preparing = scene.prepare().then(() => {
      isPrepared = true;
    });
    await scene.advance(2_900);
    expect(isPrepared).toBe(false);
    await scene.advance(200);
    await preparing;
    expect(isPrepared).toBe(true);
    letGo();
  });

  it("a call that is never answered leaves nothing behind", async () => {
    open();
    const conversation = await scene.prepare();
    scene.line.end();
    await conversation.finished;
    expect(scene.brain.log).toEqual([]);
    expect(scene.notes("agent_said")).toEqual([]);
    expect(scene.notes("over")).toEqual([{ type: "over", reason: "callee_hangup" }]);
  });
});

describe("a voice that fails in the middle of a call", () => {
  const lost = () => new ProviderError("fake", "no audio within 3000 ms", { retryable: false });
  const MOMENT = { setup: { moment: { text: "One moment, please.", clip: null } } };

  it("is tried again while the callee is asked for a moment in the same voice", async () => {
    open({ ...MOMENT, brain: { reply: () => ["See you then."] } });
    await scene.greet();
    scene.synthesizer.failNext(lost());
    await scene.advance(scene.say("on Tuesday"));
    await scene.untilAgentSpoke(2);
    expect(heardTexts().slice(1)).toEqual(["One moment, please.", "See you then."]);
    expect(scene.notes("incident")).toMatchObject([{ what: "speech_failed", reason: "no audio within 3000 ms" }]);
  });

  it("ends the call as a failure of the service if it fails again, and never changes", async () => {
    const reply = () => {
      scene.synthesizer.failNext(lost());
      return ["See you then."];
    };
    open({ ...MOMENT, brain: { reply } });
    const conversation = await scene.greet();
    await scene.advance(scene.say("on Tuesday"));
    await scene.advance(5_000);
    await conversation.finished;
    expect(scene.notes("over")).toEqual([{ type: "over", reason: "engine_error" }]);
    expect(scene.notes("incident").map(({ what }) => what)).toEqual(["speech_failed", "speech_failed"]);
  });
});
