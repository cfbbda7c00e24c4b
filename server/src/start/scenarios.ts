import { needsModel } from "@parley/flow/warnings";
import { systemClock } from "@parley/time/clock";
import { findPublishedAgent } from "../agents/find-published-agent.ts";
import { AGENT_TEMPLATES, addSampleAgents } from "../agents/sample-agents.ts";
import { type AdvanceDeps, advanceRun } from "../agents/scenarios/advance-run.ts";
import { scenarioRoutes } from "../agents/scenarios/routes.ts";
import { RunFollower } from "../agents/scenarios/run-follower.ts";
import { isRunFinished } from "../agents/scenarios/run-store.ts";
import { addScenarios } from "../agents/scenarios/scenario-store.ts";
import type { TextBrains } from "../agents/trials/text/text-brains.ts";
import { type CreateCallDeps, createCall } from "../calls/create-call.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Cursors } from "../platform/http/cursor.ts";
import type { BoundRoute } from "../platform/http/handler.ts";
import type { EngineRegistry } from "../speech/models/engine-registry.ts";
import type { ServiceContext } from "./service-context.ts";

export interface ScenarioDeps {
  readonly brains: TextBrains;
  readonly cursors: Cursors;
  readonly engines: EngineRegistry;
  /** Accepts the call like any other request. */
  readonly calls: CreateCallDeps;
}

export interface JoinedScenarios {
  readonly routes: BoundRoute[];
  close(): Promise<void>;
}

/** Joins scenarios with what holds them: brains by text, and simulated calls. */
export function joinScenarios(
  { db, log }: ServiceContext,
  { brains, cursors, engines, calls }: ScenarioDeps,
): JoinedScenarios {
  const advancing: AdvanceDeps = {
    db,
    async placeCall(tx, actor, request, agentVersion) {
      const findAgent: CreateCallDeps["findAgent"] = async (_tx, accountId, agentId) => {
        const agent = await findPublishedAgent(tx, accountId, agentId, agentVersion);
        return agent.exists ? agent.chosen : null;
      };
      const accepted = await createCall({ ...calls, findAgent }, tx, actor, "test", request);
      await accepted.admit(tx);
      return accepted.call;
    },
  };
  const follower = new RunFollower({
    clock: systemClock,
    advance: (runId) => advanceRun(advancing, runId),
    isFinished: (runId) => isRunFinished(db, runId),
    onTrouble: (error) => log.warn({ error }, "scenario run failed; retrying"),
  });
  return {
    routes: scenarioRoutes({
      ...advancing,
      brains,
      cursors,
      follower,
      templates: AGENT_TEMPLATES,
      nowMs: () => Date.now(),
      refuseUnavailable: ({ engine, language, flow }) =>
        void engines.chooseFor(engine ?? engines.defaultName, { needsModel: flow.nodes.some(needsModel), language }),
    }),
    close: () => follower.close(),
  };
}

/** Gives a new account the sample agents, each with its scenarios. Returns the ids of the agents. */
export function addSamples(tx: Tx, accountId: string): Promise<readonly string[]> {
  return addSampleAgents(tx, accountId, addScenarios);
}
