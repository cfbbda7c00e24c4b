import type { Call } from "@parley/contract/calls";
import { EMPTY_FLOW, type Flow } from "@parley/contract/flow";
import { useQuery } from "@tanstack/react-query";
import { publishedFlowQuery } from "../../agents/agent-queries.ts";
import { useExpandedFlow } from "../../flow-editor/sub-flows/load-sub-flows.ts";

/** The flow of a call with its sub-flows written into it. Empty until it is loaded, and for a draft, which is not kept. */
export function useCallFlow({ agentId, agentVersion }: Pick<Call, "agentId" | "agentVersion">): Flow {
  const { data } = useQuery({ ...publishedFlowQuery(agentId, agentVersion), enabled: agentVersion > 0 });
  return useExpandedFlow(data ?? EMPTY_FLOW);
}
