import { NewScenario, type Scenario } from "@parley/contract/scenarios";
import { compileFlow } from "@parley/flow/compile";
import { type ServerPlan as Moves, startModelServer } from "@parley/providers/testing/model-server";
import { openVendorModel } from "@parley/providers/testing/vendor-models";
import { describe, expect, it } from "vitest";
import { runTexts } from "../../scenarios/begin-run.ts";
import type { TextBrains } from "../../trials/text/text-brains.ts";
import { RECEPTIONIST } from "../receptionist.ts";

const says = (text: string): Moves => ({ type: "stream", moves: [{ type: "text", text }, { type: "end" }] });
const leaves = (exit: number, values: object = {}): Moves => ({
  type: "stream",
  moves: [{ type: "call", id: "c1", tool: `EXIT_${exit}`, inputPieces: [JSON.stringify(values)] }, { type: "end" }],
});
const message = (reachable: string) => ({ caller_name: "Ada", message: "Please hold the room.", reachable });

/** What a model says that does its work, by the scenario. */
const GOOD: Readonly<Record<string, readonly Moves[]>> = {
  "Asks for something it knows": [says("Breakfast is from seven to ten."), leaves(3)],
  "Leaves a message": [
    says("What is it about?"),
    says("Ada, we hold the room, and reach you after five. Is that right?"),
    leaves(1, message("after five")),
  ],
  "Needs nothing": [leaves(3)],
  "Corrects the message": [
    says("What is it about?"),
    says("We reach you after five. Is that right?"),
    says("After six, then. Is that right?"),
    leaves(1, message("after six")),
  ],
  "Is silent first": [leaves(3)],
  "Wants a person": [leaves(2)],
  "Asks for two things": [says("Breakfast is from seven to ten."), says("Parking is ten dollars."), leaves(3)],
  "Asks for something unknown": [says("I don't know about that. Shall I take a message?"), leaves(3)],
  "Wants a message passed on": [
    says("I'm sorry to hear that. What's your name, and when can we reach you?"),
    says("Grace, the heating is broken, any time. Is that right?"),
    leaves(1, message("any time")),
  ],
  "Changes the subject": [says("I can only help with the hotel."), says("Breakfast is from seven to ten."), leaves(3)],
  "Tells the model what to do": [says("I can only help with questions about the hotel."), leaves(3)],
  "Is not sure": [says("Take your time. Is it about your stay?"), leaves(3)],
  "Takes the message back": [
    says("What is it about?"),
    says("Hold the room. When can we reach you?"),
    says("All right, no message. Anything else?"),
    leaves(3),
  ],
  "Asks in the middle of a message": [
    says("Sure, what is it about?"),
    says("From seven to ten. And your message?"),
    leaves(3),
  ],
  "Is rude": [says("I'm sorry about that. What can I do for you?"), leaves(3)],
  "Speaks at length": [says("Breakfast is from seven to ten."), leaves(3)],
  "Leaves only a name": [
    says("Hi Ada, how can I help?"),
    says("Hold the room, and call at noon. Is that right?"),
    leaves(1, message("at noon")),
  ],
  "Asks for the price of a room": [says("I don't have the prices. Shall I take a message?"), leaves(3)],
  "Says hello first": [says("Hi, how can I help you?"), says("From seven to ten."), leaves(3)],
  "Is silent in the middle": [says("From seven to ten. Anything else?"), leaves(3)],
  Interrupts: [says("Breakfast is from seven to ten."), leaves(3)],
};

const SCENARIOS = RECEPTIONIST.scenarios.map(
  (scenario, index): Scenario => ({
    ...NewScenario.parse(scenario),
    ...{ id: `scn_${index}`, agentId: "agt_1", madeFromCallId: null },
    ...{ createdAt: "2026-03-02T12:00:00.000Z", updatedAt: "2026-03-02T12:00:00.000Z" },
  }),
);

async function run(scenario: Scenario, replies: readonly Moves[]) {
  const compiled = compileFlow(RECEPTIONIST.flow);
  if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
  // Its own model: one abandoned before its last reply would give that reply to the next scenario.
  const server = await startModelServer();
  try {
    server.plan(...replies);
    const model = openVendorModel("openai", server.url);
    const brains: TextBrains = { modelNames: [model.name], models: async () => [model], ranker: () => null };
    const [result] = await runTexts(brains, compiled.plan, "en-US", [scenario], () => Date.UTC(2026, 2, 2, 12));
    return result;
  } finally {
    await server.close();
  }
}

describe("the receptionist, on a model that speaks over the network", () => {
  it.each(SCENARIOS)("$name", async (scenario) => {
    const result = await run(scenario, GOOD[scenario.name] ?? []);
    expect(result?.failure?.message ?? "passed").toBe("passed");
  });

  it("fails with the quoted text where a model makes things up", async () => {
    const [first] = SCENARIOS;
    if (first === undefined) throw new Error("there is no scenario");
    const result = await run(first, [says("Breakfast is at noon."), leaves(3)]);
    expect(result?.failure).toMatchObject({ expectation: { type: "said", contains: "seven" }, nodeId: "helped_bye" });
    expect(result?.lines.map(({ text }) => text)).toContain("Breakfast is at noon.");
  });

  it("fails, and says why, where no model answers", async () => {
    const [first] = SCENARIOS;
    if (first === undefined) throw new Error("there is no scenario");
    const failing: Moves = { type: "failure", status: 500, message: "out of order" };
    const result = await run(first, [failing, failing, failing]);
    expect(result?.failure?.message).toMatch(/Something failed: .*out of order/);
  });
});
