import { afterEach, describe, expect, it } from "vitest";
import { openScene, type Scene, type SceneOptions } from "./testing/conversation-scene.ts";

let scene: Scene;
const LONG = "The doctor has changed the plans for next week because of a conference in another town.";
/** The fake voice at full level, and 15 dB below. */
const LOUD = 3_000;
const LOWERED = 800;

afterEach(async () => {
  scene.line.end();
  const closed = scene.engine.close();
  await scene.advance(3_000);
  await closed;
  expect(scene.leftovers()).toEqual({ timers: 0, watches: 0, streams: 0 });
});

/** The peak level of the agent over the next stretch of time. */
async function peakWithin(durationMs: number): Promise<number> {
  peak = 0;
  await scene.advance(durationMs);
  return peak;
}

let peak = 0;

async function whileSpeaking(options: SceneOptions = {}): Promise<void> {
  scene = openScene({
    ...options,
    brain: { reply: (_turn, index) => [index === 0 ? LONG : "All right."], ...options.brain },
    line: {
      ...options.line,
      afterFrame: (played) => {
        for (const sample of played) peak = Math.max(peak, Math.abs(sample));
      },
    },
  });
  await scene.greet();
  await scene.advance(scene.say("tell me more."));
  await scene.clock.advanceUntil(() => scene.line.agentSpoke.length >= 2, 5_000);
  await scene.advance(1_000);
}

describe("a barge-in as it is heard", () => {
  it("our voice is lowered while the callee speaks, and restored after a back-channel", async () => {
    await whileSpeaking();
    expect(await peakWithin(600)).toBeGreaterThan(LOUD);
    scene.say("okay");
    await scene.advance(300);
    const lowered = await peakWithin(60);
    expect(lowered).toBeLessThan(LOWERED);
    await scene.advance(300);
    expect(await peakWithin(600)).toBeGreaterThan(LOUD);
    expect(scene.brain.turns).toHaveLength(1);
    expect(scene.notes("callee_said").at(-1)?.text).toBe("okay");
  });

  it("the next reply is at full level after an interruption", async () => {
    await whileSpeaking();
    await scene.advance(scene.say("no no no no no"));
    await scene.advance(600);
    peak = 0;
    await scene.untilAgentSpoke(3);
    expect(peak).toBeGreaterThan(LOUD);
  });

  it("a callee who continues as we start is not answered twice, and the brain forgets the first answer", async () => {
    scene = openScene({ brain: { reply: (turn) => [turn.type === "said" ? `You said ${turn.text}` : "What?"] } });
    await scene.greet();
    await scene.advance(scene.say("I want Tuesday."));
    await scene.clock.advanceUntil(() => scene.line.agentSpoke.length === 2, 3_000);
    await scene.advance(100);
    await scene.advance(scene.say("or Thursday."));
    await scene.advance(500);
    await scene.untilAgentSpoke(3);
    await scene.advance(300);
    expect(scene.brain.turns).toMatchObject([{ text: "I want Tuesday. or Thursday." }]);
    expect(scene.brain.log.map(({ type }) => type)).toEqual([
      "open",
      "permit",
      "heard",
      "reply",
      "heard",
      "undo",
      "reply",
      "heard",
    ]);
    expect(scene.notes("turn_undone")).toEqual([{ type: "turn_undone", turnId: 2 }]);
  });

  it("an echo of our own voice interrupts nothing, lowers nothing and is not a turn", async () => {
    scene = openScene({
      line: { echo: { lagMs: 180, lossDb: 12 } },
      brain: { greeting: [LONG, LONG], reply: () => [LONG] },
    });
    await scene.greet();
    await scene.advance(600);
    expect(scene.brain.turns).toEqual([]);
    await scene.advance(scene.say("tell me more."));
    await scene.untilAgentSpoke(2);
    await scene.advance(1_000);
    expect(scene.brain.turns).toHaveLength(1);
    expect(scene.notes("agent_said").every(({ wasInterrupted }) => !wasInterrupted)).toBe(true);
    expect(scene.notes("turn_timing").every(({ timing }) => timing.ducks === 0)).toBe(true);
  });

  /** The buffers of both ends shrink by a frame every two seconds. */
  const shrinking = {
    lagMs: (positionMs: number) => 400 - 20 * Math.min(9, Math.floor(positionMs / 2_000)),
    lossDb: 18,
  };

  it("an echo whose delay shrinks interrupts nothing, lowers nothing and is not a turn", async () => {
    scene = openScene({
      line: { echo: shrinking },
      brain: { greeting: [LONG, LONG, LONG], reply: () => [LONG, LONG] },
    });
    await scene.greet();
    await scene.advance(600);
    await scene.advance(scene.say("tell me more."));
    await scene.untilAgentSpoke(2);
    await scene.advance(1_000);
    expect(scene.brain.turns).toHaveLength(1);
    expect(scene.notes("agent_said").every(({ wasInterrupted }) => !wasInterrupted)).toBe(true);
    expect(scene.notes("turn_timing").every(({ timing }) => timing.ducks === 0)).toBe(true);
  });

  it("a callee is heard over an echo whose delay shrinks", async () => {
    await whileSpeaking({ line: { echo: shrinking }, brain: { greeting: [LONG, LONG] } });
    const fromMs = scene.line.positionMs;
    scene.say("no no no no no");
    await scene.advance(1_500);
    expect((scene.line.agentSpoke.at(-1)?.endMs ?? 0) - fromMs).toBeLessThan(1_100);
  });

  it("a callee is heard over the echo of our voice", async () => {
    await whileSpeaking({ line: { echo: { lagMs: 180, lossDb: 24 } }, brain: { greeting: [LONG] } });
    const fromMs = scene.line.positionMs;
    scene.say("no no no no no");
    await scene.advance(1_500);
    // Speech mixed with the echo cannot be recognized; a callee who speaks for a second still gets the floor.
    expect((scene.line.agentSpoke.at(-1)?.endMs ?? 0) - fromMs).toBeLessThan(1_100);
  });
});
