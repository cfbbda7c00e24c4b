import { getScenarioRun, listScenarios } from "@parley/contract/routes/scenarios";
import { queryOptions } from "@tanstack/react-query";
import { send, sendForPage } from "../../../api/send.ts";

export const scenarioKeys = {
  list: (agentId: string) => ["scenarios", agentId] as const,
  run: (runId: string) => ["scenario-run", runId] as const,
};

/** All of them: an agent has at most two pages. */
export const scenariosQuery = (agentId: string) =>
  queryOptions({
    queryKey: scenarioKeys.list(agentId),
    queryFn: async ({ signal }) => {
      const all = [];
      let cursor: string | undefined;
      do {
        const page = await sendForPage(listScenarios, {
          params: { id: agentId },
          query: { limit: "100", cursor },
          signal,
        });
        all.push(...page.rows);
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      return all;
    },
  });

const LOOK_AGAIN_MS = 1500;

export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: scenarioKeys.run(runId),
    queryFn: ({ signal }) => send(getScenarioRun, { params: { id: runId }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === "done" ? false : LOOK_AGAIN_MS),
  });
