import { AppError } from "@parley/contract/errors";
import { type RunScenarios, SCENARIOS_PER_AGENT_MAX, type Scenario } from "@parley/contract/scenarios";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import type { RunPlacer } from "../../platform/database/schema/schema.ts";
import { compileOrRefuse } from "../compile-or-refuse.ts";
import type { FoundFlow } from "../find-tried-flow.ts";
import { pinDraft } from "../pin-draft.ts";
import type { TextBrains } from "../trials/text/text-brains.ts";
import { insertRun, type RunRow } from "./run-store.ts";
import { runTexts } from "./run-texts.ts";
import { toScenario } from "./scenario-record.ts";
import { listScenarioRows } from "./scenario-store.ts";

export interface BeginRunDeps {
  readonly db: Database;
  readonly brains: TextBrains;
  /** Throws when the engine cannot conduct calls to the agent here. */
  refuseUnavailable(found: FoundFlow): void;
  readonly nowMs: () => number;
}

export interface RunOwner extends RunPlacer {
  readonly accountId: string;
}

/** Begins a run. One on text is over when this returns; one on audio has its calls placed by `advanceRun`. */
export async function beginRun(
  deps: BeginRunDeps,
  { accountId, ...placedBy }: RunOwner,
  found: FoundFlow,
  wish: RunScenarios,
): Promise<RunRow> {
  const { plan } = compileOrRefuse(found.flow, deps.brains.modelNames, "The scenarios cannot be run.");
  const scenarios = await chooseScenarios(deps.db, found.agentId, wish.ids);
  const base = { accountId, agentId: found.agentId, placedBy };
  if (wish.on === "text") {
    const results = await runTexts(deps.brains, plan, found.language, scenarios, deps.nowMs);
    const pairs = scenarios.map((scenario, index) => ({ scenario, result: results[index] ?? null }));
    const run = { ...base, medium: "text", agentVersion: found.version, results: pairs } as const;
    return inTransaction(deps.db, (tx) => insertRun(tx, run));
  }
  deps.refuseUnavailable(found);
  return inTransaction(deps.db, async (tx) => {
    const agentVersion = found.version ?? (await pinDraft(tx, accountId, found.agentId, found.flow)).version;
    const results = scenarios.map((scenario) => ({ scenario, result: null }));
    return insertRun(tx, { ...base, medium: "audio", agentVersion, results });
  });
}

async function chooseScenarios(db: Database, agentId: string, ids: readonly string[] | undefined): Promise<Scenario[]> {
  const all = (await listScenarioRows(db, agentId, null, SCENARIOS_PER_AGENT_MAX)).map(toScenario);
  const missing = ids?.find((id) => !all.some((scenario) => scenario.id === id));
  if (missing !== undefined) throw new AppError("not_found", `The agent has no scenario ${missing}.`, { param: "ids" });
  const chosen = ids === undefined ? all : all.filter(({ id }) => ids.includes(id));
  if (chosen.length === 0) throw new AppError("invalid_state", "The agent has no scenarios yet.");
  return chosen;
}
