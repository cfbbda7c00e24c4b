import type { ScenarioRun } from "@parley/contract/scenarios";
import type { ResultRow, RunRow } from "./run-store.ts";
import { toRunningResult } from "./to-result.ts";

export function toRun(run: RunRow, rows: readonly ResultRow[]): ScenarioRun {
  const results = rows.map(({ result, scenario, call_id }) => result ?? toRunningResult(scenario, call_id));
  const count = (status: string) => results.filter((result) => result.status === status).length;
  return {
    id: run.id,
    agentId: run.agent_id,
    on: run.medium,
    status: run.finished_at === null ? "running" : "done",
    passed: count("passed"),
    failed: count("failed"),
    results,
    createdAt: run.created_at.toISOString(),
  };
}
