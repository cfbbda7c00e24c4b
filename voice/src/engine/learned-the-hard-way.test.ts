import { afterEach, describe, expect, it } from "vitest";
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

const LONG = "The doctor has changed the plans for next week because of a conference in another town.";
const heardOf = (turnId: number) => scene.brain.log.filter((note) => note.type === "heard" && note.turnId === turnId);

/** The agent has been speaking a long reply for a second. */
async function whileSpeaking(options: SceneOptions = {}): Promise<void> {
  open({ ...options, brain: { reply: (_turn, index) => [index === 0 ? LONG : "All right."], ...options.brain } });
  await scene.greet();
  await scene.advance(scene.say("tell me more."));
  await scene.clock.advanceUntil(() => scene.line.agentSpoke.length === 2, 5_000);
  await scene.advance(1_000);
}

describe("what others learned the hard way", () => {
  it("a reply cut off before its first audio leaves the agent able to speak again", async () => {
    const never = replyHeld();
    open({ brain: { reply: (_turn, index) => (index === 0 ? [never.promise, "Too late."] : ["Here I am."]) } });
    await scene.greet();
    await scene.advance(scene.say("one."));
    await scene.advance(700);
    await scene.advance(scene.say("or two."));
    await scene.advance(500);
    await scene.untilAgentSpoke(2);
    never.resolve();
    await scene.advance(2_000);
    expect(scene.notes("agent_said").map(({ heardText }) => heardText)).not.toContain("Too late.");
    expect(scene.line.agentSpoke).toHaveLength(2);
  });

  it("an interruption takes effect in the frame in which it is decided, without waiting for an acknowledgement", async () => {
    await whileSpeaking();
    const fromMs = scene.line.positionMs;
    scene.say("stop stop stop stop");
    await scene.advance(2_200);
    const spoke = scene.line.agentSpoke[1];
    expect((spoke?.endMs ?? 0) - fromMs).toBeLessThan(700);
    expect(scene.brain.turns.at(-1)).toMatchObject({ text: "stop stop stop stop" });
  });

  it("a brain that does not react to being cut off blocks nothing", async () => {
    const deaf = replyHeld();
    await whileSpeaking({ brain: { reply: (_turn, index) => (index === 0 ? [LONG, deaf.promise, LONG] : ["Yes?"]) } });
    scene.say("stop stop stop stop");
    await scene.advance(1_300);
    await scene.untilAgentSpoke(3);
    expect(scene.notes("agent_said").at(-1)?.heardText).toBe("Yes?");
    deaf.resolve();
  });

  it("a voice that hangs blocks nothing but its own reply", async () => {
    open();
    await scene.greet();
    const letGo = scene.synthesizer.holdBack();
    await scene.advance(scene.say("one."));
    await scene.advance(700);
    // The watchdog finds the first reply stuck; then the voice works again, and the callee is asked again.
    await scene.advance(11_000);
    letGo();
    await scene.untilAgentSpoke(2);
    expect(scene.incidents.map(({ what }) => what)).not.toContain("broken");
  });

  it("a tool result that arrives after the callee interrupted is kept", async () => {
    const tool = replyHeld();
    await whileSpeaking({
      brain: {
        reply: (_turn, index) =>
          index > 0
            ? ["Yes?"]
            : [
                { type: "tool_call", id: "t1", name: "book", input: {} },
                LONG,
                tool.promise,
                { type: "tool_result", id: "t1", name: "book", output: "booked", ok: true },
              ],
      },
    });
    scene.say("stop stop stop stop");
    await scene.advance(800);
    expect(heardOf(2)).toMatchObject([{ wasCut: true }]);
    tool.resolve();
    await scene.untilAgentSpoke(3);
    expect(scene.notes("tool_result")).toMatchObject([{ id: "t1", output: "booked" }]);
  });

  it("history contains exactly the words that were heard: half a round trip and 80 ms before the cut", async () => {
    await whileSpeaking({ line: { roundTripMs: 200 } });
    scene.say("stop stop stop stop");
    await scene.advance(1_500);
    const said = scene.notes("agent_said").find(({ wasInterrupted }) => wasInterrupted);
    const spoke = scene.line.agentSpoke[1];
    expect(said?.text).toBe(LONG);
    expect(LONG.startsWith(said?.heardText ?? "nothing")).toBe(true);
    expect(said?.heardText).not.toBe(LONG);
    // Up to the end of the last frame: the position that went out, less 100 ms and 80 ms.
    expect((spoke?.endMs ?? 0) - (said?.endMs ?? 0)).toBeGreaterThanOrEqual(160);
    expect((spoke?.endMs ?? 0) - (said?.endMs ?? 0)).toBeLessThanOrEqual(220);
    expect(heardOf(2)).toEqual([{ type: "heard", turnId: 2, text: said?.heardText, wasCut: true }]);
  });

  it("every reply is reported to the brain exactly once, even if nothing of it was heard", async () => {
    await whileSpeaking();
    scene.say("stop stop stop stop");
    await scene.advance(1_300);
    await scene.untilAgentSpoke(3);
    await scene.advance(scene.say("go on then."));
    scene.line.end();
    await scene.advance(100);
    const begun = scene.brain.log.flatMap((note) =>
      note.type === "reply" || note.type === "open" ? [note.turnId] : [],
    );
    const heard = scene.brain.log.flatMap((note) => (note.type === "heard" ? [note.turnId] : []));
    expect(heard).toEqual(begun);
  });

  it("the last answer is heard before the call ends, and a hang-up in between does no harm", async () => {
    open({ brain: { reply: () => [LONG, { type: "end", reason: "finished" }] } });
    const conversation = await scene.greet();
    await scene.advance(scene.say("goodbye."));
    await scene.clock.advanceUntil(() => scene.line.agentSpoke.length === 2, 5_000);
    await scene.advance(500);
    scene.line.end();
    scene.line.tell({ type: "ended" });
    conversation.endPolitely();
    await conversation.finished;
    expect(scene.notes("over")).toEqual([{ type: "over", reason: "callee_hangup" }]);
  });

  it("a journal that throws ends this call with a reason, and not the program", async () => {
    let isBroken = false;
    open({
      setup: {
        journal: {
          note: () => {
            if (isBroken) throw new Error("the disk is full");
          },
        },
      },
    });
    const conversation = await scene.greet();
    isBroken = true;
    await scene.advance(scene.say("hello."));
    await scene.advance(3_000);
    await conversation.finished;
    expect(scene.incidents.map(({ what }) => what)).toContain("broken");
  });

  it("a detector that goes deaf is reported with its reason and duration, and the call does not end as silent", async () => {
    open();
    const conversation = await scene.greet();
    scene.vad.goDeaf();
    await scene.advance(45_000);
    await conversation.finished;
    const [lost, update] = scene.notes("incident");
    expect(lost).toMatchObject({ what: "hearing_failed", reason: "speech detection stopped following the line" });
    expect(update).toMatchObject({ what: "hearing_failed", isUpdate: true, totalMs: expect.any(Number) });
    expect(update?.totalMs).toBeGreaterThan(20_000);
    expect(scene.notes("over")).toEqual([{ type: "over", reason: "engine_error" }]);
  });

  it("a line that stalls is noticed, and the call ends", async () => {
    await whileSpeaking();
    scene.line.stall();
    await scene.advance(80_000);
    expect(scene.notes("incident").map(({ what }) => what)).toContain("audio_late");
    expect(scene.notes("over")).toEqual([{ type: "over", reason: "engine_error" }]);
  });

  it("audio in a small buffer is played to its end, and none of it twice", async () => {
    open({
      line: { playout: { entries: 8, storeSamples: 8_000 } },
      brain: { greeting: [LONG, LONG, LONG] },
    });
    await scene.greet();
    const spoken = scene.line.agentSpoke.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
    const words = 3 * LONG.split(" ").length;
    expect(spoken).toBeGreaterThanOrEqual(words * 300 - 200);
    expect(spoken).toBeLessThanOrEqual(words * 300 + 20);
    expect(scene.notes("agent_said")[0]?.heardText).toBe([LONG, LONG, LONG].join(" "));
  });

  it("many calls share one timer and do not disturb each other", async () => {
    open();
    const one = await scene.greet();
    const other = openScene();
    const timers = scene.clock.pendingTimers();
    expect(timers).toBeLessThan(6);
    await other.greet();
    scene.line.end();
    await one.finished;
    await other.advance(other.say("hello."));
    await other.untilAgentSpoke(2);
    other.line.end();
    await other.advance(100);
    await other.engine.close();
    expect(other.leftovers()).toEqual({ timers: 0, watches: 0, streams: 0 });
  });
});
