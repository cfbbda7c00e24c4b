import type { FlowWarning } from "@parley/contract/agents";
import { AppError } from "@parley/contract/errors";
import type { Flow } from "@parley/contract/flow";
import * as routes from "@parley/contract/routes/agents";
import { auditRequest } from "../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../platform/database/database.ts";
import { actorId } from "../platform/http/authenticate.ts";
import { type Cursors, toPage } from "../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../platform/http/handler.ts";
import type { EngineRegistry } from "../speech/models/engine-registry.ts";
import {
  type AgentRow,
  findAgentRow,
  insertAgent,
  listAgentRows,
  lockAgentRow,
  markAgentDeleted,
  pointAgentAt,
  toAgent,
  toAgentSummary,
  toVersion,
  toVersionSummary,
  unmarkAgentDeleted,
} from "./agent-store.ts";
import type { ExitChecker } from "./confusable-exits.ts";
import { changeDraft, checkFlow, draftConflict, publishAgent, readRevision } from "./drafts.ts";
import { warnOfMcpTools } from "./mcp/functions-for-flow.ts";
import type { AddScenarios } from "./sample-agents.ts";
import { heldFlow, readSubFlows } from "./sub-flows.ts";
import { readToolSecret, rotateToolSecret, type ToolSecretDeps } from "./tool-secrets.ts";
import { unknownAgent } from "./unknown-agent.ts";
import { findVersionRow, listVersionRows } from "./version-store.ts";

export interface AgentDeps {
  readonly db: Database;
  readonly cursors: Cursors;
  readonly engines: EngineRegistry;
  readonly addScenarios: AddScenarios;
  /** Left out, only what the words of a flow tell is warned about. */
  readonly checkExits?: ExitChecker;
}

/** Agents, their drafts and their published versions. */
export function agentRoutes(deps: AgentDeps): BoundRoute[] {
  return [...draftRoutes(deps), ...versionRoutes(deps)];
}

function draftRoutes({ db, cursors, engines, addScenarios }: AgentDeps): BoundRoute[] {
  return [
    handle(routes.listAgents, async ({ accountId, query }) => {
      const filter = { list: "agents", accountId };
      const [createdAt = "", id = ""] = query.cursor === undefined ? [] : cursors.read(query.cursor, filter);
      const after = query.cursor === undefined ? null : { createdAt: new Date(createdAt), id };
      const rows = await listAgentRows(db, accountId, after, query.limit + 1);
      const page = toPage(rows, query.limit, (last) => cursors.write([last.created_at.toISOString(), last.id], filter));
      return { data: page.rows.map(toAgentSummary), nextCursor: page.nextCursor };
    }),

    handle(routes.createAgent, async (request) => {
      const { accountId, body } = request;
      if (body.engine !== null) engines.requireKnownEngine(body.engine);
      return request.once(async (tx) => {
        const agent = await insertAgent(tx, accountId, body);
        await addScenarios(tx, { accountId, agentId: agent.id }, body.scenarios);
        await auditRequest(tx, request, "agent.created", agent.id, { name: agent.name });
        return { data: toAgent(agent) };
      });
    }),

    handle(routes.getAgent, async ({ accountId, params }) => ({
      data: toAgent(orUnknown(await findAgentRow(db, accountId, params.id))),
    })),

    handle(routes.changeAgent, async ({ accountId, params, body, header, actor }) => {
      if (typeof body.engine === "string") engines.requireKnownEngine(body.engine);
      return { data: toAgent(await changeDraft(db, accountId, params.id, header("if-match"), body, actor)) };
    }),

    handle(routes.deleteAgent, (request) =>
      inTransaction(db, async (tx) => {
        const { id, name } = orUnknown(await markAgentDeleted(tx, request.accountId, request.params.id));
        await auditRequest(tx, request, "agent.deleted", id, { name });
        return { data: {} };
      }),
    ),

    handle(routes.restoreAgent, (request) =>
      request.once(async (tx) => {
        const { accountId, params } = request;
        const isRestored = await unmarkAgentDeleted(tx, accountId, params.id);
        const agent = orUnknown(await findAgentRow(tx, accountId, params.id));
        if (isRestored) await auditRequest(tx, request, "agent.restored", agent.id, { name: agent.name });
        return { data: toAgent(agent) };
      }),
    ),
  ];
}

/** An agent that its engine cannot conduct is published, since a call may name another engine. */
function engineWarnings(engines: EngineRegistry, { engine, language }: AgentRow, flow: Flow): FlowWarning[] {
  const unspoken = engines.languageProblem(engine, language);
  const unsuited = engines.flowProblem(engine, flow);
  const silent = engines.silenceProblem(engine, language, flow);
  const parts = { language, ...(engine === null ? {} : { engine }) };
  return [
    ...(unspoken === null ? [] : [{ param: "language", code: "unspoken_language", message: unspoken, parts } as const]),
    ...(unsuited === null ? [] : [{ param: "engine", code: "unsuited_engine", message: unsuited, parts } as const]),
    ...(silent === null ? [] : [{ param: "engine", code: "no_other_voice", message: silent, parts } as const]),
  ];
}

function versionRoutes({ db, cursors, engines, checkExits = async () => [] }: AgentDeps): BoundRoute[] {
  return [
    handle(routes.checkAgent, async ({ accountId, params, body }) => {
      const agent = orUnknown(await findAgentRow(db, accountId, params.id));
      const flow = body.flow ?? agent.flow;
      const context = await readSubFlows(db, accountId, agent.id, flow);
      const { problems, warnings } = checkFlow(flow, engines.modelNames, context);
      const others = [
        ...engineWarnings(engines, agent, heldFlow(flow, context)),
        ...(await warnOfMcpTools(db, accountId, flow)),
        ...(await checkExits(flow, agent.language)),
      ];
      return { data: { problems, warnings: [...warnings, ...others] } };
    }),

    handle(routes.publishAgent, async (request) => {
      // Before the agent is locked: the models are slow.
      const draft = await findAgentRow(db, request.accountId, request.params.id);
      const exitWarnings = draft === null ? [] : await checkExits(draft.flow, draft.language);
      return request.once(async (tx) => {
        const agent = orUnknown(await lockAgentRow(tx, request.accountId, request.params.id));
        const ifMatch = request.header("if-match");
        // With If-Match, only the draft that the client has read is published, not a later change by another member.
        if (ifMatch !== undefined && readRevision(ifMatch) !== agent.revision)
          throw await draftConflict(tx, agent, ifMatch, request.actor && actorId(request.actor));
        const { modelNames } = engines;
        const { version, warnings } = await publishAgent(tx, agent, { note: request.body.note, modelNames });
        await auditRequest(tx, request, "agent.published", version.id, {
          name: agent.name,
          version: version.version,
        });
        const isChecked = draft?.revision === agent.revision;
        const all = [
          ...engineWarnings(engines, agent, version.expanded_flow ?? agent.flow),
          ...warnings,
          ...(await warnOfMcpTools(tx, request.accountId, agent.flow)),
          ...(isChecked ? exitWarnings : []),
        ];
        return { data: { ...toVersion(version, version.version), warnings: all } };
      });
    }),

    handle(routes.listAgentVersions, async ({ accountId, params, query }) => {
      const agent = orUnknown(await findAgentRow(db, accountId, params.id));
      const filter = { list: "agent_versions", accountId, agentId: agent.id };
      const before = query.cursor === undefined ? null : Number(cursors.read(query.cursor, filter)[0]);
      const rows = await listVersionRows(db, agent.id, before, query.limit + 1);
      const page = toPage(rows, query.limit, (last) => cursors.write([String(last.version)], filter));
      return {
        data: page.rows.map((row) => toVersionSummary(row, agent.published_version)),
        nextCursor: page.nextCursor,
      };
    }),

    handle(routes.getAgentVersion, async ({ accountId, params }) => {
      const agent = orUnknown(await findAgentRow(db, accountId, params.id));
      const version = await findVersionRow(db, agent.id, params.version);
      if (!version) throw unknownVersion(params.version);
      return { data: toVersion(version, agent.published_version) };
    }),

    handle(routes.rollbackAgent, (request) =>
      request.once(async (tx) => {
        const { version } = request.body;
        const agent = orUnknown(await lockAgentRow(tx, request.accountId, request.params.id));
        if (!(await findVersionRow(tx, agent.id, version))) throw unknownVersion(version);
        const from = agent.published_version;
        if (version === from) return { data: toAgent(agent) };
        const rolledBack = await pointAgentAt(tx, agent.id, version, null);
        await auditRequest(tx, request, "agent.rolled_back", agent.id, {
          name: agent.name,
          version: { from, to: version },
        });
        return { data: toAgent(rolledBack) };
      }),
    ),
  ];
}

function orUnknown(agent: AgentRow | null): AgentRow {
  if (!agent) throw unknownAgent();
  return agent;
}

function unknownVersion(version: number): AppError {
  return new AppError("not_found", `The agent has no version ${version}.`);
}

/** What signs the requests that tools send. */
export function toolSecretRoutes(deps: ToolSecretDeps & { readonly db: Database }): BoundRoute[] {
  return [
    handle(routes.getToolSecret, (request) =>
      inTransaction(deps.db, async (tx) => {
        const data = await readToolSecret(deps, tx, request.accountId);
        await auditRequest(tx, request, "tool_secret.shown", request.accountId);
        return { data };
      }),
    ),
    handle(routes.rotateToolSecret, (request) =>
      inTransaction(deps.db, async (tx) => {
        const data = await rotateToolSecret(deps, tx, request.accountId);
        await auditRequest(tx, request, "tool_secret.rotated", request.accountId);
        return { data };
      }),
    ),
  ];
}
