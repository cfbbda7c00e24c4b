import type { FlowNode } from "@parley/contract/flow";
import type { ScenarioActual, ScenarioExpectation, ScenarioFailure } from "@parley/contract/scenarios";
import { describe, expect, it } from "vitest";
import { versionsText } from "../versions/text.tsx";
import { expectationWords, failureWords } from "./scenario-text.ts";
import { scenariosText } from "./text.tsx";

const FLOW = {
  nodes: [
    { id: "ask_2", type: "say", label: "Ask for the day", text: "Hello." },
    { id: "part__who", type: "say", label: "Booking › Who is coming?", text: "Hello." },
  ] as FlowNode[],
};
const failed = (expectation: ScenarioExpectation | null, more: Partial<ScenarioFailure> = {}) =>
  failureWords({ message: "Expected more.", expectation, step: 1, nodeId: "ask_2", said: null, ...more }, FLOW);

describe("an expectation", () => {
  it("names a node by its title, also where it was cut out into a sub-flow, and else by its id", () => {
    const words = ["ask_2", "who", "gone"].map((nodeId) => expectationWords({ type: "reached", nodeId }, FLOW));
    expect(words).toEqual(["Reaches “Ask for the day”", "Reaches “Booking › Who is coming?”", "Reaches “gone”"]);
    expect(expectationWords({ type: "not_reached", nodeId: "ask_2" }, FLOW)).toBe("Never reaches “Ask for the day”");
  });
});

describe("a failed scenario", () => {
  it("says by their titles which node was not reached, and which were", () => {
    const expectation = { type: "reached", nodeId: "part__who" } as const;
    expect(failed(expectation, { actual: { type: "path", nodeIds: ["ask_2", "bye"] } })).toBe(
      "Not met: Reaches “Booking › Who is coming?”. The call took this path: Ask for the day → bye.",
    );
    expect(failed(expectation, { actual: { type: "path", nodeIds: [] } })).toMatch(/\. The call went nowhere\.$/);
  });

  it.each<[ScenarioActual, string]>([
    [{ type: "collected", value: "y" }, ' What was collected: "y".'],
    [{ type: "collected", value: null }, " Nothing was collected."],
    [{ type: "never_saved" }, " Nothing in the flow saves this value."],
    [{ type: "ended", reason: "agent_hangup" }, " The call ended with: the agent said goodbye."],
    [{ type: "went_on" }, " The call continued."],
    [{ type: "transferred", to: "+15550100002" }, " The call was transferred to +15550100002."],
    [{ type: "transferred", to: null }, ""],
    [{ type: "happened" }, ""],
    [{ type: "did_not_happen" }, ""],
  ])("says what happened instead: %j", (actual, happened) => {
    expect(failed({ type: "collected", name: "day" }, { actual })).toBe(`Not met: Collects day.${happened}`);
  });

  it("says what else went wrong: steps that the callee could not take, and what failed", () => {
    const more = { stepsLeft: 2, stepsTotal: 3, faults: ["the model did not answer"] };
    expect(failed({ type: "said", contains: "Hello" }, { actual: { type: "did_not_happen" }, ...more })).toBe(
      "Not met: The agent says “Hello”. The call was over with 2 of 3 steps left. Something failed: the model did not answer.",
    );
  });

  it("says only what was expected where the result is of a release that did not tell what happened", () => {
    expect(failed({ type: "said", contains: "Hello" })).toBe("Not met: The agent says “Hello”.");
  });

  it("says why a run was not completed", () => {
    const message = "Its call was refused. The account has no such agent.";
    expect(failed(null, { message })).toBe(message);
  });
});

describe("the number of scenarios", () => {
  it("is in the singular for one", () => {
    expect(scenariosText.noneRunYet(1)).toBe("1 scenario, not run yet.");
    expect(scenariosText.noneRunYet(2)).toBe("2 scenarios, not run yet.");
    expect(versionsText.scenariosPass(1)).toBe("The scenario passes with this flow.");
    expect(versionsText.scenariosPass(2)).toBe("All 2 scenarios pass with this flow.");
  });
});
