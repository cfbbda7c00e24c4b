import { AppError } from "@parley/contract/errors";
import { findRate } from "../accounts/credits/find-rate.ts";
import { pinDraft } from "../agents/drafts.ts";
import { findPublishedAgent } from "../agents/find-published-agent.ts";
import { readAgentVersion } from "../agents/read-agent-version.ts";
import { type CreateCallDeps, unknownAgentVersion } from "../calls/create-call.ts";
import { createCallRouter, refuseCallerId } from "../phone/carriers/where-calls-go.ts";
import { countAndHoldCredit } from "../phone/gate/count-and-hold-credit.ts";
import { type GateDeps, judgeNumber } from "../phone/gate/judge-number.ts";
import type { OpenTrunkDirectory } from "../phone/trunks/trunk-directory.ts";
import type { Tx } from "../platform/database/database.ts";
import type { EngineRegistry } from "../speech/models/engine-registry.ts";
import type { ServiceContext } from "./service-context.ts";

/** Joins what decides whether a call is accepted: agents, engines, rates, routes and the gate. */
export function joinAcceptance(
  { settings }: Pick<ServiceContext, "settings">,
  directory: Pick<OpenTrunkDirectory, "current">,
  engines: EngineRegistry,
): { readonly gate: GateDeps; readonly calls: CreateCallDeps } {
  const nowMs = () => Date.now();
  const gate: GateDeps = { ...createCallRouter(directory, settings), nowMs };
  const calls: CreateCallDeps = {
    findAgent,
    chooseEngine: (asked, agent) => engines.chooseFor(asked ?? agent.engine ?? engines.defaultName, agent).name,
    async refuseFlow(tx, engine, agentId, version) {
      if (!engines.conductsOnlyConversations(engine)) return;
      const { flow } = await readAgentVersion(tx, agentId, version);
      const problem = engines.flowProblem(engine, flow);
      if (problem !== null) throw new AppError("engine_unavailable", problem, { param: "engine" });
    },
    findRate,
    routeCall: gate.routeCall,
    judgeNumber: (tx, question) => judgeNumber(tx, gate, question),
    countAndHoldCredit: (tx, admission) => countAndHoldCredit(tx, gate, admission),
    nowMs,
    refuseCallerId: (mode, from) => refuseCallerId(mode, from, directory.current()),
  };
  return { gate, calls };
}

async function findAgent(tx: Tx, accountId: string, agentId: string, pinnedVersion: number | "draft" | undefined) {
  if (pinnedVersion === "draft") return pinDraft(tx, accountId, agentId);
  const agent = await findPublishedAgent(tx, accountId, agentId, pinnedVersion);
  if (!agent.exists) return null;
  if (!agent.chosen && pinnedVersion !== undefined) throw unknownAgentVersion();
  if (!agent.chosen) return { version: null, engine: null, needsModel: false };
  return agent.chosen;
}
