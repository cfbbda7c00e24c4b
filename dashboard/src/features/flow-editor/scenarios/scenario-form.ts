import type { CalleeStep } from "@parley/contract/callee-steps";
import type { Flow } from "@parley/contract/flow";
import type { NewScenario, Scenario, ScenarioExpectation } from "@parley/contract/scenarios";
import { scenariosText } from "./text.tsx";

export const STEP_KINDS = [
  { kind: "say", label: scenariosText.stepSays },
  { kind: "interrupt", label: scenariosText.stepInterrupts },
  { kind: "press", label: scenariosText.stepPressesKeys },
  { kind: "silent", label: scenariosText.stepSaysNothing },
  { kind: "machine", label: scenariosText.stepMachineAnswers },
  { kind: "hangUp", label: scenariosText.stepHangsUp },
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
  { type: "ended", label: scenariosText.expectEnded },
  { type: "not_ended", label: scenariosText.expectNotEnded },
  { type: "reached", label: scenariosText.expectReached },
  { type: "not_reached", label: scenariosText.expectNotReached },
  { type: "collected", label: scenariosText.expectCollected },
  { type: "not_collected", label: scenariosText.expectNotCollected },
  { type: "said", label: scenariosText.expectSaid },
  { type: "not_said", label: scenariosText.expectNotSaid },
  { type: "suppressed", label: scenariosText.expectSuppressed },
  { type: "not_suppressed", label: scenariosText.expectNotSuppressed },
  { type: "transferred", label: scenariosText.expectTransferred },
  { type: "not_transferred", label: scenariosText.expectNotTransferred },
  { type: "tool_called", label: scenariosText.expectToolCalled },
  { type: "tool_not_called", label: scenariosText.expectToolNotCalled },
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
  if (scenario.name.trim() === "") return scenariosText.nameMissing;
  if (scenario.steps.some((step) => "say" in step && step.say.trim() === "")) return scenariosText.wordsMissing;
  if (scenario.steps.some((step) => "press" in step && !/^[0-9*#]{1,32}$/.test(step.press)))
    return scenariosText.keysWrong;
  if (scenario.expect.length === 0) return scenariosText.expectationMissing;
  if (scenario.expect.some((one) => "contains" in one && one.contains.trim() === "")) return scenariosText.saidMissing;
  return null;
}
