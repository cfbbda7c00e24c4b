import type { Flow, FlowNode } from "@parley/contract/flow";
import { EMPTY_FLOW } from "@parley/contract/flow";
import { expect, test } from "vitest";
import { type EndedCallFacts, judgeByRules } from "./analyze-call.ts";

const flowOf = (...nodes: FlowNode[]): Flow => ({ ...EMPTY_FLOW, nodes });
const FLOW = flowOf(
  { id: "begin", type: "start", next: "booked" },
  { id: "booked", type: "end", outcome: "table booked", success: true },
  { id: "full", type: "end", outcome: "no table", success: false },
  { id: "bye", type: "end" },
  { id: "desk", type: "transfer", to: "+15550100001", outcome: "passed on", success: true },
  { id: "message", type: "voicemail", text: "Call us back.", outcome: "message left" },
);
const CALL: EndedCallFacts = { endReason: "agent_hangup", collected: { guests: 4 }, lastNodeId: "booked" };

const judged = (call: Partial<EndedCallFacts>, flow: Flow = FLOW) => {
  const { outcome, success } = judgeByRules(flow, { ...CALL, ...call });
  return [outcome, success];
};

test("a call is what the node it ended at declares, with what was collected as fields and no summary", () => {
  expect(judgeByRules(FLOW, CALL)).toEqual({
    status: "ready",
    summary: null,
    outcome: "table booked",
    success: true,
    fields: { guests: 4 },
    labels: [],
    by: "rules",
    model: null,
  });
  expect(judged({ lastNodeId: "full" })).toEqual(["no table", false]);
});

test("a callee who hangs up during the goodbye has still reached that end", () => {
  expect(judged({ endReason: "callee_hangup" })).toEqual(["table booked", true]);
});

test("a call that came to no declared end has not succeeded", () => {
  expect(judged({ lastNodeId: "bye" })).toEqual(["bye", false]);
  expect(judged({ lastNodeId: "begin", endReason: "callee_hangup" })).toEqual(["callee_hangup", false]);
  expect(judged({ lastNodeId: null, collected: null, endReason: "worker_lost" })).toEqual(["worker_lost", false]);
});

test("a transfer counts only where the callee was connected, a voicemail only where a message was left", () => {
  expect(judged({ lastNodeId: "desk", endReason: "transferred" })).toEqual(["passed on", true]);
  expect(judged({ lastNodeId: "desk", endReason: "callee_hangup" })).toEqual(["callee_hangup", false]);
  expect(judged({ lastNodeId: "begin", endReason: "voicemail_left" })).toEqual(["message left", false]);
  expect(judged({ lastNodeId: "begin", endReason: "voicemail_hangup" })).toEqual(["voicemail_hangup", false]);
});

test("an outcome that the flow keeps itself is taken, and success is unknown where the flow declares none", () => {
  const plain = flowOf({ id: "begin", type: "start", next: "bye" }, { id: "bye", type: "end" });
  expect(judged({ lastNodeId: "bye", collected: { outcome: "moved" } }, plain)).toEqual(["moved", null]);
  expect(judged({ lastNodeId: "bye", collected: { outcome: 7 } }, plain)).toEqual(["bye", null]);
});
