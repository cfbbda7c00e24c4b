import type { CalleeStep } from "@parley/contract/callee-steps";
import type { Flow } from "@parley/contract/flow";
import type { NewScenario, Scenario, ScenarioExpectation } from "@parley/contract/scenarios";

export const STEP_KINDS = [
  { kind: "say", label: "Says" },
  { kind: "interrupt", label: "Interrupts" },
  { kind: "press", label: "Presses keys" },
  { kind: "silent", label: "Says nothing" },
  { kind: "machine", label: "A machine answers" },
  { kind: "hangUp", label: "Hangs up" },
] as const;
export type StepKind = (typeof STEP_KINDS)[number]["kind"];

export function kindOfStep(step: CalleeStep): StepKind {
  if ("interruptAfterMs" in step) return "interrupt";
  if ("say" in step) return "say";
  if ("press" in step) return "press";
  if ("silent" in step) return "silent";
  return "machine" in step ? "machine" : "hangUp";
}

/** Converts a step to another kind, keeping the text where both kinds have one. */
export function stepOfKind(kind: StepKind, before?: CalleeStep): CalleeStep {
  const say = before && "say" in before ? before.say : "";
  switch (kind) {
    case "say":
      return { say };
    case "interrupt":
      return { interruptAfterMs: 1000, say };
    case "press":
      return { press: "1" };
    case "silent":
      return { silent: true };
    case "machine":
      return { machine: "voicemail" };
    case "hangUp":
      return { hangUp: true };
  }
}

/** The kinds available at a position: a machine only answers first, and hanging up is always last. */
export function kindsAt(index: number, count: number): readonly StepKind[] {
  return STEP_KINDS.map(({ kind }) => kind).filter(
    (kind) => (kind !== "machine" || index === 0) && (kind !== "hangUp" || index === count - 1),
  );
}

export const EXPECTATION_KINDS: readonly { readonly type: ScenarioExpectation["type"]; readonly label: string }[] = [
  { type: "ended", label: "The call ends so" },
  { type: "not_ended", label: "The call goes on" },
  { type: "reached", label: "Comes to the node" },
  { type: "not_reached", label: "Never comes to the node" },
  { type: "collected", label: "Collects" },
  { type: "not_collected", label: "Does not collect" },
  { type: "said", label: "The agent says" },
  { type: "not_said", label: "The agent never says" },
  { type: "suppressed", label: "Is put on the suppression list" },
  { type: "not_suppressed", label: "Stays off the suppression list" },
  { type: "transferred", label: "Is transferred to a person" },
  { type: "not_transferred", label: "Is not passed on" },
  { type: "tool_called", label: "Asks the tool" },
  { type: "tool_not_called", label: "Never asks the tool" },
];

/** Converts to another type of expectation, with a default that exists in this flow. */
export function expectationOfType(type: ScenarioExpectation["type"], flow: Flow): ScenarioExpectation {
  const lastNode = flow.nodes.find((node) => node.type === "end")?.id ?? flow.nodes[0]?.id ?? "end";
  const saved = flow.nodes.flatMap((node) => (node.type === "ask" && node.saveAs ? [node.saveAs] : []))[0] ?? "answer";
  const tool = flow.nodes.find((node) => node.type === "tool")?.id ?? flow.tools?.[0]?.name ?? "tool";
  switch (type) {
    case "ended":
      return { type, reason: "agent_hangup" };
    case "reached":
    case "not_reached":
      return { type, nodeId: lastNode };
    case "collected":
    case "not_collected":
      return { type, name: saved };
    case "said":
    case "not_said":
      return { type, contains: "" };
    case "tool_called":
    case "tool_not_called":
      return { type, name: tool };
    default:
      return { type };
  }
}

/** Parses a collected value as a boolean, number or text, by its form. */
export function readValue(text: string): string | number | boolean | undefined {
  const plain = text.trim();
  if (plain === "") return undefined;
  if (plain === "true" || plain === "false") return plain === "true";
  return /^-?\d+(\.\d+)?$/.test(plain) && String(Number(plain)) === plain ? Number(plain) : text;
}

export function startScenario(scenario: Scenario | null, variables: Readonly<Record<string, string>>): NewScenario {
  if (!scenario) {
    const filled = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
    return {
      name: "",
      steps: [{ say: "" }],
      variables: filled,
      toolReplies: {},
      expect: [{ type: "ended", reason: "agent_hangup" }],
    };
  }
  const { name, steps, variables: own, toolReplies, expect } = scenario;
  return { name, steps, variables: own, toolReplies, expect };
}

/** What is still missing, as a sentence; null when it can be saved. */
export function whatIsMissing(scenario: NewScenario): string | null {
  if (scenario.name.trim() === "") return "Give it a name.";
  if (scenario.steps.some((step) => "say" in step && step.say.trim() === "")) return "Write what the callee says.";
  if (scenario.steps.some((step) => "press" in step && !/^[0-9*#]{1,32}$/.test(step.press)))
    return "Keys are digits, * and #.";
  if (scenario.expect.length === 0) return "Say what must come of it.";
  if (scenario.expect.some((one) => "contains" in one && one.contains.trim() === "")) return "Write the agent's words.";
  return null;
}
