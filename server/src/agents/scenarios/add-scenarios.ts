import type { NewScenario } from "@parley/contract/scenarios";
import type { Tx } from "../../platform/database/database.ts";
import { insertScenarios, type ScenarioOwner } from "./scenario-store.ts";

/** Gives a new agent its scenarios, in this order. */
export async function addScenarios(tx: Tx, owner: ScenarioOwner, scenarios: readonly NewScenario[]): Promise<void> {
  await insertScenarios(tx, owner, scenarios);
}
