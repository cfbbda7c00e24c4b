import type { AgentTemplate } from "@parley/contract/agent-templates";
import type { Agent } from "@parley/contract/agents";
import { createAgent } from "@parley/contract/routes/agents";
import { importScenarios, listAgentTemplates } from "@parley/contract/routes/scenarios";
import { queryOptions } from "@tanstack/react-query";
import { send } from "../../../api/send.ts";

export const templatesQuery = queryOptions({
  queryKey: ["agent-templates"],
  queryFn: ({ signal }) => send(listAgentTemplates, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Makes an agent from a template, with its scenarios. */
export function createFromTemplate(template: AgentTemplate, idempotencyKey: string): Promise<Agent> {
  const { name, description, language, flow, scenarios } = template;
  return send(createAgent, { body: { name, description, language, flow, scenarios }, idempotencyKey });
}

/** Gives an agent that is there the scenarios of a template. */
export async function addScenarios(agentId: string, template: AgentTemplate, idempotencyKey: string): Promise<void> {
  const { scenarios } = template;
  await send(importScenarios, { params: { id: agentId }, body: { scenarios }, idempotencyKey });
}
