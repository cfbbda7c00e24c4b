import type { Engine } from "@parley/contract/engines";
import { MCP_SERVERS_MAX } from "@parley/contract/mcp-servers";
import {
  getAgent,
  getAgentVersion,
  getNodeNumbers,
  getUnmatchedAnswers,
  listAgentVersions,
} from "@parley/contract/routes/agents";
import { listMcpServers } from "@parley/contract/routes/mcp-servers";
import type { Mode } from "@parley/contract/shared-fields";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { send, sendForPage } from "../../api/send.ts";
import { enginesQuery } from "../agents/agent-list-query.ts";
import { openAgent, withPlaces } from "./open-agent.ts";

/** An agent as it is opened for editing. Never a stale copy: its revision decides whether a save is accepted. */
export const openedAgentQuery = (agentId: string) =>
  queryOptions({
    queryKey: ["opened-agent", agentId],
    queryFn: async ({ signal }) => openAgent(await send(getAgent, { params: { id: agentId }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export const versionsQuery = (agentId: string) =>
  infiniteQueryOptions({
    queryKey: ["agent-versions", agentId],
    queryFn: ({ pageParam, signal }) =>
      sendForPage(listAgentVersions, {
        params: { id: agentId },
        query: { limit: "50", cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

/** A version never changes. */
export const versionQuery = (agentId: string, version: number) =>
  queryOptions({
    queryKey: ["agent-version", agentId, version],
    queryFn: ({ signal }) => send(getAgentVersion, { params: { id: agentId, version: String(version) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The flow of a version, with a position for every node. */
export const drawnVersionQuery = (agentId: string, version: number) =>
  queryOptions({
    queryKey: ["agent-version", agentId, version, "drawn"],
    queryFn: async ({ client }) => withPlaces((await client.ensureQueryData(versionQuery(agentId, version))).flow),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Approved tools of the account's MCP servers. */
export const mcpToolsQuery = queryOptions({
  queryKey: ["mcp-servers", "tools"],
  queryFn: async ({ signal }) => {
    const { rows } = await sendForPage(listMcpServers, { query: { limit: String(MCP_SERVERS_MAX) }, signal });
    return rows.flatMap(({ name: server, isEnabled, tools }) =>
      tools.flatMap(({ name: tool, state }) => (isEnabled && state === "approved" ? [{ server, tool }] : [])),
    );
  },
});

/** What the latest calls did at each node, also those of agents that use this one as a sub-flow. */
export const nodeNumbersQuery = (mode: Mode, agentId: string) =>
  queryOptions({
    queryKey: ["node-numbers", "all", mode, agentId],
    queryFn: ({ signal }) => send(getNodeNumbers, { mode, params: { id: agentId }, query: { calls: "all" }, signal }),
  });

/** What callees said at a question and was not understood, also where it is part of a sub-flow. */
export const unmatchedAnswersQuery = (mode: Mode, agentId: string, nodeId: string) =>
  queryOptions({
    queryKey: ["unmatched-answers", mode, agentId, nodeId],
    queryFn: ({ signal }) =>
      send(getUnmatchedAnswers, { mode, params: { id: agentId, nodeId }, query: { calls: "all" }, signal }),
  });

/** The language models that nodes can ask, the installation's default first. Empty while none is set up. */
export const modelNamesQuery = queryOptions({ ...enginesQuery, select: modelNamesOf });

function modelNamesOf(engines: readonly Engine[]): readonly string[] {
  // Engines that are not a model themselves all ask the same ones.
  const model = engines.find((engine) => engine.model?.name != null)?.model;
  return model?.name == null ? [] : [model.name, ...model.fallbacks];
}
