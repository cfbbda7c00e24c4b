import { afterEach, describe, expect, it } from "vitest";
import type { ReplyPart } from "../ports/brain.ts";
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
});

const entered = (nodeId: string): ReplyPart => ({ type: "entered", nodeId });
const understood = (result: string): ReplyPart => ({
  type: "decided",
  decision: { nodeId: "question", taken: "answer", result, evidence: "words", score: null },
});
const asks = (id: string): ReplyPart => ({ type: "tool_call", id, name: "hours", input: {} });
const answers = (id: string): ReplyPart => ({ type: "tool_result", id, name: "hours", output: {}, ok: true });

/** Nodes, words and tools in the order in which a transcript shows them: by time, then as they were recorded. */
function inOrder(): string[] {
  return scene.journal
    .flatMap((entry, index) => {
      switch (entry.type) {
        case "decided":
          return [{ line: `taken for ${entry.decision.result}`, atMs: entry.atMs, index }];
        case "entered":
          return [{ line: `node ${entry.nodeId}`, atMs: entry.atMs, index }];
        case "agent_said":
          return [{ line: entry.heardText, atMs: entry.orderMs ?? entry.startMs, index }];
        case "callee_said":
          return [{ line: `callee: ${entry.text}`, atMs: entry.startMs, index }];
        case "tool_call":
        case "tool_result":
          return [{ line: entry.type, atMs: entry.atMs, index }];
        default:
          return [];
      }
    })
    .toSorted((one, other) => Math.round(one.atMs) - Math.round(other.atMs) || one.index - other.index)
    .map(({ line }) => line);
}

describe("a node in the transcript", () => {
  it("stands right before the words said there, however many nodes one reply goes through", async () => {
    open({
      brain: {
        greeting: [entered("start"), entered("hello"), "Hello there.", entered("question"), "Can you", "come?"],
        reply: () => [understood("yes"), entered("thanks"), "Thanks.", entered("note"), entered("bye"), "Goodbye now."],
      },
    });
    await scene.greet();
    await scene.advance(scene.say("yes I can"));
    await scene.untilAgentSpoke(2);
    expect(inOrder()).toEqual([
      ...["node start", "node hello", "Hello there.", "node question", "Can you come?"],
      ...["callee: yes I can", "taken for yes", "node thanks", "Thanks.", "node note", "node bye", "Goodbye now."],
    ]);
  });

  it("starts when its first word is heard", async () => {
    open({ brain: { greeting: [entered("hello"), "Hello there.", entered("question"), "Can you come?"] } });
    await scene.greet();
    const [, question] = scene.notes("entered");
    const [, said] = scene.notes("agent_said");
    expect(question?.atMs).toBe(said?.startMs);
    expect(said?.startMs).toBeGreaterThanOrEqual(scene.notes("agent_said")[0]?.endMs ?? Number.POSITIVE_INFINITY);
  });

  it("keeps its words before the tool that is asked while they are spoken", async () => {
    const slow = Promise.withResolvers<void>();
    open({
      brain: {
        reply: () => [
          ...[entered("wait"), "One moment.", entered("look_up"), asks("t1")],
          ...[slow.promise, answers("t1"), entered("bye"), "We close at six."],
        ],
      },
    });
    await scene.greet();
    await scene.advance(scene.say("when do you close"));
    await scene.untilAgentSpoke(2);
    slow.resolve();
    await scene.untilAgentSpoke(3);
    expect(inOrder().slice(2)).toEqual([
      ...["node wait", "One moment.", "node look_up", "tool_call", "tool_result", "node bye", "We close at six."],
    ]);
  });

  it("is recorded even if the callee interrupts before its words are heard", async () => {
    const long = [entered("terms"), "These are the rather long terms of ours.", entered("question"), "Do you agree?"];
    open({ brain: { reply: (_, index) => (index === 0 ? long : ["All right."]) } });
    await scene.greet();
    await scene.advance(scene.say("tell me the terms"));
    await scene.advance(1_800);
    await scene.advance(scene.say("stop wait who is this"));
    await scene.untilAgentSpoke(3);
    const [, cut] = scene.notes("agent_said");
    expect(scene.notes("entered").map(({ nodeId }) => nodeId)).toEqual(["terms", "question"]);
    expect(cut).toMatchObject({ wasInterrupted: true });
    expect(cut?.text).toContain("Do you agree?");
    expect(cut?.heardText).not.toContain("Do you agree?");
  });
});
