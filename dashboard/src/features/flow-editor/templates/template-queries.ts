import type { AgentTemplate } from "@parley/contract/agent-templates";
import type { Agent } from "@parley/contract/agents";
import { createAgent } from "@parley/contract/routes/agents";
import { createScenario, listAgentTemplates } from "@parley/contract/routes/scenarios";
import { queryOptions } from "@tanstack/react-query";
import { send } from "../../../api/send.ts";

export const templatesQuery = queryOptions({
  queryKey: ["agent-templates"],
  queryFn: ({ signal }) => send(listAgentTemplates, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Makes an agent from a template, with its scenarios. */
export async function createFromTemplate({
  name,
  description,
  language,
  flow,
  scenarios,
}: AgentTemplate): Promise<Agent> {
  const agent = await send(createAgent, { body: { name, description, language, flow } });
  await addScenarios(agent.id, scenarios);
  return agent;
}

/** One after the other: a list shows them in the order in which they were made. */
export async function addScenarios(agentId: string, scenarios: AgentTemplate["scenarios"]): Promise<void> {
  for (const scenario of scenarios) await send(createScenario, { params: { id: agentId }, body: scenario });
}
