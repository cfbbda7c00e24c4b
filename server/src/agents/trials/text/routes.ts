import type { Flow } from "@parley/contract/flow";
import * as routes from "@parley/contract/routes/try";
import type { ToolCaller } from "@parley/voice/ports/tool-caller";
import type { Database } from "../../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../../platform/http/handler.ts";
import type { McpCaller } from "../../../speech/conversations/call-mcp-tool.ts";
import { findTriedFlow, withSubFlows } from "../../find-tried-flow.ts";
import type { McpPlan } from "../../mcp/functions-for-flow.ts";
import { takeTryTurn, tryTool } from "./take-try-turn.ts";
import type { TextBrains } from "./text-brains.ts";
import type { TryStates } from "./try-state.ts";

export interface TryRoutesDeps {
  readonly db: Database;
  readonly brains: TextBrains;
  readonly states: TryStates;
  /** Sends and signs requests as a call of the account does. */
  toolCallerFor(accountId: string, callId: string): ToolCaller;
  mcpPlanFor(accountId: string, flow: Flow): Promise<McpPlan>;
  mcpCallerFor(plan: McpPlan): McpCaller;
  readonly nowMs: () => number;
}

/** Trying an agent by text, and its tools one by one. */
export function tryRoutes(deps: TryRoutesDeps): BoundRoute[] {
  const { db, brains, states, toolCallerFor, nowMs } = deps;
  return [
    handle(routes.tryAgent, async ({ accountId, params, body }) => {
      const found = await withSubFlows(db, accountId, await findTriedFlow(db, accountId, params.id, body));
      const mcp = await deps.mcpPlanFor(accountId, found.flow);
      const { callMcpTool, close } = deps.mcpCallerFor(mcp);
      const callerFor = (callId: string) => ({ ...toolCallerFor(accountId, callId), callMcpTool });
      const turn = { brains, states, nowMs, toolCallerFor: callerFor, mcpFunctions: mcp.functions };
      try {
        return { data: await takeTryTurn(turn, found, body) };
      } finally {
        await close();
      }
    }),

    handle(routes.tryTool, async ({ accountId, params, body }) => {
      await findTriedFlow(db, accountId, params.id, {});
      return { data: await tryTool({ nowMs, toolCallerFor: (callId) => toolCallerFor(accountId, callId) }, body) };
    }),
  ];
}
