import type { Flow } from "@parley/contract/flow";
import type { SubFlowNode } from "@parley/contract/flow-sub-flow";
import { expandFlow, SUB_FLOW_DEPTH_MAX } from "@parley/flow/sub-flows/expand-flow";
import {
  interfaceOf,
  type SubFlowInterface,
  type SubFlows,
  subFlowKey,
  subFlowsOf,
} from "@parley/flow/sub-flows/sub-flow";
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ApiError } from "../../../api/api-error.ts";
import { versionQuery } from "../editor-queries.ts";

type Used = ReturnType<typeof subFlowsOf>;

const NONE: SubFlows = new Map();

/** The published flows that these are, and those that they use. What cannot be used is not among them. */
const subFlowsQuery = (used: Used) =>
  queryOptions({
    queryKey: ["sub-flows", ...used.map(({ agentId, version }) => subFlowKey(agentId, version))],
    queryFn: ({ client }) => loadSubFlows(client, used),
    // Another member may delete one.
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });

async function loadSubFlows(client: QueryClient, used: Used): Promise<SubFlows> {
  const found = new Map<string, Flow>();
  let wanted = used;
  for (let depth = 0; wanted.length > 0 && depth <= SUB_FLOW_DEPTH_MAX; depth += 1) {
    const flows = await Promise.all(
      wanted.map(async ({ agentId, version }) => {
        const flow = await readVersion(client, agentId, version);
        if (flow) found.set(subFlowKey(agentId, version), flow);
        return flow;
      }),
    );
    const next = flows.flatMap((flow) => (flow ? subFlowsOf(flow) : []));
    wanted = next.filter(({ agentId, version }) => !found.has(subFlowKey(agentId, version)));
  }
  return found;
}

async function readVersion(client: QueryClient, agentId: string, version: number): Promise<Flow | null> {
  try {
    return (await client.fetchQuery(versionQuery(agentId, version))).flow;
  } catch (error) {
    if (error instanceof ApiError && (error.code === "agent_not_found" || error.code === "not_found")) return null;
    throw error;
  }
}

/** The flows that the nodes of a flow use. Null until they are loaded. */
export function useSubFlows(flow: Flow): SubFlows | null {
  const used = subFlowsOf(flow);
  const { data, isPlaceholderData, isError } = useQuery({ ...subFlowsQuery(used), enabled: used.length > 0 });
  if (used.length === 0) return NONE;
  if (isError) return data ?? NONE;
  return isPlaceholderData ? null : (data ?? null);
}

/** The flow with its sub-flows written into it, for the names that it has. */
export function useExpandedFlow(flow: Flow): Flow {
  const subFlows = useSubFlows(flow);
  return useMemo(
    () => (subFlows === null || subFlows.size === 0 ? flow : expandFlow(flow, subFlows).flow),
    [flow, subFlows],
  );
}

/** What a version needs and gives; null if it cannot be used. */
export async function loadInterface(
  client: QueryClient,
  agentId: string,
  version: number,
): Promise<SubFlowInterface | null> {
  const flows = await loadSubFlows(client, [{ agentId, version }]);
  const flow = flows.get(subFlowKey(agentId, version));
  return flow ? interfaceOf(expandFlow(flow, flows, agentId).flow) : null;
}

export const interfaceQuery = ({ agentId = "", version = 0 }: Pick<SubFlowNode, "agentId" | "version">) =>
  queryOptions({
    queryKey: ["sub-flow-interface", agentId, version],
    queryFn: ({ client }) => loadInterface(client, agentId, version),
    enabled: agentId !== "" && version > 0,
  });
