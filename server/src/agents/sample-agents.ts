import type { AgentTemplate } from "@parley/contract/agent-templates";
import type { NewScenario } from "@parley/contract/scenarios";
import { needsModel } from "@parley/flow/warnings";
import type { Tx } from "../platform/database/database.ts";
import { insertPublishedAgents } from "./agent-store.ts";
import { APPOINTMENT_CONFIRMATION } from "./samples/appointment-confirmation.ts";
import { DELIVERY_NOTICE } from "./samples/delivery-notice.ts";
import { PAYMENT_REMINDER } from "./samples/payment-reminder.ts";
import { RECEPTIONIST } from "./samples/receptionist.ts";
import type { SampleAgent } from "./samples/sample-agent.ts";
import { SATISFACTION_SURVEY } from "./samples/satisfaction-survey.ts";
import { VISIT_FOLLOW_UP } from "./samples/visit-follow-up.ts";

/** In the order in which a new account sees them: the one that needs a language model comes last. */
export const SAMPLE_AGENTS: readonly SampleAgent[] = [
  APPOINTMENT_CONFIRMATION,
  DELIVERY_NOTICE,
  SATISFACTION_SURVEY,
  PAYMENT_REMINDER,
  VISIT_FOLLOW_UP,
  RECEPTIONIST,
];

/** Adds scenarios to an agent. */
export type AddScenarios = (
  tx: Tx,
  owner: { readonly accountId: string; readonly agentId: string },
  scenarios: readonly NewScenario[],
) => Promise<unknown>;

/** Adds agents that are ready for calls to a new account. Returns their ids in the order of a list. */
export async function addSampleAgents(
  tx: Tx,
  accountId: string,
  addScenarios: AddScenarios,
): Promise<readonly string[]> {
  const ids = await insertPublishedAgents(tx, accountId, SAMPLE_AGENTS);
  for (const [index, { scenarios }] of SAMPLE_AGENTS.entries()) {
    await addScenarios(tx, { accountId, agentId: ids[index] ?? "" }, scenarios);
  }
  return ids;
}

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
