import { getAgent, getAgentVersion, listAgentVersions } from "@parley/contract/routes/agents";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { send, sendForPage } from "../../api/send.ts";
import { openAgent, withPlaces } from "./open-agent.ts";

/** An agent as it is opened to be worked on. Never an old copy: its revision decides whether a save is taken. */
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

/** The flow of a version, with a place for every node. */
export const drawnVersionQuery = (agentId: string, version: number) =>
  queryOptions({
    queryKey: ["agent-version", agentId, version, "drawn"],
    queryFn: async ({ client }) => withPlaces((await client.ensureQueryData(versionQuery(agentId, version))).flow),
    staleTime: Number.POSITIVE_INFINITY,
  });
