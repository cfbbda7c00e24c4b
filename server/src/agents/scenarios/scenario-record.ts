import type { Scenario } from "@parley/contract/scenarios";
import type { ScenarioRow } from "./scenario-store.ts";

export function toScenario(row: ScenarioRow): Scenario {
  return {
    id: row.id,
    agentId: row.agent_id,
    name: row.name,
    steps: row.steps,
    variables: row.variables,
    toolReplies: row.tool_replies,
    expect: row.expect,
    madeFromCallId: row.made_from_call_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
