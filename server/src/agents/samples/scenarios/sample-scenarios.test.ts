import type { FlowNode } from "@parley/contract/flow";
import type { Scenario } from "@parley/contract/scenarios";
import { NewScenario } from "@parley/contract/scenarios";
import { compileFlow } from "@parley/flow/compile";
import { describe, expect, it } from "vitest";
import { SAMPLE_AGENTS } from "../../sample-agents.ts";
import { runTexts } from "../../scenarios/begin-run.ts";
import { SHIPPED_SAMPLES } from "../../shipped-samples.ts";
import type { TextBrains } from "../../trials/text/text-brains.ts";
import { APPOINTMENT_CONFIRMATION } from "../appointment-confirmation.ts";
import type { SampleAgent } from "../sample-agent.ts";
import { VISIT_FOLLOW_UP } from "../visit-follow-up.ts";

const BRAINS: TextBrains = { modelNames: [], models: async () => [], ranker: () => null };
/** A Monday at noon. */
const NOON_MS = Date.UTC(2026, 2, 2, 12);

const DAY_MS = 86_400_000;

const asSaved = (scenario: SampleAgent["scenarios"][number], index: number): Scenario => ({
  ...NewScenario.parse(scenario),
  ...{ id: `scn_${index}`, agentId: "agt_1", madeFromCallId: null },
  ...{ createdAt: "2026-03-02T12:00:00.000Z", updatedAt: "2026-03-02T12:00:00.000Z" },
});

async function runAll(sample: SampleAgent, nodes: readonly FlowNode[] = sample.flow.nodes, atMs = NOON_MS) {
  const compiled = compileFlow({ ...sample.flow, nodes: [...nodes] });
  if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
  return runTexts(BRAINS, compiled.plan, sample.language, sample.scenarios.map(asSaved), () => atMs);
}

describe("the scenarios of the sample agents", () => {
  it.each(SAMPLE_AGENTS)("$name has at least twenty-five, each with its own name", ({ scenarios }) => {
    expect(scenarios.length).toBeGreaterThanOrEqual(25);
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
    const kinds = scenarios.flatMap(({ steps }) => steps.flatMap((step) => Object.keys(step)));
    expect(kinds).toEqual(expect.arrayContaining(["say", "silent", "machine", "interruptAfterMs"]));
  });

  // What a day is called depends on today.
  describe.each(process.env["PARLEY_TESTS_THOROUGH"] === "1" ? [0, 1, 2, 3, 4, 5, 6] : [0, 5])(
    "on day %i of the week",
    (day) => {
      it.each([...SHIPPED_SAMPLES, VISIT_FOLLOW_UP])("$name passes all of them by text", async (sample) => {
        const results = await runAll(sample, sample.flow.nodes, NOON_MS + day * DAY_MS);
        const failed = results.filter(({ status }) => status !== "passed");
        expect(failed.map(({ name, failure }) => `${name}: ${failure?.message}`)).toEqual([]);
        expect(results).toHaveLength(sample.scenarios.length);
      });
    },
  );
});

/** Sends callees whose name is known the wrong way. */
const gateTo = (right: string, wrong: string): FlowNode => ({
  id: "gate",
  type: "branch",
  exits: [{ when: "isEmpty(variables.first_name)", next: right }],
  otherwise: wrong,
});

describe("a deliberately broken agent", () => {
  const broken = (change: (node: FlowNode) => FlowNode, ...more: readonly FlowNode[]) =>
    runAll(APPOINTMENT_CONFIRMATION, [...APPOINTMENT_CONFIRMATION.flow.nodes.map(change), ...more]);

  it("that takes a cancellation for a yes is caught, with the node and what it said there", async () => {
    const results = await broken(
      (node) =>
        node.id === "really_cancel" && node.type === "ask"
          ? { ...node, exits: node.exits.map((exit) => (exit.when === "yes" ? { ...exit, next: "gate" } : exit)) }
          : node,
      gateTo("canceled", "confirmed"),
    );
    const failures = results.filter(({ status }) => status === "failed");
    expect(failures.map(({ name }) => name)).toEqual(["Cancels", "Had it done elsewhere"]);
    const [failed] = failures;
    expect(failed).toMatchObject({
      name: "Cancels",
      failure: {
        expectation: { type: "collected", name: "outcome", equals: "canceled" },
        ...{
          step: 2,
          nodeId: "confirmed_bye",
          said: "Wonderful, your appointment is confirmed. We'll see you then. Goodbye.",
        },
      },
    });
    expect(failed?.failure?.message).toBe(
      `Expected outcome to be collected as "canceled", but it is "confirmed". That was after step 2 (Yes, please cancel it.) at the node confirmed_bye, and the agent said: "Wonderful, your appointment is confirmed. We'll see you then. Goodbye.".`,
    );
  });

  it("that hangs up too early is caught, with the steps that were left", async () => {
    const results = await broken(
      (node) =>
        node.id === "decision" && node.type === "ask"
          ? { ...node, exits: node.exits.map((exit) => (exit.next === "new_date" ? { ...exit, next: "gate" } : exit)) }
          : node,
      gateTo("new_date", "not_understood"),
    );
    const failed = results.find(({ name }) => name === "Moves it to another day");
    expect(failed?.failure).toMatchObject({ step: 1, nodeId: "not_understood_bye" });
    expect(failed?.failure?.message).toContain("The call was over with 3 of 4 steps left.");
  });
});
