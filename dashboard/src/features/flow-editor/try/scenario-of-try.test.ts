import { NewScenario } from "@parley/contract/scenarios";
import { expect, test } from "vitest";
import { expectationsOf, nameOf, replyOf, scenarioOf, type TryOutcome } from "./scenario-of-try.ts";

const outcome: TryOutcome = {
  steps: [{ say: "another day" }, { press: "1" }],
  variables: { first_name: "Ada", from_whom: "" },
  collected: { decision: "another day", guests: 2, note: null },
  path: ["start", "greeting", "moved"],
  endReason: "agent_hangup",
  isSuppressed: false,
  toolReplies: { slots: replyOf({ ok: true, output: { free: 3 } }), book: replyOf({ ok: false, output: null }) },
};

test("what held in a try becomes the expectations, and the scenario can be saved", () => {
  const expected = expectationsOf(outcome);
  expect(expected).toEqual([
    { type: "ended", reason: "agent_hangup" },
    { type: "reached", nodeId: "moved" },
    { type: "collected", name: "decision", equals: "another day" },
    { type: "collected", name: "guests", equals: 2 },
  ]);
  const scenario = scenarioOf(nameOf(outcome), outcome, expected);
  expect(NewScenario.safeParse(scenario).success).toBe(true);
  expect(scenario.variables).toEqual({ first_name: "Ada" });
  expect(scenario.toolReplies).toEqual({ slots: { status: 200, body: { free: 3 } }, book: { status: 500 } });
});

test("a try that was left before its end expects that the call continues", () => {
  expect(expectationsOf({ ...outcome, endReason: null })[0]).toEqual({ type: "not_ended" });
});

test("a scenario is named after what the callee said", () => {
  expect(nameOf(outcome)).toBe("Says “another day”");
  expect(nameOf({ ...outcome, steps: [{ machine: "voicemail" }] })).toBe("Answered by a voicemail");
  expect(nameOf({ ...outcome, steps: [{ silent: true }] })).toBe("Says nothing");
});
