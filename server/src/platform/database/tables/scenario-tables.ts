import type { NewScenario, Scenario, ScenarioResult } from "@parley/contract/scenarios";
import type { FilledTime, Json, JsonOrNull, TimeOrNull } from "./column-types.ts";

/** Scenarios of agents, what came of their runs, and who tries an agent by voice. */
export interface ScenarioTables {
  scenarios: {
    id: string;
    account_id: string;
    agent_id: string;
    name: string;
    steps: Json<NewScenario["steps"]>;
    variables: Json<NewScenario["variables"]>;
    tool_replies: Json<NewScenario["toolReplies"]>;
    expect: Json<NewScenario["expect"]>;
    made_from_call_id: string | null;
    created_at: FilledTime;
    updated_at: FilledTime;
  };
  scenario_runs: {
    id: string;
    account_id: string;
    agent_id: string;
    medium: "text" | "audio";
    agent_version: number | null;
    placed_by: JsonOrNull<RunPlacer>;
    created_at: FilledTime;
    finished_at: TimeOrNull;
  };
  scenario_results: {
    run_id: string;
    ordinal: number;
    scenario: Json<Scenario>;
    call_id: string | null;
    result: JsonOrNull<ScenarioResult>;
  };
  voice_tries: {
    actor_id: string;
    try_id: string;
    expires_at: Date;
  };
}

/** In whose name the calls of a run are placed. */
export interface RunPlacer {
  readonly keyId: string | null;
  readonly memberId: string | null;
}
