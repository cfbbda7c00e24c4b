import type { AgentTemplate } from "@parley/contract/agent-templates";
import { AppError } from "@parley/contract/errors";
import { getTranscript } from "@parley/contract/routes/calls";
import * as routes from "@parley/contract/routes/scenarios";
import { type NewScenario, SCENARIOS_PER_AGENT_MAX } from "@parley/contract/scenarios";
import { toCall } from "../../calls/call-record.ts";
import { requireCall } from "../../calls/call-store.ts";
import { hasCallEvent } from "../../calls/event-store.ts";
import { readTranscript } from "../../calls/transcripts/transcript-store.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import { type Actor, authorize } from "../../platform/http/authenticate.ts";
import { type Cursors, toPage } from "../../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { findTriedFlow, withSubFlows } from "../find-tried-flow.ts";
import { type AdvanceDeps, advanceRun } from "./advance-run.ts";
import { type BeginRunDeps, beginRun, type RunOwner } from "./begin-run.ts";
import type { RunFollower } from "./run-follower.ts";
import { findRun, readResults, toRun } from "./run-store.ts";
import { scenarioOfCall } from "./scenario-of-call.ts";
import {
  addScenarios,
  countScenarios,
  deleteScenario,
  listScenarioRows,
  type ScenarioOwner,
  type ScenarioRow,
  toScenario,
  updateScenario,
} from "./scenario-store.ts";

export interface ScenarioRoutesDeps extends BeginRunDeps, AdvanceDeps {
  readonly db: Database;
  readonly cursors: Cursors;
  readonly follower: Pick<RunFollower, "follow">;
  readonly templates: readonly AgentTemplate[];
}

/** Scenarios of agents, their runs, and the agents to begin with. */
export function scenarioRoutes(deps: ScenarioRoutesDeps): BoundRoute[] {
  return [...documentRoutes(deps), ...runRoutes(deps)];
}

function documentRoutes({ db, cursors, templates }: ScenarioRoutesDeps): BoundRoute[] {
  return [
    handle(routes.listScenarios, async ({ accountId, params, query }) => {
      const { agentId } = await findTriedFlow(db, accountId, params.id, {});
      const filter = { list: "scenarios", accountId, agentId };
      const [createdAt = "", id = ""] = query.cursor === undefined ? [] : cursors.read(query.cursor, filter);
      const after = query.cursor === undefined ? null : { createdAt: new Date(createdAt), id };
      const rows = await listScenarioRows(db, agentId, after, query.limit + 1);
      const page = toPage(rows, query.limit, (last) => cursors.write([last.created_at.toISOString(), last.id], filter));
      return { data: page.rows.map(toScenario), nextCursor: page.nextCursor };
    }),

    handle(routes.createScenario, async (request) => {
      const { accountId, params, body } = request;
      const { agentId } = await findTriedFlow(db, accountId, params.id, {});
      return request.once(async (tx) => ({ data: toScenario(await addScenario(tx, { accountId, agentId }, body)) }));
    }),

    handle(routes.importScenarios, async (request) => {
      const { accountId, params, body } = request;
      const { agentId } = await findTriedFlow(db, accountId, params.id, {});
      return request.once(async (tx) => {
        const added = await addToAgent(tx, { accountId, agentId }, body.scenarios);
        return { data: { addedCount: added.length } };
      });
    }),

    handle(routes.changeScenario, async ({ accountId, params, body }) => {
      const row = await updateScenario(db, accountId, params.id, body);
      if (row === null) throw unknownScenario();
      return { data: toScenario(row) };
    }),

    handle(routes.deleteScenario, async ({ accountId, params }) => {
      if (!(await deleteScenario(db, accountId, params.id))) throw unknownScenario();
      return { data: {} };
    }),

    handle(routes.createScenarioFromCall, async (request) => {
      const row = await requireCall(db, request, request.params.id);
      if (row.state !== "ended") throw new AppError("invalid_state", "The call is not over yet.");
      const items = await readTranscript(db, row.id);
      if (items.length === 0) {
        throw new AppError(
          "invalid_state",
          "Nothing is known of what was said in the call: it was not answered, or erased.",
        );
      }
      // A scenario says what the callee said.
      authorize(getTranscript.access, request.actor);
      const call = toCall(row);
      const wasSuppressed = await hasCallEvent(db, row.id, "call.number_suppressed");
      const when = call.createdAt.slice(0, 16).replace("T", " ");
      const name = request.body.name ?? `Call of ${when} (${call.endReason ?? "unknown"})`;
      const scenario = scenarioOfCall({ ...call, items, wasSuppressed }, name);
      const { agentId } = await findTriedFlow(db, request.accountId, call.agentId, {});
      const owner = { accountId: request.accountId, agentId };
      return { data: toScenario(await inTransaction(db, (tx) => addScenario(tx, owner, scenario, row.id))) };
    }),

    handle(routes.listAgentTemplates, async () => ({ data: [...templates] })),
  ];
}

function runRoutes(deps: ScenarioRoutesDeps): BoundRoute[] {
  const { db, follower } = deps;
  const read = async (accountId: string, runId: string) => {
    const run = await findRun(db, accountId, runId);
    if (run === null) throw new AppError("not_found", "The account has no such run.");
    return toRun(run, await readResults(db, run.id));
  };
  return [
    handle(routes.runScenarios, async ({ accountId, params, body, actor }) => {
      const found = await withSubFlows(db, accountId, await findTriedFlow(db, accountId, params.id, body));
      const run = await beginRun(deps, ownerOf(accountId, actor), found, body);
      if (run.finished_at === null) {
        await advanceRun(deps, run.id);
        follower.follow(run.id);
      }
      return { data: await read(accountId, run.id) };
    }),

    handle(routes.getScenarioRun, async ({ accountId, params }) => {
      const run = await findRun(db, accountId, params.id);
      if (run !== null && run.finished_at === null) await advanceRun(deps, run.id);
      return { data: await read(accountId, params.id) };
    }),
  ];
}

async function addScenario(
  tx: Tx,
  owner: ScenarioOwner,
  scenario: NewScenario,
  madeFromCallId: string | null = null,
): Promise<ScenarioRow> {
  const [row] = await addToAgent(tx, owner, [scenario], madeFromCallId);
  if (row === undefined) throw new Error("a scenario was not written");
  return row;
}

/** Adds all of them, or throws where that would be too many. */
async function addToAgent(
  tx: Tx,
  owner: ScenarioOwner,
  scenarios: readonly NewScenario[],
  madeFromCallId: string | null = null,
): Promise<ScenarioRow[]> {
  const room = SCENARIOS_PER_AGENT_MAX - (await countScenarios(tx, owner.agentId));
  if (scenarios.length > room) {
    throw new AppError("invalid_state", `An agent has at most ${SCENARIOS_PER_AGENT_MAX} scenarios.`);
  }
  return addScenarios(tx, owner, scenarios, madeFromCallId);
}

function ownerOf(accountId: string, actor: Actor | null): RunOwner {
  return {
    accountId,
    keyId: actor?.kind === "key" ? actor.keyId : null,
    memberId: actor?.kind === "member" ? actor.memberId : null,
  };
}

function unknownScenario(): AppError {
  return new AppError("not_found", "The account has no such scenario.");
}
