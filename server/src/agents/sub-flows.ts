import type { Flow } from "@parley/contract/flow";
import { expandFlow, SUB_FLOW_DEPTH_MAX } from "@parley/flow/sub-flows/expand-flow";
import { type SubFlows, subFlowKey, subFlowsOf } from "@parley/flow/sub-flows/sub-flow";
import type { Database } from "../platform/database/database.ts";
import { listSubFlowRows } from "./version-store.ts";

/** What a flow is compiled with besides its document. */
export interface CompileContext {
  readonly agentId: string;
  readonly subFlows: SubFlows;
}

/**
 * Reads the published flows that a flow uses, and those that they use. What was deleted, never published or belongs to
 * another account is not among them.
 */
export async function readSubFlows(
  db: Database,
  accountId: string,
  agentId: string,
  flow: Flow,
): Promise<CompileContext> {
  const subFlows = new Map<string, Flow>();
  let wanted = subFlowsOf(flow);
  for (let depth = 0; wanted.length > 0 && depth <= SUB_FLOW_DEPTH_MAX; depth += 1) {
    const rows = await listSubFlowRows(db, accountId, wanted);
    for (const row of rows) subFlows.set(subFlowKey(row.agent_id, row.version), row.flow);
    wanted = rows
      .flatMap((row) => subFlowsOf(row.flow))
      .filter((each) => !subFlows.has(subFlowKey(each.agentId, each.version)));
  }
  return { agentId, subFlows };
}

/** The flow as calls hold it: with its sub-flows written into it. It must compile. */
export function heldFlow(flow: Flow, { agentId, subFlows }: CompileContext): Flow {
  return expandFlow(flow, subFlows, agentId).flow;
}
