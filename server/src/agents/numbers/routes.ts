import { getNodeNumbers, getUnmatchedAnswers } from "@parley/contract/routes/agents";
import type { Database } from "../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { findAgentRow } from "../agent-store.ts";
import { unknownAgent } from "../unknown-agent.ts";
import { countNumberedCalls, readNodeNumbers, readUnmatchedAnswers } from "./numbers-store.ts";

/** What the latest calls of an agent did at each of its nodes. */
export function nodeNumberRoutes({ db }: { readonly db: Database }): BoundRoute[] {
  return [
    handle(getNodeNumbers, async ({ accountId, mode, params, query }) => {
      if (!(await findAgentRow(db, accountId, params.id))) throw unknownAgent();
      const calls = {
        accountId,
        mode,
        agentId: params.id,
        version: query.version ?? null,
        ofUsers: query.calls === "all",
      };
      const [count, nodes] = await Promise.all([countNumberedCalls(db, calls), readNodeNumbers(db, calls)]);
      return { data: { mode, calls: count, nodes } };
    }),

    handle(getUnmatchedAnswers, async ({ accountId, mode, params, query }) => {
      if (!(await findAgentRow(db, accountId, params.id))) throw unknownAgent();
      const calls = { accountId, mode, agentId: params.id, version: null, ofUsers: query.calls === "all" };
      return { data: { answers: await readUnmatchedAnswers(db, calls, params.nodeId) } };
    }),
  ];
}
