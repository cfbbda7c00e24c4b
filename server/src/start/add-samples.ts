import { addSampleAgents } from "../agents/sample-agents.ts";
import { addScenarios } from "../agents/scenarios/add-scenarios.ts";
import type { Tx } from "../platform/database/database.ts";

/** Gives a new account the sample agents, each with its scenarios. Returns the ids of the agents. */
export function addSamples(tx: Tx, accountId: string): Promise<readonly string[]> {
  return addSampleAgents(tx, accountId, addScenarios);
}
