import { addSampleAgents } from "../agents/sample-agents.ts";
import type { Tx } from "../database/database.ts";
import { addScenarios } from "../scenarios/add-scenarios.ts";

/** Gives a new account the sample agents, each with its scenarios. Returns the ids of the agents. */
export function addSamples(tx: Tx, accountId: string): Promise<readonly string[]> {
  return addSampleAgents(tx, accountId, addScenarios);
}
