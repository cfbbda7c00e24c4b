import type { Scenario, ScenarioFailure, ScenarioResult } from "@parley/contract/scenarios";
import { judgeScenario } from "./judge-scenario.ts";
import { NOTHING_HAPPENED, type ScenarioOutcome } from "./scenario-outcome.ts";

type ResultOf = Pick<Scenario, "id" | "name" | "expect">;

/** The verdict on what came of a scenario. */
export function toResult(
  scenario: ResultOf,
  outcome: ScenarioOutcome,
  language: string,
  callId: string | null = null,
): ScenarioResult {
  const failure = judgeScenario(scenario.expect, outcome, language);
  return write(scenario, outcome, failure === null ? "passed" : "failed", failure, callId);
}

/** A scenario that could not be run to its end, for a reason in words. */
export function toBrokenResult(scenario: ResultOf, reason: string, callId: string | null = null): ScenarioResult {
  const failure = { expectation: null, message: reason, step: null, nodeId: null, said: null };
  return write(scenario, NOTHING_HAPPENED, "failed", failure, callId);
}

export function toRunningResult(scenario: ResultOf, callId: string | null): ScenarioResult {
  return write(scenario, NOTHING_HAPPENED, "running", null, callId);
}

function write(
  { id: scenarioId, name }: ResultOf,
  { lines, visits, collected, endReason }: ScenarioOutcome,
  status: ScenarioResult["status"],
  failure: ScenarioFailure | null,
  callId: string | null,
): ScenarioResult {
  const path = visits.map(({ nodeId }) => nodeId);
  return { scenarioId, name, status, failure, callId, lines: [...lines], path, collected, endReason };
}
