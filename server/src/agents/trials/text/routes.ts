import * as routes from "@parley/contract/routes/try";
import type { ToolCaller } from "@parley/voice/ports/tool-caller";
import type { Database } from "../../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../../platform/http/handler.ts";
import { findTriedFlow } from "../../find-tried-flow.ts";
import { takeTryTurn, tryTool } from "./take-try-turn.ts";
import type { TextBrains } from "./text-brains.ts";
import type { TryStates } from "./try-state.ts";

export interface TryRoutesDeps {
  readonly db: Database;
  readonly brains: TextBrains;
  readonly states: TryStates;
  /** Sends and signs requests as a call of the account does. */
  toolCallerFor(accountId: string, callId: string): ToolCaller;
  readonly nowMs: () => number;
}

/** Trying an agent by text, and its tools one by one. */
export function tryRoutes({ db, brains, states, toolCallerFor, nowMs }: TryRoutesDeps): BoundRoute[] {
  return [
    handle(routes.tryAgent, async ({ accountId, params, body }) => {
      const found = await findTriedFlow(db, accountId, params.id, body);
      const callerFor = (callId: string) => toolCallerFor(accountId, callId);
      return { data: await takeTryTurn({ brains, states, nowMs, toolCallerFor: callerFor }, found, body) };
    }),

    handle(routes.tryTool, async ({ accountId, params, body }) => {
      await findTriedFlow(db, accountId, params.id, {});
      return { data: await tryTool({ nowMs, toolCallerFor: (callId) => toolCallerFor(accountId, callId) }, body) };
    }),
  ];
}
