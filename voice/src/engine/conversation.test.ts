import { afterEach, describe, expect, it } from "vitest";
import { openScene, type Scene, type SceneOptions } from "./testing/conversation-scene.ts";

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

describe("a conversation", () => {
  it("greets, listens, answers and hangs up", async () => {
    open({
      brain: {
        greeting: ["Hello.", "Can you come on Tuesday?"],
        expectation: { kind: "yes_no", answers: ["yes", "no"] },
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
    expect(scene.notes("agent_said").map(({ heardText }) => heardText)).toEqual([
      "Hello. Can you come on Tuesday?",
      "See you then.",
    ]);
    expect(scene.notes("over")).toEqual([{ type: "over", reason: "agent_hangup" }]);
    console.log(scene.notes("turn_timing"), scene.line.agentSpoke, scene.incidents);
  });
});
