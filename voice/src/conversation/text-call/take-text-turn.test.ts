import type { CalleeStep } from "@parley/contract/callee-steps";
import { Flow, type FlowNode } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import { createTestToolCaller, TEST_MOMENT_MS } from "../testing/flow-rig.ts";
import { type TextCallEvent, type TextCallOptions, type TextTurn, takeTextTurn } from "./take-text-turn.ts";
import { refitTextCall } from "./text-call-state.ts";

const NODES: FlowNode[] = [
  { id: "start", type: "start", next: "hello" },
  { id: "hello", type: "say", text: "Hello. This is a call from the library about your book.", next: "bring" },
  {
    id: "bring",
    type: "ask",
    text: "Will you bring it back this week?",
    answer: "yes_no",
    saveAs: "brings",
    exits: [
      { when: "yes", next: "lookup" },
      { when: "no", next: "day" },
    ],
    otherwise: "bye",
  },
  {
    id: "day",
    type: "ask",
    text: "Which day then?",
    answer: "date",
    saveAs: "day",
    exits: [],
    next: "bye",
    otherwise: "bye",
  },
  {
    id: "lookup",
    type: "tool",
    request: { method: "GET", url: "https://library.example/hours" },
    saves: [{ path: "closes", saveAs: "closes" }],
    next: "bye",
    failed: "bye",
  },
  { id: "bye", type: "end", text: "Thank you. Goodbye." },
  { id: "message", type: "voicemail", text: "Please bring back your book." },
];

function setupOf(nodes: readonly FlowNode[] = NODES, voicemail?: "hang_up" | "continue"): TextCallOptions {
  const flow = Flow.parse({
    ...{ schemaVersion: 1, nodes },
    settings: { disclosure: null, retries: { max: 2 }, ...(voicemail && { voicemail }) },
  });
  const compiled = compileFlow(flow);
  if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
  return {
    ...{ plan: compiled.plan, language: "en-US", variables: {}, ranker: null, models: [] },
    toolCaller: createTestToolCaller(() => ({ status: 200, body: { closes: "six" } })),
    mayDial: async () => ({ isAllowed: true }),
    call: {
      ...{ id: "call_1", phoneNumber: "+15550100001", from: null, mode: "test", isRecorded: false },
      ...{ startedAtMs: TEST_MOMENT_MS, timeZone: "UTC" },
    },
    timers: createVirtualClock(),
    signal: new AbortController().signal,
  };
}

/** Holds a call like a process that suspends it after each turn and resumes it elsewhere. */
async function hold(
  setup: TextCallOptions,
  first: CalleeStep | null,
  ...steps: readonly CalleeStep[]
): Promise<TextTurn[]> {
  const turns = [await takeTextTurn(setup, null, first)];
  for (const step of steps) {
    const before = JSON.parse(JSON.stringify(turns.at(-1)?.state)) as TextTurn["state"];
    turns.push(await takeTextTurn(setup, before, step));
  }
  return turns;
}

const saidIn = (turn: TextTurn | undefined) =>
  (turn?.events ?? []).flatMap((event: TextCallEvent) => (event.type === "said" ? [event.text] : [])).join(" ");

describe("a call that is held by text", () => {
  it("opens as on the phone, and reports what it expects", async () => {
    const [opening] = await hold(setupOf(), null);
    expect(saidIn(opening)).toBe(
      "Hello. This is a call from the library about your book. Will you bring it back this week?",
    );
    expect(opening).toMatchObject({ state: { nodeId: "bring", ended: null }, expects: { kind: "yes_no" } });
  });

  it("continues from its stored state, including tool results", async () => {
    const [, answered] = await hold(setupOf(), null, { say: "Yes, I will." });
    expect(answered?.events.map(({ type }) => type)).toEqual([
      ...["decided", "collected", "entered", "tool_call", "tool_result", "collected", "entered", "said"],
    ]);
    expect(answered?.state.flow.state.collected).toEqual({ brings: true, closes: "six" });
    expect(answered?.state.ended).toEqual({ reason: "agent_hangup", by: "agent" });
    expect(answered?.expects).toBeNull();
  });

  it("takes a correction of an answer from the turn before", async () => {
    const turns = await hold(setupOf(), null, { say: "No" }, { say: "On Friday." });
    expect(turns.at(-1)?.state.flow.state.collected).toEqual({ brings: false, day: "2026-03-06" });
  });

  it("asks the question again when it was cut off before it", async () => {
    const [, cut] = await hold(setupOf(), null, { interruptAfterMs: 600, say: "Yes?" });
    expect(cut?.events[0]).toEqual({ type: "cut_off", heardText: "Hello." });
    expect(saidIn(cut)).toContain("Will you bring it back this week?");
    expect(cut?.state.ended).toBeNull();
  });

  it("asks a silent callee once, and then hangs up", async () => {
    const [, first, second] = await hold(setupOf(), null, { silent: true }, { silent: true });
    expect(saidIn(first)).toMatch(/^Are you still there\?/);
    expect(second?.state.ended).toEqual({ reason: "silence", by: "agent" });
  });

  it("leaves its message on a voicemail, hangs up on it, or talks to it, depending on the agent's settings", async () => {
    const [left] = await hold(setupOf(), { machine: "voicemail" });
    expect(saidIn(left)).toBe("Please bring back your book.");
    expect(left?.state.ended?.reason).toBe("voicemail_left");
    const [hungUp] = await hold(setupOf(NODES.slice(0, -1), "hang_up"), { machine: "voicemail" });
    expect(hungUp).toMatchObject({ state: { ended: { reason: "voicemail_hangup" } }, events: [] });
    const [talked] = await hold(setupOf(NODES, "continue"), { machine: "voicemail" });
    expect(saidIn(talked)).toContain("Will you bring it back");
  });

  it("is over when the callee hangs up, and nothing is said after it", async () => {
    const turns = await hold(setupOf(), null, { hangUp: true }, { say: "Hello?" });
    expect(turns.at(-1)).toMatchObject({ state: { ended: { reason: "callee_hangup" } }, events: [] });
  });

  it("continues in a flow that was changed, unless its question is gone", async () => {
    const [opening] = await hold(setupOf(), null);
    const state = opening?.state;
    if (state === undefined) throw new Error("there is no opening");
    const reworded = setupOf(
      NODES.map((node) => (node.id === "bye" ? { ...node, text: "See you." } : node) as FlowNode),
    );
    const refitted = refitTextCall(reworded.plan, state);
    expect(saidIn(await takeTextTurn(reworded, refitted, { say: "yes" }))).toBe("See you.");
    const renamed = NODES.map((node) =>
      node.id === "bring" ? { ...node, id: "returns" } : node.id === "hello" ? { ...node, next: "returns" } : node,
    );
    expect(refitTextCall(setupOf(renamed as FlowNode[]).plan, state)).toBeNull();
  });
});
