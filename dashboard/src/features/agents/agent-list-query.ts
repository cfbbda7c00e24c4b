import { listEngines } from "@parley/contract/routes/account";
import { listAgents } from "@parley/contract/routes/agents";
import { queryOptions } from "@tanstack/react-query";
import { send, sendForPage } from "../../api/send.ts";

export const agentsQuery = queryOptions({
  queryKey: ["agents"],
  queryFn: async ({ signal }) => (await sendForPage(listAgents, { query: { limit: "100" }, signal })).rows,
});

export const enginesQuery = queryOptions({
  queryKey: ["engines"],
  queryFn: ({ signal }) => send(listEngines, { signal }),
});
