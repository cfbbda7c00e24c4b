import type { ScenarioActual, ScenarioExpectation } from "@parley/contract/scenarios";
import { describe, expect, it } from "vitest";
import { judgeScenario } from "./judge-scenario.ts";
import { NOTHING_HAPPENED, type ScenarioOutcome } from "./scenario-outcome.ts";

const OUTCOME: ScenarioOutcome = {
  lines: [
    { role: "agent", text: "Hello. Will you come?", step: 0, nodeId: "decision" },
    { role: "callee", text: "Yes.", step: 1, nodeId: "decision" },
    { role: "agent", text: "It costs forty dollars. Goodbye.", step: 1, nodeId: "bye" },
  ],
  visits: [
    { nodeId: "decision", step: 0 },
    { nodeId: "bye", step: 1 },
  ],
  collected: { outcome: "confirmed", guests: 4, late: false, unknown: null },
  endReason: "agent_hangup",
  suppressedAtStep: null,
  transfers: [{ to: "+15550100100", step: 1 }],
  toolCalls: [{ name: "lookup", step: 1 }],
  stepsTaken: 1,
  stepsTotal: 1,
  faults: [],
};

const FLOW = {
  language: "en-US",
  nodeIds: new Set(["decision", "bye", "cancel"]),
  collects: new Set(["outcome", "guests", "late", "unknown", "day"]),
};

const judge = (expectation: ScenarioExpectation, outcome = OUTCOME, flow = FLOW) =>
  judgeScenario([expectation], outcome, flow);

describe("the expected outcome of a scenario", () => {
  it.each<ScenarioExpectation>([
    { type: "ended", reason: "agent_hangup" },
    { type: "ended", reason: ["silence", "agent_hangup"] },
    { type: "reached", nodeId: "bye" },
    { type: "not_reached", nodeId: "cancel" },
    { type: "collected", name: "outcome", equals: "confirmed" },
    { type: "collected", name: "outcome", equals: "Confirmed." },
    { type: "collected", name: "guests" },
    { type: "collected", name: "guests", equals: 4 },
    { type: "collected", name: "late", equals: false },
    { type: "not_collected", name: "unknown" },
    { type: "not_collected", name: "never_asked" },
    { type: "said", contains: "will you come" },
    { type: "said", contains: "$40" },
    { type: "not_said", contains: "cancel" },
    { type: "not_suppressed" },
    { type: "transferred" },
    { type: "transferred", to: "+15550100100" },
    { type: "tool_called", name: "lookup" },
    { type: "tool_not_called", name: "book" },
  ])("holds: %j", (expectation) => {
    expect(judge(expectation)).toBeNull();
  });

  it.each<[ScenarioExpectation, string]>([
    [{ type: "ended", reason: "silence" }, "Expected the call to end as silence, but it ended as agent_hangup."],
    [{ type: "not_ended" }, "Expected the call to go on, but it ended as agent_hangup."],
    [{ type: "reached", nodeId: "x" }, "Expected the call to reach the node x, but it went decision, bye."],
    [{ type: "not_reached", nodeId: "bye" }, "Expected the call never to reach bye, but it did."],
    [{ type: "collected", name: "guests", equals: 5 }, "Expected guests to be collected as 5, but it is 4."],
    [{ type: "collected", name: "unknown" }, "Expected unknown to be collected as some value, but it is null."],
    [{ type: "not_collected", name: "guests" }, "Expected guests not to be collected, but it is 4."],
    [{ type: "said", contains: "sorry" }, 'Expected the agent to say "sorry", but it did not.'],
    [{ type: "not_said", contains: "forty dollars" }, 'Expected the agent never to say "forty dollars", but it did.'],
    [{ type: "suppressed" }, "Expected the number to be put on the suppression list, but it was not."],
    [
      { type: "transferred", to: "+1999" },
      "Expected the call to be handed on to +1999, but it was handed on to +15550100100.",
    ],
    [{ type: "not_transferred" }, "Expected the call not to be handed on, but it was, to +15550100100."],
    [{ type: "tool_called", name: "book" }, "Expected the tool book to be called, but it was not."],
    [{ type: "tool_not_called", name: "lookup" }, "Expected the tool lookup not to be called, but it was."],
  ])("is broken: %j", (expectation, message) => {
    expect(judge(expectation)?.message).toContain(message);
  });

  it.each<[ScenarioExpectation, ScenarioActual]>([
    [
      { type: "ended", reason: "silence" },
      { type: "ended", reason: "agent_hangup" },
    ],
    [{ type: "not_ended" }, { type: "ended", reason: "agent_hangup" }],
    [
      { type: "reached", nodeId: "x" },
      { type: "path", nodeIds: ["decision", "bye"] },
    ],
    [{ type: "not_reached", nodeId: "bye" }, { type: "happened" }],
    [
      { type: "collected", name: "guests", equals: 5 },
      { type: "collected", value: 4 },
    ],
    [
      { type: "collected", name: "unknown" },
      { type: "collected", value: null },
    ],
    [{ type: "collected", name: "plan" }, { type: "never_saved" }],
    [
      { type: "not_collected", name: "guests" },
      { type: "collected", value: 4 },
    ],
    [{ type: "said", contains: "sorry" }, { type: "did_not_happen" }],
    [{ type: "not_said", contains: "forty dollars" }, { type: "happened" }],
    [{ type: "suppressed" }, { type: "did_not_happen" }],
    [
      { type: "transferred", to: "+1999" },
      { type: "transferred", to: "+15550100100" },
    ],
    [{ type: "not_transferred" }, { type: "transferred", to: "+15550100100" }],
    [{ type: "tool_called", name: "book" }, { type: "did_not_happen" }],
    [{ type: "tool_not_called", name: "lookup" }, { type: "happened" }],
  ])("is broken, and what happened instead is told in parts: %j, %j", (expectation, actual) => {
    expect(judge(expectation)?.actual).toEqual(actual);
  });

  it("words inside other words do not count", () => {
    expect(judge({ type: "said", contains: "will you com" })).not.toBeNull();
  });

  it("says where it went wrong: the step, the node and what the agent said", () => {
    expect(judge({ type: "not_said", contains: "will you come" })).toMatchObject({
      step: 0,
      nodeId: "decision",
      said: "Hello. Will you come?",
    });
    expect(judge({ type: "suppressed" })?.message).toContain(
      'That was after step 1 (Yes.) at the node bye, and the agent said: "It costs forty dollars. Goodbye.".',
    );
  });

  it("names the first that is broken, what was left undone and what failed", () => {
    const cut = { ...OUTCOME, stepsTotal: 3, faults: ["the model did not answer"] };
    const broken: ScenarioExpectation[] = [
      { type: "reached", nodeId: "bye" },
      { type: "suppressed" },
      { type: "not_ended" },
    ];
    const failure = judgeScenario(broken, cut, FLOW);
    expect(failure?.expectation).toEqual({ type: "suppressed" });
    expect(failure).toMatchObject({ stepsLeft: 2, stepsTotal: 3, faults: cut.faults });
    expect(failure?.message).toMatch(/over with 2 of 3 steps left\. Something failed: the model did not answer\.$/);
  });

  it("applies to a call in which nothing happened", () => {
    const ended = judge({ type: "ended", reason: "agent_hangup" }, NOTHING_HAPPENED);
    expect(ended).toMatchObject({ step: 0, nodeId: null, said: null, actual: { type: "went_on" } });
  });
});

describe("a node that was cut out into a sub-flow", () => {
  const inside: ScenarioOutcome = { ...OUTCOME, visits: [{ nodeId: "booking__decision", step: 1 }] };
  const flow = { ...FLOW, nodeIds: new Set(["booking__start", "booking__decision", "booking__bye", "bye"]) };

  it("is expected by the id that it had", () => {
    expect(judge({ type: "reached", nodeId: "decision" }, inside, flow)).toBeNull();
    expect(judge({ type: "not_reached", nodeId: "decision" }, inside, flow)?.message).toContain(
      "Expected the call never to reach decision, but it did.",
    );
  });

  it("is not mistaken for a node of the flow that has the same id", () => {
    const elsewhere: ScenarioOutcome = { ...OUTCOME, visits: [{ nodeId: "booking__bye", step: 1 }] };
    expect(judge({ type: "reached", nodeId: "bye" }, elsewhere, flow)).not.toBeNull();
    expect(judge({ type: "not_reached", nodeId: "bye" }, elsewhere, flow)).toBeNull();
  });

  const saved: ScenarioOutcome = {
    ...OUTCOME,
    collected: { booking__day: "Tuesday", booking__guests: 2, guests: null },
  };
  const saving = { ...flow, collects: new Set(["guests", "booking__day", "booking__guests"]) };

  it("is expected to collect under the name that it had", () => {
    expect(judge({ type: "collected", name: "day", equals: "Tuesday" }, saved, saving)).toBeNull();
    expect(judge({ type: "not_collected", name: "day" }, saved, saving)?.message).toContain('but it is "Tuesday".');
    expect(judge({ type: "collected", name: "day" }, NOTHING_HAPPENED, saving)?.message).toContain("but it is null.");
  });

  it("is not mistaken for what the flow itself collects under that name", () => {
    expect(judge({ type: "collected", name: "guests" }, saved, saving)?.message).toContain("but it is null.");
  });

  it("that is gone is said to be gone, not to have collected nothing", () => {
    expect(judge({ type: "collected", name: "plan" }, saved, saving)?.message).toContain(
      "Expected plan to be collected as some value, but nothing in the flow saves it.",
    );
  });

  it("is not found by a part of its id", () => {
    expect(judge({ type: "reached", nodeId: "sion" }, inside, flow)).not.toBeNull();
  });
});
