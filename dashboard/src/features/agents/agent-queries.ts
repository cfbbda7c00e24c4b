import type { AgentSummary } from "@parley/contract/agents";
import {
  getAgent,
  getAgentVersion,
  getNodeNumbers,
  listAgents,
  listAgentVersions,
} from "@parley/contract/routes/agents";
import type { Mode } from "@parley/contract/shared-fields";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { send, sendForPage } from "../../api/send.ts";
import { agentsQuery } from "./agent-list-query.ts";

const ROWS_PER_PAGE = "50";

/** The key prefix of everything about agents: changing one of them invalidates all of it. */
export const agentsKey = agentsQuery.queryKey;

export const agentPagesQuery = infiniteQueryOptions({
  queryKey: [...agentsKey, "pages"],
  queryFn: ({ pageParam, signal }) =>
    sendForPage(listAgents, { query: { limit: ROWS_PER_PAGE, cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.nextCursor ?? undefined,
});

export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: [...agentsKey, "one", id],
    queryFn: ({ signal }) => send(getAgent, { params: { id }, signal }),
  });

export const versionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...agentsKey, "versions", id],
    queryFn: ({ pageParam, signal }) =>
      sendForPage(listAgentVersions, { params: { id }, query: { limit: ROWS_PER_PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

/** The flow of a version, which never changes. */
export const publishedFlowQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: [...agentsKey, "flow", id, version],
    queryFn: async ({ signal }) =>
      (await send(getAgentVersion, { params: { id, version: String(version) }, signal })).flow,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What the latest calls did at each node; null is all versions. */
export const nodeNumbersQuery = (mode: Mode, id: string, version: number | null) =>
  queryOptions({
    queryKey: ["node-numbers", mode, id, version],
    queryFn: ({ signal }) =>
      send(getNodeNumbers, {
        ...{ mode, params: { id }, signal },
        query: version === null ? {} : { version: String(version) },
      }),
  });

/** Whether the draft has changes that calls do not use yet. */
export function isDraftNewer(
  agent: Pick<AgentSummary, "revision" | "publishedVersion" | "publishedRevision">,
): boolean {
  return agent.publishedVersion !== null && agent.publishedRevision !== agent.revision;
}
