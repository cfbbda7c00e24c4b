import type { FlowNode } from "@parley/contract/flow";
import type { ScenarioExpectation } from "@parley/contract/scenarios";
import { describe, expect, it } from "vitest";
import { expectationWords, failureWords } from "./scenario-text.ts";

const FLOW = {
  nodes: [
    { id: "ask_2", type: "say", label: "Ask for the day", text: "Hello." },
    { id: "part__who", type: "say", label: "Booking › Who is coming?", text: "Hello." },
  ] as FlowNode[],
};
const failed = (message: string, expectation: ScenarioExpectation | null) =>
  failureWords({ message, expectation, step: 1, nodeId: "ask_2", said: null }, FLOW);

describe("an expectation", () => {
  it("names a node by its title, also where it was cut out into a sub-flow, and else by its id", () => {
    const words = ["ask_2", "who", "gone"].map((nodeId) => expectationWords({ type: "reached", nodeId }, FLOW));
    expect(words).toEqual(["Reaches “Ask for the day”", "Reaches “Booking › Who is coming?”", "Reaches “gone”"]);
    expect(expectationWords({ type: "not_reached", nodeId: "ask_2" }, FLOW)).toBe("Never reaches “Ask for the day”");
  });
});

describe("a failed scenario", () => {
  it("says by their titles which node was not reached, and which were", () => {
    const message =
      "Expected the call to reach the node part__who, but it went ask_2, bye. That was after step 1 at the node bye.";
    expect(failed(message, { type: "reached", nodeId: "part__who" })).toBe(
      "Not met: Reaches “Booking › Who is coming?”. The call took this path: Ask for the day → bye.",
    );
    expect(failed("Expected the call to reach the node a, but it went nowhere. That was after step 1.", ENDED)).toMatch(
      /\. The call went nowhere\.$/,
    );
  });

  it.each([
    ['Expected day to be collected as "x", but it is "y". That was after step 1.', 'What was collected: "y".'],
    ["Expected day to be collected as some value, but it is null. That was after step 1.", "Nothing was collected."],
    [
      "Expected day to be collected as some value, but nothing in the flow saves it. That was after step 1.",
      "Nothing in the flow saves this value.",
    ],
    [
      "Expected the call to end as busy, but it ended as agent_hangup. That was after step 2.",
      "The call ended with: the agent said goodbye.",
    ],
    [
      "Expected the call to be handed on to +15550100001, but it was handed on to +15550100002. That was after step 2.",
      "The call was transferred to +15550100002.",
    ],
    ["Expected the call to end as busy, but it went on. That was after step 2.", "The call continued."],
  ])("says what happened instead: %s", (message, happened) => {
    expect(failed(message, { type: "collected", name: "day" })).toBe(`Not met: Collects day. ${happened}`);
  });

  it("says only what was expected where nothing else happened", () => {
    const message = 'Expected the agent to say "Hello", but it did not. That was after step 1.';
    expect(failed(message, { type: "said", contains: "Hello" })).toBe("Not met: The agent says “Hello”.");
  });

  it("says what else went wrong: steps that the callee could not take, and what failed", () => {
    const message =
      'Expected the agent to say "Hello", but it did not. That was after step 1. The call was over with 2 of 3 steps left. Something failed: the model did not answer.';
    expect(failed(message, { type: "said", contains: "Hello" })).toBe(
      "Not met: The agent says “Hello”. The call was over with 2 of 3 steps left. Something failed: the model did not answer.",
    );
  });

  it("says why a run was not completed", () => {
    const message = "Its call was refused. The account has no such agent.";
    expect(failed(message, null)).toBe(message);
  });
});

const ENDED: ScenarioExpectation = { type: "ended", reason: "busy" };
