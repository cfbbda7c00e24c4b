import type { Flow } from "@parley/contract/flow";
import type { ScenarioResult } from "@parley/contract/scenarios";
import { useSyncExternalStore } from "react";

/** What the last runs said about each scenario of an agent, and about which flow. */
export interface Verdict {
  readonly flow: Flow;
  readonly result: ScenarioResult;
}
type Verdicts = ReadonlyMap<string, Verdict>;

const NONE: Verdicts = new Map();
const held = new Map<string, Verdicts>();
const listeners = new Set<() => void>();

/** Keeps what a run said, beside what earlier ones said about other scenarios. */
export function keepVerdicts(agentId: string, flow: Flow, results: readonly ScenarioResult[]): void {
  const known = new Map(held.get(agentId));
  for (const result of results) known.set(result.scenarioId, { flow, result });
  held.set(agentId, known);
  for (const listener of listeners) listener();
}

export function useVerdicts(agentId: string): Verdicts {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => held.get(agentId) ?? NONE,
  );
}
