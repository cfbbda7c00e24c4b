import type { CalleeStep, ToolReplies } from "@parley/contract/callee-steps";
import type { EndReason } from "@parley/contract/calls";
import type { NewScenario, ScenarioExpectation } from "@parley/contract/scenarios";
import type { CollectedValues } from "@parley/contract/try";
import { editorTryText } from "./text.tsx";

/** The result of a trial of any kind. */
export interface TryOutcome {
  readonly steps: readonly CalleeStep[];
  readonly variables: Readonly<Record<string, string>>;
  readonly collected: CollectedValues;
  readonly path: readonly string[];
  readonly endReason: EndReason | null;
  readonly isSuppressed: boolean;
  /** The replies of tools, so that they need not be called again. */
  readonly toolReplies: ToolReplies;
}

/** The reply of a tool, to be used instead of a call. Of a failure only the fact is known. */
export function replyOf({ ok, output }: { readonly ok: boolean; readonly output: unknown }): ToolReplies[string] {
  return ok ? { status: 200, body: output } : { status: 500 };
}

/** Everything that held in a try and may be expected, most significant first. */
export function expectationsOf(outcome: TryOutcome): ScenarioExpectation[] {
  const last = outcome.path.at(-1);
  const collected = Object.entries(outcome.collected).filter(([, value]) => value !== null);
  return [
    outcome.endReason === null ? { type: "not_ended" } : { type: "ended", reason: outcome.endReason },
    ...(last === undefined ? [] : [{ type: "reached", nodeId: last } as const]),
    ...collected.map(([name, equals]) => ({ type: "collected", name, equals }) as const),
    ...(outcome.isSuppressed ? [{ type: "suppressed" } as const] : []),
  ];
}

export function scenarioOf(name: string, outcome: TryOutcome, expect: readonly ScenarioExpectation[]): NewScenario {
  const variables = Object.fromEntries(Object.entries(outcome.variables).filter(([, value]) => value !== ""));
  return { name, steps: [...outcome.steps], variables, toolReplies: outcome.toolReplies, expect: [...expect] };
}

/** A name taken from what the callee said, which is more descriptive than a number. */
export function nameOf({ steps }: TryOutcome): string {
  const said = steps.flatMap((step) => ("say" in step ? [step.say] : []));
  const first = steps[0];
  if (first && "machine" in first) return editorTryText.nameAnsweredBy(first.machine);
  return said.length > 0 ? editorTryText.nameSays(said) : editorTryText.nameSaysNothing;
}
