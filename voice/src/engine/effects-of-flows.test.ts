import { compileFlow } from "@parley/flow/compile";
import { NODE_CASES, type NodeCase } from "@parley/flow/testing/every-node";
import { afterEach, describe, expect, it } from "vitest";
import type { CallFacts } from "../conversation/call-context.ts";
import { conversationSettings } from "../conversation/conversation-settings.ts";
import { createFlowRunner } from "../conversation/flow-runner.ts";
import { TEST_MOMENT_MS } from "../conversation/testing/flow-rig.ts";
import { createFakeLanguageModel } from "../fakes/fake-language-model.ts";
import type { ConversationOptions } from "../ports/voice-engine.ts";
import { createCallScreening } from "../screening/create-call-screening.ts";
import { openScene, type Scene } from "./testing/conversation-scene.ts";

const CALL: CallFacts = {
  id: "call_1",
  phoneNumber: "+15550100001",
  from: null,
  mode: "test",
  isRecorded: false,
  startedAtMs: TEST_MOMENT_MS,
  timeZone: "UTC",
};
const VOICEMAIL = "Hi this is Ann I can't come to the phone please leave a message after the tone";

let scene: Scene;

afterEach(async () => {
  scene.line.end();
  const closed = scene.engine.close();
  await scene.advance(3_000);
  await closed;
  expect(scene.leftovers()).toEqual({ timers: 0, watches: 0, streams: 0 });
});

/** The conversation of a flow, with real screening, and all its external effects. */
async function prepare({ flow }: NodeCase, setup: Partial<ConversationOptions> = {}) {
  const compiled = compileFlow(flow());
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join(" "));
  const over = new AbortController();
  const model = createFakeLanguageModel();
  model.plan(
    { type: "reply", texts: ["Let me see."], calls: [{ id: "a", tool: "act", input: {} }] },
    { type: "reply", texts: [], calls: [{ id: "b", tool: "EXIT_1", input: {} }] },
  );
  const requests: string[] = [];
  const dialed: string[] = [];
  const brain = createFlowRunner({
    plan: compiled.plan,
    call: CALL,
    language: "en-US",
    variables: {},
    ranker: null,
    models: [model],
    toolCaller: {
      async call({ id }) {
        requests.push(id);
        return { status: 200, body: { day: "Monday" } };
      },
    },
    mayDial: async (to) => {
      dialed.push(to);
      return { isAllowed: true };
    },
    timers: { setTimer: (delayMs, fire) => scene.clock.setTimer(delayMs, fire) },
    signal: over.signal,
    noteFault: () => undefined,
  });
  scene = openScene({
    engine: { screening: createCallScreening() },
    setup: { ...conversationSettings(compiled.plan), brain, ...setup },
  });
  const conversation = await scene.prepare();
  void conversation.finished.then(() => over.abort());
  return { conversation, requests, dialed, model };
}

/** The collected values that remain. */
function collected(): Record<string, unknown> {
  let values: Record<string, unknown> = {};
  for (const entry of scene.journal) {
    if (entry.type === "collected") values = { ...values, [entry.name]: entry.value };
    if (entry.type === "answers_withdrawn") values = { ...entry.collected };
  }
  return values;
}

const reason = () => scene.notes("over").map((entry) => entry.reason);

describe.each(NODE_CASES)("$name", (each) => {
  it("does nothing while it rings, or when no one answers", async () => {
    const { requests, dialed, model, conversation } = await prepare(each);
    await scene.advance(30_000);
    expect(scene.journal).toEqual([]);
    scene.line.end();
    await conversation.finished;
    expect(scene.journal).toEqual([{ type: "over", reason: "callee_hangup" }]);
    expect([requests, dialed, model.requests, scene.line.keysSent, scene.line.transfers]).toEqual([[], [], [], [], []]);
  });

  it.each(["after_hello", "immediate"] as const)(
    "does nothing to a voicemail that is hung up on (%s)",
    async (greeting) => {
      const { requests, conversation } = await prepare(each, { greeting });
      scene.line.answer();
      await scene.advance(600);
      await scene.advance(scene.say(VOICEMAIL) + 3_000);
      // A flow that is at its end hangs up before anything is known about the voicemail.
      expect(reason()).toEqual([
        each.type === "end" || each.type === "voicemail" ? expect.anything() : "voicemail_hangup",
      ]);
      await conversation.finished;
      expect([requests, scene.line.keysSent, scene.line.transfers]).toEqual([[], [], []]);
      expect(collected()).toEqual({});
    },
  );

  it("works for a person who answers", async () => {
    const { requests, conversation } = await prepare(each);
    scene.line.answer();
    await scene.advance(300);
    await scene.advance(scene.say("Hello?"));
    for (let round = 0; round < 12 && reason().length === 0; round += 1) {
      await scene.advance(4_000);
      if (scene.line.transfers.length > 0)
        scene.line.tell({ type: "transfer_progressed", state: "completed", reason: "" });
      else if (reason().length === 0) await scene.advance(scene.say("yes"));
    }
    expect(reason()).toEqual([each.type === "transfer" ? "transferred" : "agent_hangup"]);
    await conversation.finished;
    expect(scene.incidents).toEqual([]);
    const isFinal = each.type === "end" || each.type === "voicemail";
    const acts = each.position === "last" || (!isFinal && each.type !== "transfer");
    expect(requests.some((id) => id.startsWith("act_1"))).toBe(acts);
    expect(scene.line.keysSent.includes("9")).toBe(acts);
    expect(scene.line.transfers).toHaveLength(each.type === "transfer" ? 1 : 0);
  });
});
