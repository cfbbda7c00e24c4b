import { z } from "zod";
import { AgentTemplate } from "../agent-templates.ts";
import { idSchema } from "../ids.ts";
import { DOCUMENT_BODY_LIMIT_BYTES, Done, defineRoute } from "../route.ts";
import {
  ImportedScenarios,
  NewScenario,
  RunScenarios,
  Scenario,
  ScenarioChanges,
  ScenarioFromCall,
  ScenarioImport,
  ScenarioQuery,
  ScenarioRun,
} from "../scenarios.ts";

const AgentParams = z.strictObject({ id: idSchema("agent") });
const ScenarioParams = z.strictObject({ id: idSchema("scenario") });
const write = { by: "key_or_member", scope: "agents:write" } as const;
const tag = "Trying agents";

export const listScenarios = defineRoute({
  id: "listScenarios",
  method: "GET",
  path: "/api/v1/agents/{id}/scenarios",
  tag,
  summary: "List the scenarios of an agent, in the order of their creation",
  access: { by: "key_or_member", scope: "agents:read" },
  params: AgentParams,
  query: ScenarioQuery,
  data: Scenario,
  paged: true,
  errors: ["agent_not_found"],
});

export const createScenario = defineRoute({
  id: "createScenario",
  method: "POST",
  path: "/api/v1/agents/{id}/scenarios",
  tag,
  summary: "Add a scenario: what the callee does, and what is expected",
  access: write,
  params: AgentParams,
  body: NewScenario,
  bodyLimitBytes: DOCUMENT_BODY_LIMIT_BYTES,
  data: Scenario,
  idempotent: true,
  errors: ["agent_not_found", "invalid_state"],
});

export const importScenarios = defineRoute({
  id: "importScenarios",
  method: "POST",
  path: "/api/v1/agents/{id}/scenarios/import",
  tag,
  summary: "Add several scenarios: all of them, or none",
  access: write,
  params: AgentParams,
  body: ScenarioImport,
  bodyLimitBytes: DOCUMENT_BODY_LIMIT_BYTES,
  data: ImportedScenarios,
  idempotent: true,
  errors: ["agent_not_found", "invalid_state"],
});

export const changeScenario = defineRoute({
  id: "changeScenario",
  method: "PATCH",
  path: "/api/v1/scenarios/{id}",
  tag,
  summary: "Change a scenario",
  access: write,
  params: ScenarioParams,
  body: ScenarioChanges,
  bodyLimitBytes: DOCUMENT_BODY_LIMIT_BYTES,
  data: Scenario,
  errors: ["not_found"],
});

export const deleteScenario = defineRoute({
  id: "deleteScenario",
  method: "DELETE",
  path: "/api/v1/scenarios/{id}",
  tag,
  summary: "Delete a scenario",
  access: write,
  params: ScenarioParams,
  data: Done,
  errors: ["not_found"],
});

export const runScenarios = defineRoute({
  id: "runScenarios",
  method: "POST",
  path: "/api/v1/agents/{id}/scenarios/run",
  tag,
  summary: "Run scenarios against the draft, a version or a document; reports where each one fails first",
  access: write,
  params: AgentParams,
  body: RunScenarios,
  bodyLimitBytes: DOCUMENT_BODY_LIMIT_BYTES,
  data: ScenarioRun,
  errors: ["agent_not_found", "not_found", "invalid_state", "engine_unavailable"],
});

export const getScenarioRun = defineRoute({
  id: "getScenarioRun",
  method: "GET",
  path: "/api/v1/scenario-runs/{id}",
  tag,
  summary: "Get a scenario run; a run on audio fills up as its calls end",
  access: { by: "key_or_member", scope: "agents:read" },
  params: z.strictObject({ id: idSchema("scenarioRun") }),
  data: ScenarioRun,
  errors: ["not_found"],
});

export const createScenarioFromCall = defineRoute({
  id: "createScenarioFromCall",
  method: "POST",
  path: "/api/v1/calls/{id}/scenario",
  tag,
  summary:
    "Create a scenario from an ended call: the callee repeats what it did, and the same outcome is expected. Also needs the scope `transcripts:read`",
  access: write,
  params: z.strictObject({ id: idSchema("call") }),
  body: ScenarioFromCall,
  bodyOptional: true,
  data: Scenario,
  errors: ["call_not_found", "invalid_state"],
});

export const listAgentTemplates = defineRoute({
  id: "listAgentTemplates",
  method: "GET",
  path: "/api/v1/agent-templates",
  tag,
  summary: "List templates for agents, with their flows and scenarios",
  access: { by: "key_or_member", scope: "agents:read" },
  data: z.array(AgentTemplate),
});
