import type { AgentTemplate } from "@parley/contract/agent-templates";
import { needsModel } from "@parley/flow/warnings";
import { SAMPLE_AGENTS } from "./sample-agents.ts";

/** The sample agents as something to begin a new agent with. */
export const AGENT_TEMPLATES: readonly AgentTemplate[] = SAMPLE_AGENTS.map(
  ({ id, name, description, language, flow, scenarios }) => ({
    id,
    name,
    description,
    language,
    flow,
    needsModel: flow.nodes.some(needsModel),
    scenarios: [...scenarios],
  }),
);
