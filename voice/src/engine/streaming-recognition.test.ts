import { afterEach, describe, expect, it } from "vitest";
import { createFakeSpeechRecognizer } from "../fakes/fake-speech-recognizer.ts";
import { MarkedSpeech } from "../fakes/marked-speech.ts";
import type { SpeechRecognizer } from "../ports/speech-recognizer.ts";
import { openScene, type Scene, type SceneOptions } from "./testing/conversation-scene.ts";

let scene: Scene;
const open = (options: SceneOptions) => {
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

const heardTexts = () => scene.notes("agent_said").map(({ heardText }) => heardText);
const saidTexts = () => scene.notes("callee_said").map(({ text }) => text);
const brainLog = () => scene.brain.log.map(({ type }) => type);

const BOOKING = [
  { type: "collected", name: "day", value: "Tuesday" },
  { type: "tool_call", id: "t1", name: "book", input: {} },
  { type: "tool_result", id: "t1", name: "book", output: "done", ok: true },
  { type: "suppress" },
  "It is booked.",
] as const;

it("a recognizer that could not be opened is an incident, although another one took over before the call", async () => {
  const second = createFakeSpeechRecognizer(new MarkedSpeech());
  const recognizer: SpeechRecognizer = {
    ...second,
    open(request) {
      request.onReplaced?.({ recognizer: "second", reason: "first refused the API key" });
      return second.open(request);
    },
  };
  open({ engine: { recognizer } });
  await scene.greet();
  expect(scene.notes("incident")).toMatchObject([
    { what: "recognition_failed", reason: "first refused the API key; second has taken over" },
  ]);
});

describe("a recognizer that follows the whole call", () => {
  it("hears everything from the answer on, silence too", async () => {
    open({ streaming: {} });
    await scene.prepare();
    await scene.advance(1_000);
    expect(scene.streaming.heardMs).toBe(0);
    scene.line.answer();
    const answeredMs = scene.line.positionMs;
    await scene.untilAgentSpoke(1);
    await scene.advance(scene.say("good morning"));
    await scene.advance(2_000);
    expect(scene.line.positionMs - answeredMs - scene.streaming.heardMs).toBeLessThanOrEqual(60);
  });

  it("ends the turn at once, before our silence limit", async () => {
    open({ streaming: { endMs: 200 } });
    await scene.greet();
    await scene.advance(scene.say("I would like to come"));
    await scene.untilAgentSpoke(2);
    expect(scene.notes("turn_timing")[0]?.timing.totalMs).toBeLessThanOrEqual(300);
    expect(saidTexts()).toEqual(["I would like to come"]);
  });

  it("places its words on the line, with confidence and language", async () => {
    open({ streaming: { endMs: 300, confidence: 0.8, language: "es-ES" } });
    await scene.greet();
    await scene.advance(700);
    const saidMs = scene.line.positionMs;
    await scene.advance(scene.say("good morning"));
    await scene.untilAgentSpoke(2);
    const [said] = scene.notes("callee_said");
    expect(said).toMatchObject({ text: "good morning", confidence: 0.8, language: "es-ES" });
    expect(Math.abs((said?.words[0]?.startMs ?? 0) - saidMs)).toBeLessThanOrEqual(40);
  });

  it("does not make us wait when it falls silent: what is known is answered", async () => {
    open({ streaming: { endMs: 5_000 } });
    await scene.greet();
    await scene.advance(scene.say("on Tuesday please"));
    scene.streaming.fallSilent();
    await scene.untilAgentSpoke(2, 4_000);
    expect(scene.brain.turns).toMatchObject([{ type: "said", text: "on Tuesday please" }]);
  });

  it("does not make us wait when it never says anything: the callee is asked again, and it is reported", async () => {
    open({ streaming: {} });
    await scene.greet();
    scene.streaming.fallSilent();
    await scene.advance(scene.say("on Tuesday please"));
    await scene.untilAgentSpoke(2, 5_000);
    expect(scene.brain.turns).toEqual([{ type: "unclear" }]);
    expect(scene.notes("incident").map(({ what }) => what)).toEqual(["recognition_failed"]);
  });

  it("loses no words when it is late and our silence limit ends the turn", async () => {
    open({ streaming: { endMs: 3_000, lagMs: 400 } });
    await scene.greet();
    await scene.advance(scene.say("I would like to come on Tuesday"));
    await scene.untilAgentSpoke(2);
    expect(saidTexts()).toEqual(["I would like to come on Tuesday"]);
  });

  it("says only what is new when its turn goes on after we have answered", async () => {
    open({ streaming: { endMs: 5_000 }, brain: { reply: () => ["Good."] } });
    await scene.greet();
    await scene.advance(scene.say("on Tuesday please"));
    await scene.untilAgentSpoke(2);
    await scene.advance(500);
    await scene.advance(scene.say("and bring my brother"));
    await scene.untilAgentSpoke(3);
    expect(saidTexts()).toEqual(["on Tuesday please", "and bring my brother"]);
  });

  it("interrupts by its words while they are spoken", async () => {
    open({ streaming: { endMs: 400 }, brain: { reply: () => ["One two three four five six seven eight nine ten."] } });
    await scene.greet();
    await scene.advance(scene.say("tell me"));
    await scene.advance(1_500);
    await scene.advance(scene.say("stop please listen to me"));
    await scene.advance(2_500);
    expect(saidTexts()).toEqual(["tell me", "stop please listen to me"]);
    expect(scene.notes("agent_said")[1]?.wasInterrupted).toBe(true);
  });

  it("ends the call when it is lost and nothing replaces it", async () => {
    open({ streaming: {} });
    const conversation = await scene.greet();
    scene.streaming.breakNow();
    await conversation.finished;
    expect(scene.notes("over")).toEqual([{ type: "over", reason: "engine_error" }]);
  });
});

describe("a turn that has probably ended", () => {
  it("has its reply decided and rendered, and played the moment it has ended", async () => {
    open({ streaming: { probableEndMs: 100, endMs: 450 }, brain: { reply: () => ["Very well then."] } });
    await scene.greet();
    await scene.advance(scene.say("I would like to come"));
    await scene.advance(250);
    expect(brainLog()).toContain("prepare");
    expect(scene.synthesizer.requests.map(({ text }) => text)).toContain("Very well then.");
    expect(scene.line.agentSpoke).toHaveLength(1);
    await scene.untilAgentSpoke(2);
    expect(brainLog()).not.toContain("reply");
    expect(scene.notes("turn_timing")[0]?.timing).toMatchObject({ decisionMs: 0 });
    expect(heardTexts()[1]).toBe("Very well then.");
  });

  it("acts and records nothing before it has ended, and everything then", async () => {
    open({ streaming: { probableEndMs: 100, endMs: 450 }, brain: { reply: () => BOOKING } });
    await scene.greet();
    await scene.advance(scene.say("I would like to come"));
    await scene.advance(250);
    expect(brainLog()).toContain("prepare");
    expect(scene.brain.toolCalls).toEqual([]);
    expect([...scene.notes("collected"), ...scene.notes("tool_call"), ...scene.notes("suppress")]).toEqual([]);
    await scene.untilAgentSpoke(2);
    expect(scene.brain.toolCalls).toEqual(["t1"]);
    expect(scene.notes("collected")).toHaveLength(1);
    expect(scene.notes("tool_result")).toHaveLength(1);
    expect(scene.notes("suppress")).toHaveLength(1);
  });

  it("leaves nothing of its reply behind when the callee goes on", async () => {
    open({
      streaming: { probableEndMs: 150, endMs: 600 },
      brain: { reply: (turn) => (turn.type === "said" && turn.text === "on Tuesday" ? BOOKING : ["All right."]) },
    });
    await scene.greet();
    await scene.advance(scene.say("on Tuesday"));
    await scene.advance(300);
    expect(brainLog()).toContain("prepare");
    await scene.advance(scene.say("or better on Thursday"));
    await scene.untilAgentSpoke(2);
    expect(brainLog()).toContain("withdraw");
    expect(scene.brain.toolCalls).toEqual([]);
    expect([...scene.notes("collected"), ...scene.notes("tool_call"), ...scene.notes("suppress")]).toEqual([]);
    expect(scene.notes("turn_undone")).toEqual([]);
    expect(saidTexts()).toEqual(["on Tuesday or better on Thursday"]);
    expect(heardTexts()).toEqual(["Hello there.", "All right."]);
    expect(scene.brain.turns).toHaveLength(1);
  });

  it("is answered by our own silence limit when its end is never reported", async () => {
    open({ streaming: { probableEndMs: 100, endMs: 60_000 }, brain: { reply: () => ["Very well then."] } });
    await scene.greet();
    await scene.advance(scene.say("I would like to come"));
    await scene.untilAgentSpoke(2, 2_000);
    expect(brainLog()).toContain("commit");
    expect(heardTexts()[1]).toBe("Very well then.");
  });

  it("is answered although the preparation failed", async () => {
    open({ streaming: { probableEndMs: 100, endMs: 450 }, brain: { reply: () => ["Very well then."] } });
    await scene.greet();
    await scene.advance(scene.say("I would like to come"));
    scene.synthesizer.failNext();
    scene.synthesizer.failNext();
    await scene.untilAgentSpoke(2);
    expect(heardTexts()[1]).toBe("Very well then.");
    expect(scene.notes("incident")).toEqual([]);
  });

  it("leaves nothing behind when the callee hangs up", async () => {
    open({ streaming: { probableEndMs: 100, endMs: 600 }, brain: { reply: () => BOOKING } });
    const conversation = await scene.greet();
    await scene.advance(scene.say("on Tuesday"));
    await scene.advance(250);
    scene.line.end();
    await conversation.finished;
    expect(brainLog().at(-1)).toBe("withdraw");
    expect(scene.brain.toolCalls).toEqual([]);
    expect(saidTexts()).toEqual(["on Tuesday"]);
  });
});
